// SPDX-License-Identifier: GPL-3.0-or-later
// GET /headway/v1/feed as a window elsewhere has it (spec/cli.md, spec/safety.md), with Qt's own
// WebSocket as the independent peer, and GET /metrics.
#include "proxy/core/live/feed.h"
#include "proxy/engine/feed.h"
#include "proxy/net/listener/limits.h"
#include "tests/support/proxyfixture.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QNetworkRequest>
#include <QSignalSpy>
#include <QTest>
#include <QWebSocket>

using namespace headway;
using namespace std::chrono_literals;
using tests::HttpCall;
using tests::messagesBody;
using tests::ProxyFixture;

class FeedServiceTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutTheControlKeyThereIsNoFeed_data();
    void withoutTheControlKeyThereIsNoFeed();
    void snapshotsComeWhileSomebodyReads();
    void theWindowAndTheFeedBothGetEverything();
    void aLateReaderIsToldTheSecondsAndChangesBefore();
    void commandsAreCarriedOutAsTheWindows();
    void aSettingChangedOverTheFeedSaysSo();
    void whatMayNeverChangeOverTheFeedIsRefused_data();
    void whatMayNeverChangeOverTheFeedIsRefused();
    void aBadCommandGetsAnErrorAndTheFeedGoesOn();
    void pingsAreAnswered();
    void aSlowReaderSkipsAndIsToldTheRestLater();
    void aReaderThatReadsNothingIsLetGo();
    void oneMessageServesAllReaders();
    void theMetricsAreThoseOfTheTotals();
    void theMetricsNeedTheControlKey();
};

namespace {

simulator::Scenario lasting(base::Milliseconds turn)
{
    simulator::Scenario scenario;
    scenario.connect = {0ms, 0ms};
    scenario.firstToken = {0ms, 0ms};
    scenario.turn = {turn, turn};
    return scenario;
}

// One window elsewhere.
class Reader final : public QObject
{
public:
    explicit Reader(const ProxyFixture &proxy, const QByteArray &key = "control-key-of-the-test")
    {
        QNetworkRequest request(
            QUrl(QStringLiteral("ws://127.0.0.1:%1/headway/v1/feed").arg(proxy.port())));
        if (!key.isEmpty())
            request.setRawHeader("Authorization", "Bearer " + key);
        connect(&socket, &QWebSocket::textMessageReceived, this, [this](const QString &text) {
            const auto message = live::readFeed(text.toStdString());
            if (!message) {
                trouble = QString::fromStdString(message.error().text);
            } else if (const auto *snapshot = std::get_if<live::Snapshot>(&*message)) {
                snapshots.push_back(*snapshot);
            } else if (const auto *answer = std::get_if<live::FeedAnswer>(&*message)) {
                answers.push_back(*answer);
            }
        });
        socket.open(request);
    }

    void send(const char *text) { socket.sendTextMessage(QString::fromUtf8(text)); }
    void send(const live::Command &command)
    {
        socket.sendTextMessage(QString::fromStdString(live::writeCommand(command)));
    }
    [[nodiscard]] const live::Snapshot &last() const { return snapshots.back(); }
    [[nodiscard]] std::size_t records() const
    {
        std::size_t count = 0;
        for (const live::Snapshot &each : snapshots)
            count += each.records.size();
        return count;
    }
    [[nodiscard]] bool hasChange(const std::string &key, const std::string &who) const
    {
        for (const live::Snapshot &each : snapshots) {
            for (const live::ChangeMark &change : each.changes) {
                if (change.key == key && change.who == who)
                    return true;
            }
        }
        return false;
    }

    QWebSocket socket;
    std::vector<live::Snapshot> snapshots;
    std::vector<live::FeedAnswer> answers;
    QString trouble;
};

// A client socket that takes as much as the test lets it.
class StuckSocket final : public net::ClientSocket
{
public:
    [[nodiscard]] const net::RequestHead &head() const override { return m_head; }
    void send(std::string_view text) override { sent.emplace_back(text); }
    void close(std::uint16_t, std::string_view) override { }
    void cut() override { wasCut = true; }
    [[nodiscard]] std::size_t buffered() const override { return held; }
    [[nodiscard]] bool isOpen() const override { return !wasCut; }

