// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/simulator/providerclient.h"
#include "tests/simulator/rawclient.h"

#include <QTest>

using namespace headway::simulator;

namespace {

constexpr auto hello = "{\"model\":\"gpt-5.5\",\"store\":false,\"input\":\"hello\"";

} // namespace

class ProviderHttpTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void streamsEventsWithTheirNames();
    void answersWithoutStreamInOneObject();
    void keepsTheConnection();
    void refusesWithARealStatus_data();
    void refusesWithARealStatus();
    void cutsAStream();
    void knowsNoChainWithoutStore();
    void listsItsModel();
};

void ProviderHttpTest::streamsEventsWithTheirNames()
{
    Provider provider(quickScenario());
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    RawClient client(provider.webSocketUrl());
    const QByteArray answer = client.ask(
        RawClient::post("/v1/responses", QByteArray(hello) + ",\"stream\":true}"), "\r\n0\r\n\r\n");
    QVERIFY(answer.startsWith("HTTP/1.1 200 OK\r\n"));
    QVERIFY(answer.contains("content-type: text/event-stream"));
    const qsizetype created
        = answer.indexOf("event: response.created\ndata: {\"type\":\"response.created\",");
    const qsizetype done
        = answer.indexOf("event: response.completed\ndata: {\"type\":\"response.completed\",");
    QVERIFY(created > 0 && done > created);
    QVERIFY(answer.endsWith("\n\n\r\n0\r\n\r\n"));
    QVERIFY(!answer.contains("[DONE]"));
    QCOMPARE(provider.statistics().turns, 1U);
    QCOMPARE(provider.statistics().upgradesAccepted, 0U);
}

void ProviderHttpTest::answersWithoutStreamInOneObject()
{
    Provider provider(quickScenario());
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    RawClient client(provider.webSocketUrl());
    const QByteArray answer
        = client.ask(RawClient::post("/v1/responses", QByteArray(hello) + '}'), "\"background\"");
    const QJsonObject response = parsed(answer.mid(answer.indexOf("\r\n\r\n") + 4));
    QCOMPARE(at(response, {"object"}), QStringLiteral("response"));
    QCOMPARE(at(response, {"status"}), QStringLiteral("completed"));
    QVERIFY(!response.value(QLatin1String("output")).toArray().isEmpty());
}

void ProviderHttpTest::keepsTheConnection()
{
    Provider provider(quickScenario());
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    RawClient client(provider.webSocketUrl());
    for (int i = 0; i < 2; ++i) {
        const QByteArray answer
            = client.ask(RawClient::post("/v1/responses", QByteArray(hello) + ",\"stream\":true}"),
                         "\r\n0\r\n\r\n");
        QVERIFY(answer.startsWith("HTTP/1.1 200 OK\r\n"));
    }
    QCOMPARE(client.socket().state(), QAbstractSocket::ConnectedState);
    QCOMPARE(provider.statistics().turns, 2U);
}

