// SPDX-License-Identifier: GPL-3.0-or-later
// A proxy elsewhere as `headway attach` has it: against a real one, and against a scripted feed
// that does what a real one should not.
#include "app/remoteproxy.h"
#include "tests/support/proxyfixture.h"

#include <QSignalSpy>
#include <QTest>
#include <QWebSocket>
#include <QWebSocketServer>

#include <algorithm>
#include <functional>

using namespace headway;
using namespace std::chrono_literals;
using app::RemoteProxy;
using app::RemoteTimes;
using Phase = ui::LinkState::Phase;
using tests::ProxyFixture;

class RemoteProxyTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void gapsGrowFromOneSecondToThirty();
    void anAddressBecomesThatOfTheFeed_data();
    void anAddressBecomesThatOfTheFeed();
    void aWrongAddressIsSaid_data();
    void aWrongAddressIsSaid();
    void aRealProxyIsSeenAndObeys();
    void aWrongKeyIsSaidAndNotTriedAgain();
    void aLostConnectionIsMadeAgainAndNothingIsToldTwice();
    void anotherVersionIsRefused();
    void whatIsNoFeedIsSaid();
    void silenceEndsTheConnection();
    void nobodyListeningIsTriedAgain();
    void withoutAConnectionACommandIsRefused();
};

namespace {

constexpr RemoteTimes quick{.firstGap = 5ms, .longestGap = 50ms, .dial = 5s, .silence = 5s};

// What the link and the snapshots were, in order.
class Watcher final : public QObject
{
public:
    explicit Watcher(RemoteProxy &proxy)
    {
        connect(&proxy, &RemoteProxy::linkChanged, this,
                [this](const ui::LinkState &link) { links.push_back(link); });
        connect(&proxy, &RemoteProxy::snapshotReady, this,
                [this](const live::SnapshotPointer &snapshot) { snapshots.push_back(snapshot); });
        connect(&proxy, &RemoteProxy::refused, this,
                [this](const QString &reason) { refusals.push_back(reason); });
    }

    [[nodiscard]] bool wasIn(Phase phase, const QString &trouble = {}) const
    {
        return std::ranges::any_of(links, [&](const ui::LinkState &link) {
            return link.phase == phase && link.trouble.contains(trouble);
        });
    }
    [[nodiscard]] bool saw(const std::function<bool(const live::Snapshot &)> &what) const
    {
        return std::ranges::any_of(snapshots, [&](const auto &each) { return what(*each); });
    }

    std::vector<ui::LinkState> links;
    std::vector<live::SnapshotPointer> snapshots;
    QStringList refusals;
};

// A feed that the test writes.
class ScriptedFeed final : public QObject
{
public:
    ScriptedFeed()
        : m_server(QStringLiteral("feed"), QWebSocketServer::NonSecureMode)
    {
        m_server.listen(QHostAddress(QHostAddress::LocalHost), 0);
        connect(&m_server, &QWebSocketServer::newConnection, this, [this] {
            sockets.push_back(m_server.nextPendingConnection());
            sockets.back()->setParent(this);
            paths.push_back(sockets.back()->requestUrl().path());
            keys.push_back(sockets.back()->request().rawHeader("Authorization"));
        });
    }

    [[nodiscard]] net::Endpoint endpoint() const
    {
        auto endpoint
            = app::feedEndpoint(QStringLiteral("ws://127.0.0.1:%1").arg(m_server.serverPort()))
                  .value();
        endpoint.key = "the-control-key";
        return endpoint;
    }
    void send(const live::Snapshot &snapshot)
    {
        sockets.back()->sendTextMessage(QString::fromStdString(live::writeFeed(snapshot)));
    }

    std::vector<QWebSocket *> sockets;
    QStringList paths;
    std::vector<QByteArray> keys;

private:
    QWebSocketServer m_server;
};

simulator::Scenario shortTurns()
{
    simulator::Scenario scenario;
    scenario.turn = {1ms, 1ms};
    return scenario;
}

net::Endpoint endpointOf(const ProxyFixture &proxy, const char *key)
{
    auto endpoint
        = app::feedEndpoint(QStringLiteral("ws://127.0.0.1:%1").arg(proxy.port())).value();
    endpoint.key = key;
    return endpoint;
}

live::Snapshot at(std::int64_t second)
{
    live::Snapshot snapshot;
    snapshot.at = base::WallTime{std::chrono::seconds{second}};
    return snapshot;
}

ledger::Record recordAt(std::int64_t second)
{
    ledger::Record record;
    record.at = base::WallTime{std::chrono::seconds{second}};
    return record;
}

} // namespace

