// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/simulator/providerclient.h"
#include "tests/simulator/rawclient.h"

#include <QTest>

#include <cerrno>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace headway::simulator;

namespace {

constexpr auto hello = "\"input\":\"hello\"";

struct Peer
{
    explicit Peer(const QByteArray &members)
        : provider(quickScenario(members))
    {
        if (!provider.listen(QHostAddress::LocalHost, 0))
            qFatal("cannot listen");
        client.emplace(provider.webSocketUrl());
        disconnected.emplace(&client->socket(), &QWebSocket::disconnected);
        if (!client->open())
            qFatal("cannot connect");
    }

    Provider provider;
    std::optional<ProviderClient> client;
    std::optional<QSignalSpy> disconnected;
};

} // namespace

class ProviderFaultsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void errorEventForTheNextTurnsOnly();
    void errorEventCarriesRetryAfter();
    void errorEventAfterSomeEvents();
    void failedContinuationByAFaultEvictsTheParent();
    void closesWithTheCode();
    void endsWithoutACloseFrame_data();
    void endsWithoutACloseFrame();
    void cutsEverySocketAtOneInstant();
    void staysSilent();
    void staysSilentAndDead();
    void aDeadConnectionAnswersNothing();
    void anErrorEventSaysWhatTheScenarioSays();
    void aFaultMayBeAddedLater();
    void aMessageThatIsTooBigClosesTheSocket();
    void completesEmpty();
    void expiresByAge();
    void runningTurnsOutliveTheAge();
    void cancelledWhenThePeerGoes();
    void tokensPerMinute();
};

void ProviderFaultsTest::errorEventForTheNextTurnsOnly()
{
    Peer peer(R"("faults":[{"kind":"error_event","code":"server_error","status":500,"n":2}])");
    for (int i = 0; i < 2; ++i) {
        const QJsonObject end = peer.client->ask(create(hello));
        QCOMPARE(at(end, {"type"}), QStringLiteral("error"));
        QCOMPARE(at(end, {"status"}), QStringLiteral("500"));
        QCOMPARE(at(end, {"error", "code"}), QStringLiteral("server_error"));
        QVERIFY(!end.contains(QLatin1String("headers")));
    }
    QCOMPARE(at(peer.client->ask(create(hello)), {"type"}), QStringLiteral("response.completed"));
    QCOMPARE(peer.provider.statistics().errors.at("server_error"), 2U);
    QCOMPARE(peer.provider.statistics().turns, 1U);
}

void ProviderFaultsTest::errorEventCarriesRetryAfter()
{
    Peer peer(
        R"("faults":[{"kind":"error_event","code":"rate_limit_exceeded","status":429,"retry_after_s":4}])");
    const QJsonObject end = peer.client->ask(create(hello));
    QCOMPARE(at(end, {"headers", "retry-after"}), QStringLiteral("4"));
}

void ProviderFaultsTest::errorEventAfterSomeEvents()
{
    Peer peer(R"("faults":[{"kind":"error_event","n":1,"after_events":3}])");
    QCOMPARE(at(peer.client->ask(create(hello)), {"type"}), QStringLiteral("error"));
    QCOMPARE(peer.client->events().size(), 4);
    QCOMPARE(at(peer.client->events().at(2), {"type"}),
             QStringLiteral("response.output_item.added"));
    QCOMPARE(at(peer.client->ask(create(hello)), {"type"}), QStringLiteral("response.completed"));
}

void ProviderFaultsTest::failedContinuationByAFaultEvictsTheParent()
{
    Peer peer(R"("faults":[{"kind":"error_event","n":1,"at_s":0.5}])");
    QByteArray after;
    QJsonObject end = peer.client->ask(create(hello));
    while (at(end, {"type"}) == QLatin1String("response.completed")) {
        after = "\"previous_response_id\":\"" + at(end, {"response", "id"}).toUtf8() + "\",";
        end = peer.client->ask(create(after + hello));
    }
    QVERIFY(!after.isEmpty());
    QCOMPARE(at(end, {"error", "code"}), QStringLiteral("server_error"));
    QCOMPARE(at(peer.client->ask(create(after + hello)), {"error", "code"}),
             QStringLiteral("previous_response_not_found"));
}

