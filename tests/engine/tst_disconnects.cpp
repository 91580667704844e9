// SPDX-License-Identifier: GPL-3.0-or-later
// spec/safety.md: a turn ends exactly once; a client that leaves takes its upstream socket along
// within a second (cases B49 to B51); a provider that leaves is told honestly.
#include "tests/store/sqliterows.h"
#include "tests/support/proxyfixture.h"

#include <QElapsedTimer>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

#include <memory>
#include <vector>

using namespace headway;
using namespace std::chrono_literals;
using tests::HttpCall;
using tests::messagesBody;
using tests::ProxyFixture;

class DisconnectsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aClientThatLeavesMidStreamClosesItsUpstreamSocketWithinASecond();
    void b50ClientsThatLeaveLateLeaveNothingBehind();
    void aClientThatLeavesBeforeTheFirstTokenIsNoticedToo();
    void aProviderThatDiesMidStreamGivesTheClientAnErrorAndNoCleanEnd();
    void aProviderThatDiesBeforeOutputIsReplacedOnce();
    void aProviderThatAlwaysLeavesBeforeOutputIsAnErrorWithItsStatus_data();
    void aProviderThatAlwaysLeavesBeforeOutputIsAnErrorWithItsStatus();
    void aProviderThatIsNotThereGivesAStatusInTheClientsDialect();
    void aResetOfTheUpgradeIsTriedOnceMoreAtOnce();
    void resetsOfTheUpgradeGoOnWithTheLadder();
};

namespace {

simulator::Scenario slow()
{
    simulator::Scenario scenario;
    scenario.connect = {0ms, 0ms};
    scenario.firstToken = {1ms, 1ms};
    scenario.turn = {60s, 60s};
    return scenario;
}

// On the way to the provider: resets so many connections when the first bytes have come, and lets
// the others through.
class Resetting final : public QTcpServer
{
public:
    Resetting(quint16 provider, int resets)
        : m_provider(provider)
        , m_left(resets)
    {
        if (!listen(QHostAddress::LocalHost))
            qFatal("cannot listen");
        connect(this, &QTcpServer::newConnection, this, [this] { take(nextPendingConnection()); });
    }

    [[nodiscard]] net::Endpoint endpoint() const
    {
        return net::parseEndpoint("ws://127.0.0.1:" + std::to_string(serverPort())
                                  + "/v1/responses")
            .value();
    }
    int connections = 0;

private:
    void take(QTcpSocket *client)
    {
        ++connections;
        client->setParent(this);
        if (m_left > 0) {
            --m_left;
            connect(client, &QTcpSocket::readyRead, client, [client] { client->abort(); });
            return;
        }
        auto *const provider = new QTcpSocket(client);
        provider->connectToHost(QHostAddress::LocalHost, m_provider);
        connect(client, &QTcpSocket::readyRead, provider,
                [=] { provider->write(client->readAll()); });
        connect(provider, &QTcpSocket::readyRead, client,
                [=] { client->write(provider->readAll()); });
        connect(client, &QTcpSocket::disconnected, provider, &QTcpSocket::disconnectFromHost);
        connect(provider, &QTcpSocket::disconnected, client, &QTcpSocket::disconnectFromHost);
    }

    quint16 m_provider;
    int m_left;
};

simulator::Scenario quickly()
{
    simulator::Scenario scenario = slow();
    scenario.turn = {5ms, 5ms};
    return scenario;
}

simulator::Fault once(simulator::Fault::Kind kind, int afterEvents)
{
    simulator::Fault fault;
    fault.kind = kind;
    fault.count = 1;
    fault.afterEvents = afterEvents;
    return fault;
}

} // namespace

// B49
void DisconnectsTest::aClientThatLeavesMidStreamClosesItsUpstreamSocketWithinASecond()
{
    ProxyFixture proxy(slow());
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s1");
    QTRY_VERIFY(call->body().contains("text_delta"));
    QCOMPARE(proxy.provider().statistics().openSockets, std::uint64_t{1});
    QElapsedTimer timer;
    timer.start();
    call->abort();
    QTRY_COMPARE_WITH_TIMEOUT(proxy.provider().statistics().openSockets, std::uint64_t{0}, 1000);
    QVERIFY(timer.elapsed() < 1000);
    QTRY_COMPARE(proxy.engine().turnsInFlight(), std::size_t{0});
}