void ProviderHttpTest::refusesWithARealStatus_data()
{
    QTest::addColumn<QByteArray>("members");
    QTest::addColumn<QByteArray>("request");
    QTest::addColumn<QByteArray>("status");
    QTest::addColumn<QByteArray>("contains");
    QTest::newRow("not JSON") << QByteArray() << RawClient::post("/v1/responses", "{")
                              << QByteArray("400") << QByteArray("could not parse");
    QTest::newRow("unknown field")
        << QByteArray() << RawClient::post("/v1/responses", QByteArray(hello) + ",\"messages\":[]}")
        << QByteArray("400") << QByteArray("\"code\":\"unknown_parameter\"");
    QTest::newRow("stream_id") << QByteArray("\"lanes\":true")
                               << RawClient::post("/v1/responses",
                                                  QByteArray(hello) + ",\"stream_id\":\"a\"}")
                               << QByteArray("400") << QByteArray("\"param\":\"stream_id\"");
    QTest::newRow("chain on the plan endpoint")
        << QByteArray("\"plan_endpoint\":true")
        << RawClient::post("/v1/responses",
                           QByteArray(hello) + ",\"previous_response_id\":\"resp_1\"}")
        << QByteArray("400") << QByteArray("Unsupported parameter: 'previous_response_id'");
    QTest::newRow("fault with Retry-After") << QByteArray(
        R"("faults":[{"kind":"error_event","status":429,"code":"rate_limit_exceeded","retry_after_s":9}])")
                                            << RawClient::post("/v1/responses",
                                                               QByteArray(hello) + '}')
                                            << QByteArray("429")
                                            << QByteArray("\r\nretry-after: 9\r\n");
    QTest::newRow("length") << QByteArray()
                            << QByteArray(
                                   "POST /v1/responses HTTP/1.1\r\nContent-Length: x\r\n\r\n")
                            << QByteArray("400") << QByteArray("Malformed request");
    QTest::newRow("route") << QByteArray() << RawClient::post("/v1/messages", "{}")
                           << QByteArray("404") << QByteArray("Unknown route");
}

void ProviderHttpTest::refusesWithARealStatus()
{
    QFETCH(const QByteArray, members);
    QFETCH(const QByteArray, request);
    QFETCH(const QByteArray, status);
    QFETCH(const QByteArray, contains);
    Provider provider(quickScenario(members));
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    RawClient client(provider.webSocketUrl());
    const QByteArray answer = client.ask(request, "\"param\"");
    QCOMPARE(answer.mid(9, 3), status);
    QVERIFY2(answer.contains(contains), answer.constData());
    QVERIFY(answer.contains("{\"error\":{\"type\":\""));
}

void ProviderHttpTest::cutsAStream()
{
    Provider provider(quickScenario(R"("faults":[{"kind":"eof","n":1,"after_events":3}])"));
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    RawClient client(provider.webSocketUrl());
    const QByteArray answer
        = client.ask(RawClient::post("/v1/responses", QByteArray(hello) + ",\"stream\":true}"));
    QCOMPARE(answer.count("event: "), 3);
    QVERIFY(!answer.contains("\r\n0\r\n\r\n")); // no proper end
    QTRY_COMPARE(client.socket().state(), QAbstractSocket::UnconnectedState);
}

void ProviderHttpTest::knowsNoChainWithoutStore()
{
    Provider provider(quickScenario());
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    RawClient client(provider.webSocketUrl());
    const auto ask = [&](const QByteArray &body) {
        const QByteArray answer
            = client.ask(RawClient::post("/v1/responses", body), "\"background\"");
        return parsed(answer.mid(answer.indexOf("\r\n\r\n") + 4));
    };
    const QByteArray stored = "{\"model\":\"gpt-5.5\",\"input\":\"hello\"";
    const QJsonObject unstored = ask(QByteArray(hello) + '}');
    const QJsonObject first = ask(stored + '}');
    const QJsonObject second
        = ask(stored + ",\"previous_response_id\":\"" + at(first, {"id"}).toUtf8() + "\"}");
    QCOMPARE(at(second, {"status"}), QStringLiteral("completed"));
    const QByteArray refused
        = client.ask(RawClient::post("/v1/responses",
                                     stored + ",\"previous_response_id\":\""
                                         + at(unstored, {"id"}).toUtf8() + "\"}"),
                     "previous_response_not_found");
    QVERIFY(refused.startsWith("HTTP/1.1 400"));
}

void ProviderHttpTest::listsItsModel()
{
    Provider provider(quickScenario());
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    RawClient client(provider.webSocketUrl());
    const QByteArray answer
        = client.ask("GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n", "\"owned_by\"");
    QVERIFY(answer.startsWith("HTTP/1.1 200 OK\r\n"));
    QVERIFY(answer.contains("\"id\":\"simulated\""));
}

QTEST_GUILESS_MAIN(ProviderHttpTest)
#include "tst_providerhttp.moc"