void ProviderFaultsTest::closesWithTheCode()
{
    Peer peer(R"("faults":[{"kind":"close","code":4402,"n":1,"after_events":2}])");
    peer.client->send(create(hello));
    QTRY_COMPARE(peer.disconnected->size(), 1);
    QCOMPARE(static_cast<int>(peer.client->socket().closeCode()), 4402);
    QCOMPARE(peer.client->events().size(), 2);
    QTRY_COMPARE(peer.provider.statistics().openSockets, 0U);
    QCOMPARE(peer.provider.statistics().responsesInFlight, 0U);
    QCOMPARE(peer.provider.statistics().cancelled, 0U); // our doing, not the peer's
}

void ProviderFaultsTest::endsWithoutACloseFrame_data()
{
    QTest::addColumn<QByteArray>("kind");
    QTest::addColumn<int>("expected");
    QTest::newRow("reset") << QByteArray("reset") << ECONNRESET;
    QTest::newRow("eof") << QByteArray("eof") << 0;
}

void ProviderFaultsTest::endsWithoutACloseFrame()
{
    QFETCH(const QByteArray, kind);
    QFETCH(const int, expected);
    Provider provider(quickScenario(R"("faults":[{"kind":")" + kind + R"(","n":1}])"));
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    // Qt's sockets do not tell RST from FIN: a plain one does.
    const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
    ::sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(provider.webSocketUrl().port()));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    QCOMPARE(::connect(descriptor, reinterpret_cast<const ::sockaddr *>(&address), sizeof(address)),
             0);
    const QByteArray upgrade = RawClient::upgrade("/v1/responses");
    QCOMPARE(::send(descriptor, upgrade.constData(), static_cast<std::size_t>(upgrade.size()), 0),
             upgrade.size());
    char answer[512];
    QTRY_VERIFY(::recv(descriptor, answer, sizeof(answer), MSG_DONTWAIT | MSG_PEEK) > 0);
    QVERIFY(::recv(descriptor, answer, sizeof(answer), MSG_DONTWAIT) > 0); // the 101
    const QByteArray request = QJsonDocument(create(hello)).toJson(QJsonDocument::Compact);
    QVERIFY(request.size() < 126);
    const char masked[] = {'\x81', static_cast<char>(0x80 | request.size()), 0, 0, 0, 0};
    const QByteArray frame = QByteArray(masked, sizeof(masked)) + request;
    QCOMPARE(::send(descriptor, frame.constData(), static_cast<std::size_t>(frame.size()), 0),
             frame.size());
    QTRY_COMPARE(provider.statistics().openSockets, 0U);
    errno = 0;
    const auto got = ::recv(descriptor, answer, 1, MSG_DONTWAIT);
    QCOMPARE(got < 0 ? errno : static_cast<int>(got), expected); // and no close frame before
    ::close(descriptor);
}

void ProviderFaultsTest::cutsEverySocketAtOneInstant()
{
    Provider provider(quickScenario(R"("faults":[{"kind":"close","code":1001,"at_s":0.4}])"));
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    ProviderClient one(provider.webSocketUrl());
    ProviderClient two(provider.webSocketUrl());
    QVERIFY(one.open());
    QVERIFY(two.open());
    QCOMPARE(provider.statistics().openSockets, 2U);
    QTRY_COMPARE(provider.statistics().openSockets, 0U);
    QCOMPARE(one.socket().closeCode(), QWebSocketProtocol::CloseCodeGoingAway);
    // Only at that instant: a later one comes in and works.
    ProviderClient three(provider.webSocketUrl());
    QVERIFY(three.open());
    QCOMPARE(at(three.ask(create(hello)), {"type"}), QStringLiteral("response.completed"));
}