void RemoteProxyTest::gapsGrowFromOneSecondToThirty()
{
    std::vector<int> seconds;
    for (const int failures : {1, 2, 3, 4, 5, 6, 7, 1'000'000})
        seconds.push_back(int(app::gapAfter(failures, RemoteTimes{}) / 1s));
    QCOMPARE(seconds, (std::vector<int>{1, 2, 4, 8, 16, 30, 30, 30}));
}

void RemoteProxyTest::anAddressBecomesThatOfTheFeed_data()
{
    QTest::addColumn<QString>("url");
    const auto row = [](const char *address, const char *url) {
        QTest::newRow(address) << QString::fromLatin1(url);
    };
    row("wss://proxy.example:8443", "wss://proxy.example:8443/headway/v1/feed");
    row("wss://proxy.example/", "wss://proxy.example/headway/v1/feed");
    row("https://proxy.example", "wss://proxy.example/headway/v1/feed");
    row("http://127.0.0.1:17421", "ws://127.0.0.1:17421/headway/v1/feed");
    row("ws://[::1]:17421", "ws://[::1]:17421/headway/v1/feed");
    row("wss://proxy.example/lab", "wss://proxy.example/lab/headway/v1/feed");
}

void RemoteProxyTest::anAddressBecomesThatOfTheFeed()
{
    QFETCH(QString, url);
    const auto endpoint = app::feedEndpoint(QString::fromUtf8(QTest::currentDataTag()));
    QVERIFY(endpoint);
    QCOMPARE(endpoint->url.toString(), url);
}

void RemoteProxyTest::aWrongAddressIsSaid_data()
{
    QTest::addColumn<QString>("error");
    const auto row = [](const char *address, const char *error) {
        QTest::newRow(address) << QString::fromLatin1(error);
    };
    row("ws://proxy.example:17421", "plain ws is for this machine only");
    row("http://192.0.2.7:17421", "plain http is for this machine only");
    row("proxy.example", "write wss://HOST:PORT");
    row("ftp://proxy.example", "write wss://HOST:PORT");
    row("", "write wss://HOST:PORT");
}

void RemoteProxyTest::aWrongAddressIsSaid()
{
    QFETCH(QString, error);
    const auto endpoint = app::feedEndpoint(QString::fromUtf8(QTest::currentDataTag()));
    QVERIFY(!endpoint);
    QVERIFY2(endpoint.error().contains(error), qPrintable(endpoint.error()));
}

void RemoteProxyTest::aRealProxyIsSeenAndObeys()
{
    ProxyFixture proxy(shortTurns());
    proxy.start();
    RemoteProxy remote(endpointOf(proxy, "control-key-of-the-test"), QStringLiteral("here"), quick);
    Watcher watcher(remote);
    remote.start();
    QTRY_VERIFY(watcher.snapshots.size() >= 3);
    QVERIFY(watcher.wasIn(Phase::Connecting) && watcher.links.back().phase == Phase::Live);
    remote.changeSetting(QStringLiteral("burst"), QStringLiteral("33"));
    remote.setPaused(true);
    QTRY_VERIFY(watcher.saw([](const live::Snapshot &snapshot) {
        return snapshot.settings.at("burst").value == "33" && snapshot.overrides.pauseAll;
    }));
    remote.changeSetting(QStringLiteral("upstream"), QStringLiteral("ws://127.0.0.1:9/"));
    QTRY_COMPARE(watcher.refusals.size(), 1);
    QVERIFY(watcher.refusals.front().contains(QStringLiteral("never over the feed")));
    // The proxy starts again elsewhere in time: the window comes back by itself.
    proxy.stop();
    QTRY_VERIFY(watcher.wasIn(Phase::Waiting));
}

void RemoteProxyTest::aWrongKeyIsSaidAndNotTriedAgain()
{
    ProxyFixture proxy(shortTurns());
    proxy.start();
    RemoteProxy remote(endpointOf(proxy, "another-key"), QStringLiteral("here"), quick);
    Watcher watcher(remote);
    remote.start();
    QTRY_VERIFY(watcher.wasIn(Phase::Refused, QStringLiteral("the control key was not accepted")));
    QCOMPARE(watcher.links.back().phase, Phase::Refused);
    QVERIFY(!watcher.links.back().trouble.contains(QStringLiteral("another-key")));
    const auto attempts
        = std::ranges::count(watcher.links, Phase::Connecting, &ui::LinkState::phase);
    QCOMPARE(attempts, 1);
}

