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
    void oneLaneIsFirstInFirstOut();
    void whatWaitsGoesInTheOrderItCame();
    void thirtyTwoNamedLanes();
    void badLaneNames_data();
    void badLaneNames();
    void eachLaneKeepsItsOwnLatest();
    void aForkLeavesItsParentAlone();
    void aFailedForkDoesNotEvictTheParent();
    void aForkFindsTheParentWhileItsLaneRunsOn();
    void aForkThatWaitedTooLongFindsNoParent();
    void aFailedContinuationEvictsTheParentOfItsLaneOnly();
    void theErrorOfAQueuedCreateNamesItsLane();
    void withoutLanesAStreamIdIsAnUnknownParameter();
    void theLifetimeLimitConcernsAllLanes();
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

void ProviderLanesTest::oneLaneIsFirstInFirstOut()
{
    Peer peer(std::chrono::milliseconds{50});
    for (int i = 0; i < 3; ++i)
        peer.client->send(onLane("a"));
    for (int i = 0; i < 3; ++i)
        QCOMPARE(at(peer.client->end(), {"type"}), QStringLiteral("response.completed"));
    // No event of the second before the last of the first.
    QString running;
    for (const QJsonObject &event : peer.client->events()) {
        const QString type = at(event, {"type"});
        if (type == QLatin1String("response.created")) {
            QVERIFY(running.isEmpty());
            running = at(event, {"response", "id"});
        } else if (type == QLatin1String("response.completed")) {
            QCOMPARE(at(event, {"response", "id"}), running);
            running.clear();
        }
    }
    QCOMPARE(peer.provider.statistics().largestInFlight, 1U);
}

void ProviderLanesTest::whatWaitsGoesInTheOrderItCame()
{
    Peer peer(std::chrono::milliseconds{50});
    QStringList order;
    for (int i = 0; i < 20; ++i) {
        const QByteArray lane = "lane" + QByteArray::number(i);
        order.append(QString::fromLatin1(lane));
        peer.client->send(onLane(lane));
    }
    for (int i = 0; i < 20; ++i)
        (void)peer.client->end();
    QStringList begun;
    for (const QJsonObject &event : peer.client->events()) {
        if (at(event, {"type"}) == QLatin1String("response.created"))
            begun.append(at(event, {"stream_id"}));
    }
    QCOMPARE(begun, order);
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

void ProviderLanesTest::aForkFindsTheParentWhileItsLaneRunsOn()
{
    Peer peer(std::chrono::milliseconds{50});
    const QJsonObject a = peer.client->ask(onLane("a"));
    peer.client->send(onLane("a", after(a)));
    peer.client->send(onLane("b", after(a)));
    for (int i = 0; i < 2; ++i)
        QCOMPARE(at(peer.client->end(), {"type"}), QStringLiteral("response.completed"));
    QCOMPARE(peer.provider.statistics().continuations, 2U);
}

void ProviderLanesTest::aForkThatWaitedTooLongFindsNoParent()
{
    Peer peer(std::chrono::milliseconds{100});
    const QJsonObject a = peer.client->ask(onLane("a"));
    peer.client->send(onLane("a", after(a)));
    peer.client->send(onLane("b"));
    peer.client->send(onLane("b"));
    peer.client->send(onLane("b", after(a))); // its turn comes long after lane a has advanced
    for (int i = 0; i < 3; ++i)
        QCOMPARE(at(peer.client->end(), {"type"}), QStringLiteral("response.completed"));
    const QJsonObject late = peer.client->end();
    QCOMPARE(at(late, {"error", "code"}), QStringLiteral("previous_response_not_found"));
    QCOMPARE(at(late, {"status"}), QStringLiteral("400"));
    QCOMPARE(at(late, {"stream_id"}), QStringLiteral("b"));
}

void ProviderLanesTest::aFailedContinuationEvictsTheParentOfItsLaneOnly()
{
    Peer peer;
    const QJsonObject a = peer.client->ask(onLane("a"));
    const QJsonObject b = peer.client->ask(onLane("b"));
    QCOMPARE(at(peer.client->ask(onLane("a", "\"nonsense\":1," + after(a))), {"error", "code"}),
             QStringLiteral("unknown_parameter"));
    QCOMPARE(at(peer.client->ask(onLane("a", after(a))), {"error", "code"}),
             QStringLiteral("previous_response_not_found"));
    QCOMPARE(at(peer.client->ask(onLane("b", after(b))), {"type"}),
             QStringLiteral("response.completed"));
}

void ProviderLanesTest::theErrorOfAQueuedCreateNamesItsLane()
{
    Peer peer(std::chrono::milliseconds{50});
    peer.client->send(onLane("a"));
    peer.client->send(onLane("a", "\"previous_response_id\":\"resp_nobody\","));
    QCOMPARE(at(peer.client->end(), {"type"}), QStringLiteral("response.completed"));
    const QJsonObject end = peer.client->end();
    QCOMPARE(at(end, {"error", "code"}), QStringLiteral("previous_response_not_found"));
    QCOMPARE(at(end, {"error", "param"}), QStringLiteral("previous_response_id"));
    QCOMPARE(at(end, {"stream_id"}), QStringLiteral("a"));
}

void ProviderLanesTest::withoutLanesAStreamIdIsAnUnknownParameter()
{
    Provider provider(quickScenario());
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    ProviderClient client(provider.webSocketUrl());
    QVERIFY(client.open());
    const QJsonObject end = client.ask(onLane("a"));
    QCOMPARE(at(end, {"error", "code"}), QStringLiteral("unknown_parameter"));
    QCOMPARE(at(end, {"error", "type"}), QStringLiteral("invalid_request_error"));
    QCOMPARE(at(end, {"error", "param"}), QStringLiteral("stream_id"));
    QCOMPARE(at(client.ask(create("\"input\":\"hello\"")), {"type"}),
             QStringLiteral("response.completed"));
}

void ProviderLanesTest::theLifetimeLimitConcernsAllLanes()
{
    Scenario scenario = quickScenario(R"("lanes":true,"connection_max_age_s":0.2)");
    scenario.turn = scenario.firstToken
        = {std::chrono::milliseconds{500}, std::chrono::milliseconds{500}};
    Provider provider(scenario);
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    ProviderClient client(provider.webSocketUrl());
    QVERIFY(client.open());
    client.send(onLane("a"));
    client.send(onLane("b"));
    for (int i = 0; i < 2; ++i) // what runs may end
        QCOMPARE(at(client.end(), {"type"}), QStringLiteral("response.completed"));
    const QJsonObject end = client.end();
    QCOMPARE(at(end, {"error", "code"}), QStringLiteral("websocket_connection_limit_reached"));
    QVERIFY(!end.contains(QLatin1String("stream_id")));
    QTRY_COMPARE(provider.statistics().openSockets, 0U);
}

QTEST_GUILESS_MAIN(ProviderLanesTest)
#include "tst_providerlanes.moc"