void ProviderFaultsTest::staysSilent()
{
    Peer peer(R"("faults":[{"kind":"silence","n":1,"after_events":1}])");
    QSignalSpy ponged(&peer.client->socket(), &QWebSocket::pong);
    peer.client->send(create(hello));
    QTRY_COMPARE(peer.client->events().size(), 1);
    // The connection lives: it answers pings, and the lane stays busy.
    peer.client->socket().ping();
    QTRY_COMPARE(ponged.size(), 1);
    QCOMPARE(peer.client->events().size(), 1);
    QCOMPARE(peer.provider.statistics().responsesInFlight, 1U);
}

void ProviderFaultsTest::staysSilentAndDead()
{
    Peer peer(R"("faults":[{"kind":"silence","pongs":false,"n":1,"after_events":1}])");
    QSignalSpy ponged(&peer.client->socket(), &QWebSocket::pong);
    peer.client->send(create(hello));
    QTRY_COMPARE(peer.client->events().size(), 1);
    peer.client->socket().ping();
    // Another connection works: what it is told comes after what the dead one would have said.
    ProviderClient other(peer.provider.webSocketUrl());
    QVERIFY(other.open());
    QCOMPARE(at(other.ask(create(hello)), {"type"}), QStringLiteral("response.completed"));
    QVERIFY(ponged.isEmpty());
    QCOMPARE(peer.client->events().size(), 1);
    QCOMPARE(peer.provider.statistics().responsesInFlight, 1U);
    QCOMPARE(peer.provider.statistics().openSockets, 2U);
}

void ProviderFaultsTest::aDeadConnectionAnswersNothing()
{
    Peer peer("");
    QSignalSpy ponged(&peer.client->socket(), &QWebSocket::pong);
    QCOMPARE(at(peer.client->ask(create(hello)), {"type"}), QStringLiteral("response.completed"));
    const qsizetype before = peer.client->events().size();
    Fault dead;
    dead.kind = Fault::Kind::Silence;
    dead.pongs = false;
    peer.provider.strike(dead);
    peer.client->socket().ping();
    peer.client->send(create(hello));
    ProviderClient other(peer.provider.webSocketUrl());
    QVERIFY(other.open());
    QCOMPARE(at(other.ask(create(hello)), {"type"}), QStringLiteral("response.completed"));
    QVERIFY(ponged.isEmpty());
    QCOMPARE(peer.client->events().size(), before);
    QCOMPARE(peer.provider.statistics().creates, 2U); // the dead one read nothing
}

void ProviderFaultsTest::anErrorEventSaysWhatTheScenarioSays()
{
    Peer peer(R"("faults":[{"kind":"error_event","status":400,"code":"","n":1,
        "message":"No tool call found for function call output with call_id call_1."}])");
    const QJsonObject end = peer.client->ask(create(hello));
    QCOMPARE(at(end, {"error", "message"}),
             QStringLiteral("No tool call found for function call output with call_id call_1."));
    QVERIFY(end.value(QLatin1String("error")).toObject().value(QLatin1String("code")).isNull());
    QCOMPARE(at(end, {"error", "type"}), QStringLiteral("invalid_request_error"));
}

void ProviderFaultsTest::aFaultMayBeAddedLater()
{
    Peer peer("");
    QCOMPARE(at(peer.client->ask(create(hello)), {"type"}), QStringLiteral("response.completed"));
    Fault fault;
    fault.kind = Fault::Kind::ErrorEvent;
    fault.status = 500;
    fault.code = "server_error";
    fault.count = 1;
    peer.provider.add(fault);
    QCOMPARE(at(peer.client->ask(create(hello)), {"error", "code"}),
             QStringLiteral("server_error"));
    QCOMPARE(at(peer.client->ask(create(hello)), {"type"}), QStringLiteral("response.completed"));
}