    std::vector<std::string> sent;
    std::size_t held = 0;
    bool wasCut = false;

private:
    net::RequestHead m_head;
};

live::SnapshotPointer told(std::int64_t second)
{
    auto snapshot = std::make_shared<live::Snapshot>();
    snapshot->seconds.push_back({});
    snapshot->seconds.back().second = second;
    return snapshot;
}

std::vector<std::int64_t> secondsOf(const std::string &message)
{
    std::vector<std::int64_t> seconds;
    const auto snapshot = std::get<live::Snapshot>(live::readFeed(message).value());
    for (const live::SecondStats &each : snapshot.seconds)
        seconds.push_back(each.second);
    return seconds;
}

QHash<QByteArray, double> metricsOf(const ProxyFixture &proxy)
{
    HttpCall call(proxy.port(), "GET", "/metrics",
                  {{"Authorization", "Bearer control-key-of-the-test"}}, {});
    QHash<QByteArray, double> samples;
    if (!QTest::qWaitFor([&call] { return call.isComplete(); }) || call.status() != 200
        || !call.header("content-type").startsWith("text/plain; version=0.0.4"))
        return samples;
    for (const QByteArray &line : call.body().split('\n')) {
        const qsizetype blank = line.lastIndexOf(' ');
        if (blank > 0 && !line.startsWith('#'))
            samples.insert(line.left(blank), line.mid(blank + 1).toDouble());
    }
    return samples;
}

} // namespace

void FeedServiceTest::withoutTheControlKeyThereIsNoFeed_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::newRow("none") << QByteArray();
    QTest::newRow("wrong") << QByteArray("control-key-of-the-tesT");
    QTest::newRow("the access key") << QByteArray("access-key-of-the-test");
}

void FeedServiceTest::withoutTheControlKeyThereIsNoFeed()
{
    QFETCH(QByteArray, key);
    ProxyFixture proxy(lasting(1ms));
    proxy.accessKey = "access-key-of-the-test";
    proxy.start();
    Reader reader(proxy, key);
    QSignalSpy failed(&reader.socket, &QWebSocket::disconnected);
    QTRY_VERIFY(!failed.isEmpty());
    QVERIFY(reader.snapshots.empty());
}

void FeedServiceTest::snapshotsComeWhileSomebodyReads()
{
    ProxyFixture proxy(lasting(60s));
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"go"}), "s");
    QTRY_COMPARE(proxy.engine().turnsInFlight(), std::size_t{1});
    Reader reader(proxy);
    QTRY_VERIFY(reader.snapshots.size() >= 5);
    QVERIFY2(reader.trouble.isEmpty(), qPrintable(reader.trouble));
    QCOMPARE(reader.last().turns.size(), std::size_t{1});
    QCOMPARE(reader.last().turns.front().turn, proxy.turn().turn);
    QCOMPARE(reader.last().upstream, std::string("simulated"));
    QCOMPARE(reader.last().settings.at("burst").value, std::string("10"));
    QVERIFY(!reader.last().settings.contains("control_key"));
}

void FeedServiceTest::theWindowAndTheFeedBothGetEverything()
{
    ProxyFixture proxy(lasting(1ms));
    proxy.start();
    std::size_t windowRecords = 0;
    connect(
        &proxy.engine(), &engine::Engine::snapshotReady, this,
        [&](const live::SnapshotPointer &snapshot) { windowRecords += snapshot->records.size(); });
    proxy.engine().setWatched(true);
    Reader reader(proxy);
    QTRY_VERIFY(!reader.snapshots.empty());
    const std::size_t before = windowRecords;
    const std::size_t beforeFeed = reader.records();
    std::vector<std::unique_ptr<HttpCall>> calls;
    for (int i = 0; i < 8; ++i)
        calls.push_back(proxy.post("/v1/messages", messagesBody({"go"}), QByteArray::number(i)));
    for (const auto &call : calls)
        QTRY_VERIFY(call->isComplete());
    QTRY_COMPARE(reader.last().totals.turnsCompleted, std::uint64_t{8});
    QTRY_VERIFY(reader.records() - beforeFeed >= 32); // started, decided, opened, ended …
    QTRY_COMPARE(reader.records() - beforeFeed, windowRecords - before);
    // One of them leaves: the other goes on.
    proxy.engine().setWatched(false);
    const std::size_t seen = reader.snapshots.size();
    QTRY_VERIFY(reader.snapshots.size() > seen + 1);
}

void FeedServiceTest::aLateReaderIsToldTheSecondsAndChangesBefore()
{
    ProxyFixture proxy(lasting(1ms));
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"go"}), "s");
    QTRY_VERIFY(call->isComplete());
    proxy.engine().changeSetting(QStringLiteral("burst"), QStringLiteral("7"));
    for (int i = 0; i < 2; ++i) { // the second one comes when nothing is new any more
        Reader reader(proxy);
        QTRY_VERIFY(!reader.snapshots.empty());
        std::uint32_t starts = 0;
        for (const live::SecondStats &second : reader.snapshots.front().seconds)
            starts += second.openedAtOnce;
        QCOMPARE(starts, std::uint32_t{1});
        QVERIFY(reader.hasChange("burst", "window"));
    }
}