// Whenever it was that they left; the upstream connections that were there before stay.
void DisconnectsTest::b50ClientsThatLeaveLateLeaveNothingBehind()
{
    simulator::Scenario scenario = slow();
    ProxyFixture proxy(scenario);
    proxy.start();
    const auto stays = proxy.post("/v1/messages", messagesBody({"hello"}), "stays");
    QTRY_VERIFY(stays->body().contains("text_delta"));
    std::vector<std::unique_ptr<HttpCall>> leave;
    for (int i = 0; i < 3; ++i) {
        leave.push_back(
            proxy.post("/v1/messages", messagesBody({"hello"}), "s" + QByteArray::number(i)));
        QTRY_VERIFY_WITH_TIMEOUT(leave.back()->body().contains("text_delta"), 20'000);
    }
    QCOMPARE(proxy.provider().statistics().openSockets, std::uint64_t{4});
    QVERIFY(proxy.passTimeAlive(20s));
    for (const auto &call : leave)
        call->abort();
    QTRY_COMPARE_WITH_TIMEOUT(proxy.provider().statistics().openSockets, std::uint64_t{1}, 1000);
    QTRY_COMPARE(proxy.engine().turnsInFlight(), std::size_t{1});
    QVERIFY(!stays->isClosed());
}

// B51: 5 s after it asked, and nothing has come yet.
void DisconnectsTest::aClientThatLeavesBeforeTheFirstTokenIsNoticedToo()
{
    simulator::Scenario scenario = slow();
    scenario.firstToken = {60s, 60s};
    ProxyFixture proxy(scenario);
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s1");
    QTRY_COMPARE(proxy.provider().statistics().responsesInFlight, std::uint64_t{1});
    proxy.passTime(5s);
    call->abort();
    QTRY_COMPARE_WITH_TIMEOUT(proxy.provider().statistics().openSockets, std::uint64_t{0}, 1000);
}

void DisconnectsTest::aProviderThatDiesMidStreamGivesTheClientAnErrorAndNoCleanEnd()
{
    simulator::Scenario scenario = slow();
    scenario.turn = {10s, 10s};
    ProxyFixture proxy(scenario);
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s1");
    // Bytes before a RST may be lost with it, and a turn without output is recovered.
    QTRY_VERIFY_WITH_TIMEOUT(call->body().contains("text_delta"), 15'000);
    proxy.provider().strike(once(simulator::Fault::Kind::Reset, 0));
    QTRY_VERIFY(call->isClosed());
    QCOMPARE(call->status(), 200);
    QVERIFY(call->body().contains("text_delta"));
    QCOMPARE(call->events().last(), QByteArray("error"));
    QVERIFY(!call->isComplete()); // the chunked body has no end
    QVERIFY(!call->events().contains("message_stop"));
}

void DisconnectsTest::aProviderThatDiesBeforeOutputIsReplacedOnce()
{
    simulator::Scenario scenario = slow();
    scenario.turn = {1ms, 1ms};
    scenario.faults = {once(simulator::Fault::Kind::Reset, 1)};
    ProxyFixture proxy(scenario);
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s1");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->events().last(), QByteArray("message_stop"));
    QCOMPARE(call->events().count("message_start"), 1);
    QCOMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{2});
}

// B34: not an empty reply that looks well.
void DisconnectsTest::aProviderThatAlwaysLeavesBeforeOutputIsAnErrorWithItsStatus_data()
{
    QTest::addColumn<bool>("stream");
    QTest::addColumn<int>("after");
    QTest::newRow("streamed, at once") << true << 0;
    QTest::newRow("streamed, after created") << true << 1;
    QTest::newRow("not streamed") << false << 0;
}

void DisconnectsTest::aProviderThatAlwaysLeavesBeforeOutputIsAnErrorWithItsStatus()
{
    QFETCH(const bool, stream);
    QFETCH(const int, after);
    simulator::Scenario scenario = slow();
    scenario.faults = {once(simulator::Fault::Kind::Eof, after)};
    scenario.faults.front().count = 100;
    ProxyFixture proxy(scenario);
    QVERIFY(proxy.settings.set(settings::Source::File, settings::Key::Retries, "0").accepted);
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}, stream), "s1");
    QTRY_VERIFY(call->isComplete());
    QVERIFY2(call->status() >= 500 && call->status() < 600, call->body().constData());
    QVERIFY(call->body().contains("api_error"));
    QCOMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{2}); // one new socket
}

void DisconnectsTest::aProviderThatIsNotThereGivesAStatusInTheClientsDialect()
{
    simulator::Scenario scenario = slow();
    simulator::Fault refuse;
    refuse.kind = simulator::Fault::Kind::RejectUpgrades;
    refuse.status = 401;
    refuse.at = 0ms;
    refuse.length = 3600s;
    simulator::Fault refusePost; // or the turn would go over HTTPS
    refusePost.kind = simulator::Fault::Kind::ErrorEvent;
    refusePost.status = 401;
    refusePost.code = "invalid_api_key";
    refusePost.count = 100;
    scenario.faults = {refuse, refusePost};
    ProxyFixture proxy(scenario);
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s1");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 401);
    QVERIFY(call->body().contains("authentication_error"));
}

void DisconnectsTest::aResetOfTheUpgradeIsTriedOnceMoreAtOnce()
{
    ProxyFixture proxy(quickly());
    Resetting way(proxy.providerPort(), 1);
    proxy.endpoint = way.endpoint();
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s1");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 200);
    QCOMPARE(way.connections, 2);
    proxy.stop();
    const auto retries = [&proxy](const char *condition) {
        return testsupport::number(proxy.ledgerPath(),
                                   QStringLiteral("SELECT count(*) FROM retry WHERE ")
                                       + QLatin1String(condition));
    };
    QCOMPARE(retries("action = 'new_socket_full'"), 1);
    QCOMPARE(retries("action = 'backoff'"), 0);
}

void DisconnectsTest::resetsOfTheUpgradeGoOnWithTheLadder()
{
    ProxyFixture proxy(quickly());
    Resetting way(proxy.providerPort(), 3);
    proxy.endpoint = way.endpoint();
    proxy.start();
    const auto call = proxy.post("/v1/messages", messagesBody({"hello"}), "s1");
    QTRY_COMPARE(way.connections, 2);
    QTRY_COMPARE(proxy.turn().phase, live::Phase::Backoff);
    proxy.passTime(2s); // the first rung, at its longest
    QTRY_COMPARE(way.connections, 3);
    QTRY_COMPARE(proxy.turn().phase, live::Phase::Backoff);
    proxy.passTime(4s);
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 200);
    QCOMPARE(way.connections, 4);
}

QTEST_GUILESS_MAIN(DisconnectsTest)
#include "tst_disconnects.moc"