void ProviderFaultsTest::aMessageThatIsTooBigClosesTheSocket()
{
    Peer peer(R"("max_frame_bytes":2048)");
    const QByteArray input = "\"input\":\"" + QByteArray(3000, 'x') + '"';
    peer.client->send(create(input));
    QTRY_COMPARE(peer.disconnected->size(), 1);
    QCOMPARE(peer.client->socket().closeCode(), QWebSocketProtocol::CloseCodeTooMuchData);
    QCOMPARE(peer.provider.statistics().creates, 0U);
}

void ProviderFaultsTest::completesEmpty()
{
    Peer peer(R"("faults":[{"kind":"empty_completed","n":1}])");
    const QJsonObject end = peer.client->ask(create(hello));
    QCOMPARE(at(end, {"type"}), QStringLiteral("response.completed"));
    QCOMPARE(peer.client->events().size(), 3);
    QVERIFY(end.value(QLatin1String("response"))
                .toObject()
                .value(QLatin1String("output"))
                .toArray()
                .isEmpty());
}

void ProviderFaultsTest::expiresByAge()
{
    Peer peer(R"("connection_max_age_s":0.2)");
    const QJsonObject end = peer.client->end();
    QCOMPARE(at(end, {"error", "code"}), QStringLiteral("websocket_connection_limit_reached"));
    QCOMPARE(at(end, {"status"}), QStringLiteral("400"));
    QTRY_COMPARE(peer.disconnected->size(), 1);
}

void ProviderFaultsTest::runningTurnsOutliveTheAge()
{
    Scenario scenario = quickScenario(R"("connection_max_age_s":0.1)");
    scenario.turn = {std::chrono::milliseconds{400}, std::chrono::milliseconds{400}};
    Provider provider(scenario);
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    ProviderClient client(provider.webSocketUrl());
    QVERIFY(client.open());
    client.send(create(hello));
    client.send(create(hello)); // queued: too late for this connection
    QCOMPARE(at(client.end(), {"type"}), QStringLiteral("response.completed"));
    QCOMPARE(at(client.end(), {"error", "code"}),
             QStringLiteral("websocket_connection_limit_reached"));
    QTRY_COMPARE(provider.statistics().openSockets, 0U);
    QCOMPARE(provider.statistics().turns, 1U);
}

void ProviderFaultsTest::cancelledWhenThePeerGoes()
{
    Scenario scenario = quickScenario();
    scenario.turn = {std::chrono::seconds{30}, std::chrono::seconds{30}};
    Provider provider(scenario);
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    {
        ProviderClient client(provider.webSocketUrl());
        QVERIFY(client.open());
        client.send(create(hello));
        QTRY_COMPARE(provider.statistics().responsesInFlight, 1U);
        client.socket().abort();
    }
    QTRY_COMPARE(provider.statistics().cancelled, 1U);
    QCOMPARE(provider.statistics().openSockets, 0U);
    QCOMPARE(provider.statistics().responsesInFlight, 0U);
}

void ProviderFaultsTest::tokensPerMinute()
{
    Peer peer(R"("tokens_per_min":60)");
    const QByteArray text = "\"input\":\"" + QByteArray(100, 'x') + '"'; // 25 tokens and its frame
    QCOMPARE(at(peer.client->ask(create(text)), {"type"}), QStringLiteral("response.completed"));
    const QJsonObject end = peer.client->ask(create(text));
    QCOMPARE(at(end, {"status"}), QStringLiteral("429"));
    QCOMPARE(at(end, {"error", "code"}), QStringLiteral("rate_limit_exceeded"));
    const int wait = at(end, {"headers", "retry-after"}).toInt();
    QVERIFY(wait >= 1 && wait <= 60);
    QVERIFY(at(end, {"error", "message"})
                .endsWith(QStringLiteral("Please try again in %1s.").arg(wait)));
}

QTEST_GUILESS_MAIN(ProviderFaultsTest)
#include "tst_providerfaults.moc"
