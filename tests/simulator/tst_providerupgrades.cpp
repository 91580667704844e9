// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/simulator/providerclient.h"
#include "tests/simulator/rawclient.h"

#include <QTest>

using namespace headway::simulator;

class ProviderUpgradesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersTheHandshakeOfTheRfc();
    void anyPathThatEndsInResponses_data();
    void anyPathThatEndsInResponses();
    void malformedUpgrades_data();
    void malformedUpgrades();
    void refusesBeyondTheWindow_data();
    void refusesBeyondTheWindow();
    void concurrentLimitOpensAgainWhenASocketCloses();
    void rejectUpgradesFault();
    void upgradeBodyFault();
    void theBlockFormsAreMarkedAsTheEdgeMarksThem();
    void unmaskedFramesEndTheConnection();
};

void ProviderUpgradesTest::answersTheHandshakeOfTheRfc()
{
    Provider provider(quickScenario());
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    RawClient client(provider.webSocketUrl());
    const QByteArray answer = client.ask(RawClient::upgrade("/v1/responses"), "\r\n\r\n");
    QVERIFY(answer.startsWith("HTTP/1.1 101 "));
    // Key and accept value of RFC 6455 section 1.3.
    QVERIFY(answer.contains("\r\nsec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"));
    QCOMPARE(provider.statistics().upgradesAccepted, 1U);
}

void ProviderUpgradesTest::anyPathThatEndsInResponses_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("status");
    QTest::newRow("public") << QByteArray("/v1/responses") << QByteArray("101");
    QTest::newRow("plan") << QByteArray("/backend-api/codex/responses") << QByteArray("101");
    QTest::newRow("query") << QByteArray("/v1/responses?x=1") << QByteArray("101");
    QTest::newRow("elsewhere") << QByteArray("/v1/chat") << QByteArray("404");
}

void ProviderUpgradesTest::anyPathThatEndsInResponses()
{
    QFETCH(const QByteArray, path);
    QFETCH(const QByteArray, status);
    Provider provider(quickScenario());
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    RawClient client(provider.webSocketUrl());
    QCOMPARE(client.ask(RawClient::upgrade(path), "\r\n\r\n").mid(9, 3), status);
}

void ProviderUpgradesTest::malformedUpgrades_data()
{
    QTest::addColumn<QByteArray>("request");
    QTest::addColumn<QByteArray>("status");
    QTest::newRow("version") << RawClient::upgrade("/v1/responses", "dGhlIHNhbXBsZSBub25jZQ==", "8")
                             << QByteArray("426");
    QTest::newRow("short key") << RawClient::upgrade("/v1/responses", "AAAA") << QByteArray("400");
    QTest::newRow("plain GET") << QByteArray("GET /v1/responses HTTP/1.1\r\nHost: x\r\n\r\n")
                               << QByteArray("405");
    QTest::newRow("no header") << QByteArray("GET /v1/responses HTTP/1.1\r\nbroken\r\n\r\n")
                               << QByteArray("400");
}

void ProviderUpgradesTest::malformedUpgrades()
{
    QFETCH(const QByteArray, request);
    QFETCH(const QByteArray, status);
    Provider provider(quickScenario());
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    RawClient client(provider.webSocketUrl());
    QCOMPARE(client.ask(request, "\r\n\r\n").mid(9, 3), status);
    QCOMPARE(provider.statistics().upgradesAccepted, 0U);
}

void ProviderUpgradesTest::refusesBeyondTheWindow_data()
{
    QTest::addColumn<QByteArray>("members");
    QTest::addColumn<QByteArray>("statusLine");
    QTest::addColumn<QByteArray>("retryAfter");
    QTest::addColumn<bool>("empty");
    QTest::newRow("403 without a body")
        << QByteArray() << QByteArray("HTTP/1.1 403 ") << QByteArray() << true;
    QTest::newRow("429") << QByteArray(",\"status\":429") << QByteArray("HTTP/1.1 429 ")
                         << QByteArray() << false;
    QTest::newRow("429 with Retry-After")
        << QByteArray(",\"status\":429,\"retry_after_s\":3") << QByteArray("HTTP/1.1 429 ")
        << QByteArray("\r\nretry-after: 3\r\n") << false;
    QTest::newRow("503 with a fraction")
        << QByteArray(",\"status\":503,\"retry_after_s\":1.5") << QByteArray("HTTP/1.1 503 ")
        << QByteArray("\r\nretry-after: 1.5\r\n") << false;
}