void FeedServiceTest::commandsAreCarriedOutAsTheWindows()
{
    ProxyFixture proxy(lasting(60s));
    proxy.start();
    Reader reader(proxy);
    QTRY_VERIFY(!reader.snapshots.empty());
    reader.send(live::PauseAll{true});
    QTRY_VERIFY(reader.last().overrides.pauseAll);
    QVERIFY(reader.hasChange("pause_all", "feed"));
    const auto call = proxy.post("/v1/messages", messagesBody({"go"}), "s");
    QTRY_COMPARE(reader.last().turns.size(), std::size_t{1});
    QTRY_VERIFY(reader.last().turns.front().held);
    reader.send(live::CancelTurn{reader.last().turns.front().turn});
    QTRY_VERIFY(call->isComplete());
    QVERIFY(call->body().contains("cancelled in Headway's window"));
    reader.send(live::HoldSession{"0123456789ab", true});
    QTRY_COMPARE(reader.last().overrides.heldSessions, std::vector<std::string>{"0123456789ab"});
    reader.send(live::PassThrough{true});
    QTRY_VERIFY(reader.last().overrides.passThrough);
    reader.send(live::PauseAll{false});
    QTRY_VERIFY(!reader.last().overrides.pauseAll);
    QVERIFY(reader.answers.empty());
}

void FeedServiceTest::aSettingChangedOverTheFeedSaysSo()
{
    ProxyFixture proxy(lasting(1ms));
    proxy.start();
    Reader reader(proxy);
    QTRY_VERIFY(!reader.snapshots.empty());
    reader.send(live::ChangeSetting{"rate_per_min", "40"});
    QTRY_COMPARE(reader.last().settings.at("rate_per_min").value, std::string("40"));
    QTRY_VERIFY(reader.hasChange("rate_per_min", "feed"));
    QVERIFY(reader.answers.empty());
    reader.send(live::ChangeSetting{"rate_per_min", "-5"}); // clamped, and said
    QTRY_COMPARE(reader.answers.size(), std::size_t{1});
    QTRY_COMPARE(reader.last().settings.at("rate_per_min").value, std::string("1"));
    QCOMPARE(reader.answers.front().about, std::string("change_setting"));
}

void FeedServiceTest::whatMayNeverChangeOverTheFeedIsRefused_data()
{
    QTest::addColumn<QByteArray>("key");
    for (const char *key : {"upstream", "listen", "allowed_hosts", "models", "access_key",
                            "control_key", "upstream_key"})
        QTest::newRow(key) << QByteArray(key);
}

void FeedServiceTest::whatMayNeverChangeOverTheFeedIsRefused()
{
    QFETCH(QByteArray, key);
    ProxyFixture proxy(lasting(1ms));
    proxy.start();
    Reader reader(proxy);
    QTRY_VERIFY(!reader.snapshots.empty());
    reader.send(live::ChangeSetting{key.toStdString(), "ws://127.0.0.1:9/v1/responses"});
    QTRY_COMPARE(reader.answers.size(), std::size_t{1});
    QVERIFY(reader.answers.front().understood);
    QVERIFY(reader.answers.front().reason.find("never over the feed") != std::string::npos);
    const std::size_t seen = reader.snapshots.size();
    QTRY_VERIFY(reader.snapshots.size() > seen + 1);
    QVERIFY(!reader.hasChange(key.toStdString(), "feed"));
    if (reader.last().settings.contains(key.toStdString()))
        QVERIFY(reader.last().settings.at(key.toStdString()).source != "window");
}

void FeedServiceTest::aBadCommandGetsAnErrorAndTheFeedGoesOn()
{
    ProxyFixture proxy(lasting(1ms));
    proxy.start();
    Reader reader(proxy);
    QTRY_VERIFY(!reader.snapshots.empty());
    reader.send("faster!");
    reader.send(R"({"do":"pause"})");
    QTRY_COMPARE(reader.answers.size(), std::size_t{2});
    QVERIFY(!reader.answers[0].understood && !reader.answers[1].understood);
    QVERIFY(reader.answers[1].reason.find("\"on\"") != std::string::npos);
    const std::size_t seen = reader.snapshots.size();
    QTRY_VERIFY(reader.snapshots.size() > seen + 1);
}

