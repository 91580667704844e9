// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/simulator/providerclient.h"

#include <QTest>

using namespace headway::simulator;

namespace {

QJsonObject onLane(const QByteArray &lane, const QByteArray &members = {})
{
    return create("\"stream_id\":\"" + lane + "\"," + members + "\"input\":\"hello\"");
}

QByteArray after(const QJsonObject &end)
{
    return "\"previous_response_id\":\"" + at(end, {"response", "id"}).toUtf8() + "\",";
}

struct Peer
{
    explicit Peer(std::chrono::milliseconds turn = std::chrono::milliseconds{0})
        : provider([turn] {
            Scenario scenario = quickScenario("\"lanes\":true");
            scenario.turn = scenario.firstToken = {turn, turn};
            return scenario;
        }())
    {
        if (!provider.listen(QHostAddress::LocalHost, 0))
            qFatal("cannot listen");
        client.emplace(provider.webSocketUrl());
        if (!client->open())
            qFatal("cannot connect");
    }

    Provider provider;
    std::optional<ProviderClient> client;
};

} // namespace

class ProviderLanesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyEventNamesItsLane();
    void lanesRunSideBySide();
    void sixteenInFlightTheRestWait();
    void thirtyTwoNamedLanes();
    void badLaneNames_data();
    void badLaneNames();
    void eachLaneKeepsItsOwnLatest();
    void aForkLeavesItsParentAlone();
    void aFailedForkDoesNotEvictTheParent();
};

void ProviderLanesTest::everyEventNamesItsLane()
{
    Peer peer;
    QCOMPARE(at(peer.client->ask(onLane("a.b_c-1")), {"type"}),
             QStringLiteral("response.completed"));
    for (const QJsonObject &event : peer.client->events())
        QCOMPARE(at(event, {"stream_id"}), QStringLiteral("a.b_c-1"));
}

void ProviderLanesTest::lanesRunSideBySide()
{
    Peer peer(std::chrono::milliseconds{200});
    peer.client->send(onLane("a"));
    peer.client->send(onLane("b"));
    peer.client->send(create("\"input\":\"hello\"")); // the default lane
    for (int i = 0; i < 3; ++i)
        QCOMPARE(at(peer.client->end(), {"type"}), QStringLiteral("response.completed"));
    QCOMPARE(peer.provider.statistics().largestInFlight, 3U);
    QCOMPARE(peer.provider.statistics().largestOverlap, 1U);
}

void ProviderLanesTest::sixteenInFlightTheRestWait()
{
    Peer peer(std::chrono::milliseconds{200});
    for (int i = 0; i < 20; ++i)
        peer.client->send(onLane("lane" + QByteArray::number(i)));
    for (int i = 0; i < 20; ++i)
        QCOMPARE(at(peer.client->end(), {"type"}), QStringLiteral("response.completed"));
    QCOMPARE(peer.provider.statistics().largestInFlight, 16U);
}

void ProviderLanesTest::thirtyTwoNamedLanes()
{
    Peer peer;
    (void)peer.client->ask(create("\"input\":\"hello\"")); // not counted
    for (int i = 0; i < 32; ++i)
        QCOMPARE(at(peer.client->ask(onLane("lane" + QByteArray::number(i))), {"type"}),
                 QStringLiteral("response.completed"));
    const QJsonObject end = peer.client->ask(onLane("one-more"));
    QCOMPARE(at(end, {"error", "code"}), QStringLiteral("websocket_stream_limit_reached"));
    QCOMPARE(at(end, {"stream_id"}), QStringLiteral("one-more"));
    QCOMPARE(at(end, {"error", "param"}), QStringLiteral("stream_id"));
    QCOMPARE(at(peer.client->ask(onLane("lane7")), {"type"}), QStringLiteral("response.completed"));
}

void ProviderLanesTest::badLaneNames_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("blank") << QByteArray("a b");
    QTest::newRow("257 characters") << QByteArray(257, 'a');
}

void ProviderLanesTest::badLaneNames()
{
    QFETCH(const QByteArray, name);
    Peer peer;
    const QJsonObject end = peer.client->ask(onLane(name));
    QCOMPARE(at(end, {"error", "code"}), QStringLiteral("invalid_stream_id"));
    QCOMPARE(at(end, {"status"}), QStringLiteral("400"));
}

void ProviderLanesTest::eachLaneKeepsItsOwnLatest()
{
    Peer peer;
    const QJsonObject a = peer.client->ask(onLane("a"));
    const QJsonObject b = peer.client->ask(onLane("b"));
    QCOMPARE(at(peer.client->ask(onLane("a", after(a))), {"type"}),
             QStringLiteral("response.completed"));
    QCOMPARE(at(peer.client->ask(onLane("b", after(b))), {"type"}),
             QStringLiteral("response.completed"));
    // Lane a has advanced past its first response.
    QCOMPARE(at(peer.client->ask(onLane("c", after(a))), {"error", "code"}),
             QStringLiteral("previous_response_not_found"));
}

void ProviderLanesTest::aForkLeavesItsParentAlone()
{
    Peer peer;
    const QJsonObject a = peer.client->ask(onLane("a"));
    const QJsonObject fork = peer.client->ask(onLane("b", after(a)));
    QCOMPARE(at(fork, {"type"}), QStringLiteral("response.completed"));
    QVERIFY(at(fork, {"response", "usage", "input_tokens_details", "cached_tokens"}).toInt() > 0);
    QCOMPARE(at(peer.client->ask(onLane("a", after(a))), {"type"}),
             QStringLiteral("response.completed"));
}

void ProviderLanesTest::aFailedForkDoesNotEvictTheParent()
{
    Peer peer;
    const QJsonObject a = peer.client->ask(onLane("a"));
    QCOMPARE(at(peer.client->ask(onLane("b", "\"nonsense\":1," + after(a))), {"error", "code"}),
             QStringLiteral("unknown_parameter"));
    QCOMPARE(at(peer.client->ask(onLane("a", after(a))), {"type"}),
             QStringLiteral("response.completed"));
}

QTEST_GUILESS_MAIN(ProviderLanesTest)
#include "tst_providerlanes.moc"
