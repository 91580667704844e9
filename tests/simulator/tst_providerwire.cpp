// SPDX-License-Identifier: GPL-3.0-or-later
// What Provider::wire tells: connections by number, upgrades, frames both ways, in their order.
#include "tests/simulator/providerclient.h"
#include "tests/simulator/rawclient.h"

#include <QTest>

using namespace headway::simulator;
using Kind = WireEvent::Kind;

namespace {

constexpr auto hello = "\"input\":\"hello\"";

struct Watched
{
    explicit Watched(const QByteArray &members = {})
        : provider(quickScenario(members))
    {
        QObject::connect(&provider, &Provider::wire, &provider,
                         [this](const WireEvent &event) { seen.append(event); });
        if (!provider.listen(QHostAddress::LocalHost, 0))
            qFatal("cannot listen");
    }
    [[nodiscard]] QList<WireEvent> of(Kind kind) const
    {
        QList<WireEvent> found;
        for (const WireEvent &event : seen) {
            if (event.kind == kind)
                found.append(event);
        }
        return found;
    }

    QList<WireEvent> seen;
    Provider provider;
};

} // namespace

class ProviderWireTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void framesComeInTheirOrder();
    void connectionsHaveNumbers();
    void refusedUpgradesAreTold();
    void postsAreTold();
    void theEndOfAConnectionIsTold();
};

void ProviderWireTest::framesComeInTheirOrder()
{
    Watched watched;
    ProviderClient client(watched.provider.webSocketUrl());
    QVERIFY(client.open());
    const QJsonObject request = create(hello);
    (void)client.ask(request);
    QCOMPARE(watched.seen.at(0).kind, Kind::Opened);
    QVERIFY(watched.seen.at(0).text.contains("upgrade: websocket\n"));
    QCOMPARE(watched.seen.at(1).kind, Kind::Create);
    QCOMPARE(parsed(watched.seen.at(1).text), request);
    const QList<WireEvent> replies = watched.of(Kind::Reply);
    QCOMPARE(replies.size(), client.events().size());
    for (qsizetype i = 0; i < replies.size(); ++i)
        QCOMPARE(parsed(replies.at(i).text), client.events().at(i));
}

void ProviderWireTest::connectionsHaveNumbers()
{
    Watched watched;
    ProviderClient one(watched.provider.webSocketUrl());
    ProviderClient two(watched.provider.webSocketUrl());
    QVERIFY(one.open());
    QVERIFY(two.open());
    (void)two.ask(create(hello));
    (void)one.ask(create(hello));
    QList<std::uint64_t> numbers;
    for (const WireEvent &event : watched.of(Kind::Create))
        numbers.append(event.connection);
    QCOMPARE(numbers, (QList<std::uint64_t>{2, 1}));
}

void ProviderWireTest::refusedUpgradesAreTold()
{
    Watched watched(R"("faults":[{"kind":"reject_upgrades","status":426,"n":1}])");
    RawClient client(watched.provider.webSocketUrl());
    QVERIFY(client.ask(RawClient::upgrade("/v1/responses")).startsWith("HTTP/1.1 426 "));
    QCOMPARE(watched.of(Kind::Rejected).size(), 1);
    QCOMPARE(watched.of(Kind::Rejected).at(0).code, 426);
    QVERIFY(watched.of(Kind::Opened).isEmpty());
}

void ProviderWireTest::postsAreTold()
{
    Watched watched;
    RawClient client(watched.provider.webSocketUrl());
    const QByteArray body = R"({"model":"gpt-5.5","store":false,"stream":true,"input":"hello"})";
    const QByteArray answer = client.ask(RawClient::post("/v1/responses", body), "\r\n0\r\n\r\n");
    QVERIFY(answer.contains("response.completed"));
    QCOMPARE(watched.of(Kind::Post).at(0).text, body);
    QCOMPARE(at(parsed(watched.of(Kind::Reply).last().text), {"type"}),
             QStringLiteral("response.completed"));
    QVERIFY(watched.of(Kind::Create).isEmpty());
}

void ProviderWireTest::theEndOfAConnectionIsTold()
{
    Watched watched;
    ProviderClient client(watched.provider.webSocketUrl());
    QVERIFY(client.open());
    client.socket().ping();
    QTRY_COMPARE(watched.of(Kind::Ping).size(), 1);
    client.socket().close(QWebSocketProtocol::CloseCodeGoingAway);
    QTRY_COMPARE(watched.of(Kind::Gone).size(), 1);
    QCOMPARE(watched.of(Kind::Close).at(0).code, 1001);
    QCOMPARE(watched.seen.last().kind, Kind::Gone);
}

QTEST_GUILESS_MAIN(ProviderWireTest)
#include "tst_providerwire.moc"