void FeedServiceTest::pingsAreAnswered()
{
    ProxyFixture proxy(lasting(1ms));
    proxy.start();
    Reader reader(proxy);
    QTRY_VERIFY(!reader.snapshots.empty());
    QSignalSpy pongs(&reader.socket, &QWebSocket::pong);
    reader.socket.ping("hello");
    QTRY_COMPARE(pongs.count(), 1);
}

void FeedServiceTest::aSlowReaderSkipsAndIsToldTheRestLater()
{
    StuckSocket socket;
    engine::Feed feed([](const live::Command &) { return std::nullopt; });
    feed.add(&socket);
    const base::SteadyTime start{};
    feed.take(told(1));
    feed.send(start);
    socket.held = net::limits::highWater + 1;
    for (int second = 2; second <= 4; ++second) {
        feed.take(told(second));
        feed.send(start + 1s * second);
    }
    QCOMPARE(socket.sent.size(), std::size_t{1});
    socket.held = net::limits::highWater;
    feed.take(told(5));
    feed.send(start + 5s);
    QCOMPARE(socket.sent.size(), std::size_t{2});
    QCOMPARE(secondsOf(socket.sent.back()), (std::vector<std::int64_t>{2, 3, 4, 5}));
    feed.send(start + 6s); // nothing new: nothing is sent
    QCOMPARE(socket.sent.size(), std::size_t{2});
}

void FeedServiceTest::aReaderThatReadsNothingIsLetGo()
{
    StuckSocket socket;
    engine::Feed feed([](const live::Command &) { return std::nullopt; });
    QSignalSpy changes(&feed, &engine::Feed::readersChanged);
    feed.add(&socket);
    QCOMPARE(changes.count(), 1);
    socket.held = net::limits::highWater + 1;
    const base::SteadyTime start{};
    feed.take(told(1));
    feed.send(start);
    feed.send(start + 60s - 1ns);
    QVERIFY(!socket.wasCut && feed.hasReaders());
    feed.send(start + 60s); // spec/safety.md: a stalled client is dropped after 60 s
    QVERIFY(socket.wasCut && !feed.hasReaders());
    QCOMPARE(changes.count(), 2);
}

void FeedServiceTest::oneMessageServesAllReaders()
{
    StuckSocket first;
    StuckSocket second;
    engine::Feed feed([](const live::Command &) { return std::nullopt; });
    feed.take(told(1)); // before anybody read
    feed.add(&first);
    feed.add(&second);
    feed.send({});
    feed.take(told(2));
    feed.send({});
    QCOMPARE(first.sent.size(), std::size_t{2});
    QVERIFY(first.sent == second.sent);
    QCOMPARE(secondsOf(first.sent.front()), std::vector<std::int64_t>{1});
    QCOMPARE(secondsOf(first.sent.back()), std::vector<std::int64_t>{2});
    Q_EMIT first.clientGone();
    QVERIFY(feed.hasReaders());
    Q_EMIT second.clientGone();
    QVERIFY(!feed.hasReaders());
}

void FeedServiceTest::theMetricsAreThoseOfTheTotals()
{
    ProxyFixture proxy(lasting(1ms));
    proxy.start();
    std::vector<std::unique_ptr<HttpCall>> calls;
    for (int i = 0; i < 3; ++i) {
        calls.push_back(proxy.post("/v1/messages", messagesBody({"go"}), QByteArray::number(i)));
        QTRY_VERIFY(calls.back()->isComplete());
    }
    const auto metrics = metricsOf(proxy);
    QCOMPARE(metrics.value("headway_turns_total{end=\"completed\"}"), 3.0);
    QCOMPARE(metrics.value("headway_turns_started_total"), 3.0);
    QCOMPARE(metrics.value("headway_connections_opened_total"),
             double(proxy.provider().statistics().upgradesAccepted));
    QCOMPARE(metrics.value("headway_turns_in_flight", -1), 0.0);
    QCOMPARE(metrics.value("headway_heads"), 3.0);
    QCOMPARE(metrics.value("headway_admission_wait_seconds_count"), 3.0);
    QCOMPARE(metrics.value("headway_ledger_ok"), 1.0);
    QVERIFY(metrics.value("headway_ledger_records_total") >= 12);
    QVERIFY(metrics.value("headway_input_tokens_total") > 0);
}

void FeedServiceTest::theMetricsNeedTheControlKey()
{
    ProxyFixture proxy(lasting(1ms));
    proxy.start();
    HttpCall call(proxy.port(), "GET", "/metrics", {}, {});
    QTRY_VERIFY(call.isComplete());
    QCOMPARE(call.status(), 401);
    QVERIFY(!call.body().contains("headway_turns"));
}

QTEST_GUILESS_MAIN(FeedServiceTest)
#include "tst_feedservice.moc"