void ProviderUpgradesTest::refusesBeyondTheWindow()
{
    QFETCH(const QByteArray, members);
    QFETCH(const QByteArray, statusLine);
    QFETCH(const QByteArray, retryAfter);
    QFETCH(const bool, empty);
    Provider provider(quickScenario("\"upgrade_limits\":[{\"kind\":\"sliding_window\",\"max\":2"
                                    + members + "}]"));
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    ProviderClient one(provider.webSocketUrl());
    ProviderClient two(provider.webSocketUrl());
    QVERIFY(one.open());
    QVERIFY(two.open());
    for (int i = 0; i < 3; ++i) {
        RawClient client(provider.webSocketUrl());
        const QByteArray answer = client.ask(RawClient::upgrade("/v1/responses"));
        QVERIFY2(answer.startsWith(statusLine), answer.constData());
        QCOMPARE(answer.contains("\r\nretry-after: "), !retryAfter.isEmpty());
        QVERIFY(answer.contains(retryAfter));
        QCOMPARE(answer.endsWith("\r\n\r\n"), empty);
    }
    QCOMPARE(provider.statistics().upgradesAccepted, 2U);
    QCOMPARE(provider.statistics().upgradesRejected, 3U);
    QCOMPARE(provider.statistics().openSockets, 2U);
    QCOMPARE(provider.statistics().acceptedAt.size(), 2U);
}

void ProviderUpgradesTest::concurrentLimitOpensAgainWhenASocketCloses()
{
    Provider provider(quickScenario("\"upgrade_limits\":[{\"kind\":\"concurrent\",\"max\":1}]"));
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    ProviderClient one(provider.webSocketUrl());
    QVERIFY(one.open());
    RawClient refused(provider.webSocketUrl());
    QVERIFY(refused.ask(RawClient::upgrade("/v1/responses")).startsWith("HTTP/1.1 403"));
    one.socket().close();
    QTRY_COMPARE(provider.statistics().openSockets, 0U);
    ProviderClient two(provider.webSocketUrl());
    QVERIFY(two.open());
    QCOMPARE(provider.statistics().largestOpenSockets, 1U);
}

void ProviderUpgradesTest::rejectUpgradesFault()
{
    Provider provider(quickScenario(
        R"("faults":[{"kind":"reject_upgrades","status":429,"retry_after_s":2,"n":1}])"));
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    RawClient refused(provider.webSocketUrl());
    const QByteArray answer = refused.ask(RawClient::upgrade("/v1/responses"));
    QVERIFY(answer.startsWith("HTTP/1.1 429"));
    QVERIFY(answer.contains("\r\nretry-after: 2\r\n"));
    ProviderClient client(provider.webSocketUrl());
    QVERIFY(client.open());
    QCOMPARE(provider.statistics().upgradesRejected, 1U);
}

void ProviderUpgradesTest::upgradeBodyFault()
{
    Provider provider(
        quickScenario(R"("faults":[{"kind":"upgrade_body","status":403,"body":"<html>blocked"}])"));
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    RawClient client(provider.webSocketUrl());
    const QByteArray answer = client.ask(RawClient::upgrade("/v1/responses"));
    QVERIFY(answer.startsWith("HTTP/1.1 403"));
    QVERIFY(answer.endsWith("\r\n\r\n<html>blocked"));
}

void ProviderUpgradesTest::theBlockFormsAreMarkedAsTheEdgeMarksThem()
{
    Provider provider(quickScenario(R"("faults":[
        {"kind":"upgrade_body","status":403,"body":"<html>blocked</html>","n":1},
        {"kind":"upgrade_body","status":403,"headers":{"cf-mitigated":"challenge"},"n":1},
        {"kind":"upgrade_body","status":403,"n":1,
         "body":"{\"error\":{\"code\":\"unsupported_country_region_territory\"}}"}])"));
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    QByteArrayList answers;
    for (int i = 0; i < 3; ++i) {
        RawClient client(provider.webSocketUrl());
        answers.append(client.ask(RawClient::upgrade("/v1/responses")));
        QVERIFY(answers.last().startsWith("HTTP/1.1 403 "));
    }
    QVERIFY(answers[0].contains("\r\ncontent-type: text/html"));
    QVERIFY(answers[1].contains("\r\ncf-mitigated: challenge\r\n"));
    QVERIFY(answers[2].contains("\r\ncontent-type: application/json\r\n"));
    QVERIFY(answers[2].endsWith("\"unsupported_country_region_territory\"}}"));
}

void ProviderUpgradesTest::unmaskedFramesEndTheConnection()
{
    Provider provider(quickScenario());
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    RawClient client(provider.webSocketUrl());
    (void)client.ask(RawClient::upgrade("/v1/responses"), "\r\n\r\n");
    const QByteArray answer = client.ask(QByteArray("\x81\x02{}", 4));
    // A close frame with 1002, protocol error.
    QCOMPARE(answer.left(4).toHex().left(2), QByteArray("88"));
    QCOMPARE(answer.mid(2, 2).toHex(), QByteArray("03ea"));
    QTRY_COMPARE(provider.statistics().openSockets, 0U);
}

QTEST_GUILESS_MAIN(ProviderUpgradesTest)
#include "tst_providerupgrades.moc"