void RemoteProxyTest::aLostConnectionIsMadeAgainAndNothingIsToldTwice()
{
    ScriptedFeed feed;
    RemoteProxy remote(feed.endpoint(), QStringLiteral("there"), quick);
    Watcher watcher(remote);
    remote.start();
    QTRY_COMPARE(feed.sockets.size(), std::size_t{1});
    QCOMPARE(feed.paths.front(), QStringLiteral("/headway/v1/feed"));
    QCOMPARE(feed.keys.front(), QByteArray("Bearer the-control-key"));
    live::Snapshot first = at(100);
    first.records = {recordAt(98), recordAt(100)};
    first.changes = {{base::WallTime{99s}, "burst", "1", "2", "window"}};
    feed.send(first);
    QTRY_COMPARE(watcher.snapshots.size(), std::size_t{1});
    feed.sockets.front()->abort();
    QTRY_COMPARE(feed.sockets.size(), std::size_t{2});
    QVERIFY(watcher.wasIn(Phase::Waiting));
    live::Snapshot second = at(103); // tells all that it knows
    second.records = {recordAt(98), recordAt(100), recordAt(101)};
    second.changes = first.changes;
    second.seconds.resize(2);
    feed.send(second);
    QTRY_COMPARE(watcher.snapshots.size(), std::size_t{2});
    QCOMPARE(watcher.snapshots.back()->records.size(), std::size_t{1});
    QCOMPARE(watcher.snapshots.back()->records.front().at, recordAt(101).at);
    QVERIFY(watcher.snapshots.back()->changes.empty());
    QCOMPARE(watcher.snapshots.back()->seconds.size(), std::size_t{2});
    QCOMPARE(watcher.links.back().phase, Phase::Live);
}

void RemoteProxyTest::anotherVersionIsRefused()
{
    ScriptedFeed feed;
    RemoteProxy remote(feed.endpoint(), QStringLiteral("there"), quick);
    Watcher watcher(remote);
    remote.start();
    QTRY_COMPARE(feed.sockets.size(), std::size_t{1});
    feed.sockets.front()->sendTextMessage(QStringLiteral(R"({"feed":2,"kind":"snapshot"})"));
    QTRY_VERIFY(watcher.wasIn(Phase::Waiting,
                              QStringLiteral("this Headway speaks feed 1, the other one 2")));
    QCOMPARE(watcher.links.back().retryInMs, qint64{50}); // the longest gap
    QVERIFY(watcher.snapshots.empty());
}

void RemoteProxyTest::whatIsNoFeedIsSaid()
{
    ScriptedFeed feed;
    RemoteProxy remote(feed.endpoint(), QStringLiteral("there"), quick);
    Watcher watcher(remote);
    remote.start();
    QTRY_COMPARE(feed.sockets.size(), std::size_t{1});
    feed.sockets.front()->sendTextMessage(
        QStringLiteral(R"({"feed":1,"kind":"snapshot","turns":[{"phase":"asleep"}]})"));
    QTRY_VERIFY(watcher.wasIn(Phase::Waiting, QStringLiteral("turns[0].phase")));
    QTRY_COMPARE(feed.sockets.size(), std::size_t{2}); // and tried again
}

void RemoteProxyTest::silenceEndsTheConnection()
{
    ScriptedFeed feed;
    RemoteTimes times = quick;
    times.silence = 60ms;
    RemoteProxy remote(feed.endpoint(), QStringLiteral("there"), times);
    Watcher watcher(remote);
    remote.start();
    QTRY_VERIFY(watcher.wasIn(Phase::Waiting, QStringLiteral("nothing came")));
    QTRY_VERIFY(feed.sockets.size() >= 2);
}

void RemoteProxyTest::nobodyListeningIsTriedAgain()
{
    net::Endpoint endpoint;
    {
        const ScriptedFeed gone;
        endpoint = gone.endpoint();
    }
    RemoteProxy remote(endpoint, QStringLiteral("there"), quick);
    Watcher watcher(remote);
    remote.start();
    QTRY_VERIFY(std::ranges::count(watcher.links, Phase::Waiting, &ui::LinkState::phase) >= 3);
    QVERIFY(watcher.wasIn(Phase::Waiting, QStringLiteral("nothing listens there")));
    std::vector<qint64> gaps;
    for (const ui::LinkState &link : watcher.links) {
        if (link.phase == Phase::Waiting)
            gaps.push_back(link.retryInMs);
    }
    gaps.resize(3);
    QCOMPARE(gaps, (std::vector<qint64>{5, 10, 20}));
}

void RemoteProxyTest::withoutAConnectionACommandIsRefused()
{
    RemoteProxy remote(ScriptedFeed().endpoint(), QStringLiteral("wss://there"), quick);
    Watcher watcher(remote);
    remote.setPaused(true);
    QCOMPARE(watcher.refusals,
             QStringList{
                 QStringLiteral("There is no connection to wss://there, so nothing was changed.")});
}

QTEST_GUILESS_MAIN(RemoteProxyTest)
#include "tst_remoteproxy.moc"
