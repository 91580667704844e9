// SPDX-License-Identifier: GPL-3.0-or-later
// Protocol notes 2.7: the claims of the plan's tokens.
#include "proxy/core/credentials/webtoken.h"
#include "tests/support/webtoken.h"

#include <QTest>

#include <chrono>

using namespace headway;
using credentials::Claims;
using credentials::readClaims;

class WebTokenTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsTheTokenOfTheStandard();
    void readsTheAccountOfThePlan();
    void readsEverySecondToTheMillisecond_data();
    void readsEverySecondToTheMillisecond();
    void saysNothingOfWhatIsNoToken_data();
    void saysNothingOfWhatIsNoToken();
};

// RFC 7519 section 3.1, to the letter: iss "joe", exp 1300819380 (2011-03-22T18:43:00Z).
void WebTokenTest::readsTheTokenOfTheStandard()
{
    const Claims claims
        = readClaims("eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9"
                     ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9"
                     "pc19yb290Ijp0cnVlfQ"
                     ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
    QCOMPARE(claims.issuer, std::string("joe"));
    QVERIFY(claims.expiresAt.has_value());
    QCOMPARE(claims.expiresAt->time_since_epoch(), std::chrono::seconds{1'300'819'380});
    QVERIFY(claims.accountId.empty());
}

void WebTokenTest::readsTheAccountOfThePlan()
{
    const QJsonObject account{
        {QStringLiteral("chatgpt_account_id"), QStringLiteral("acc-ü-1")},
        {QStringLiteral("chatgpt_plan_type"), QStringLiteral("pro")},
        {QStringLiteral("chatgpt_account_is_fedramp"), true},
    };
    const QJsonObject profile{{QStringLiteral("email"), QStringLiteral("me@example.com")}};
    const Claims claims = readClaims(
        tests::webToken({{QStringLiteral("https://api.openai.com/auth"), account},
                         {QStringLiteral("https://api.openai.com/profile"), profile}}));
    QCOMPARE(claims.email, std::string("me@example.com"));
    QCOMPARE(claims.accountId, std::string("acc-ü-1"));
    QCOMPARE(claims.plan, std::string("pro"));
    QVERIFY(claims.fedramp);
    QVERIFY(!claims.expiresAt);
}

void WebTokenTest::readsEverySecondToTheMillisecond_data()
{
    QTest::addColumn<QJsonValue>("exp");
    QTest::addColumn<qint64>("milliseconds"); // -1: none
    QTest::newRow("whole") << QJsonValue(1'764'000'000) << qint64{1'764'000'000'000};
    QTest::newRow("fraction") << QJsonValue(1.5) << qint64{1'500};
    QTest::newRow("zero") << QJsonValue(0) << qint64{0};
    QTest::newRow("negative") << QJsonValue(-1) << qint64{-1};
    QTest::newRow("beyond the calendar") << QJsonValue(1e300) << qint64{-1};
    QTest::newRow("text") << QJsonValue(QStringLiteral("1764000000")) << qint64{-1};
}

void WebTokenTest::readsEverySecondToTheMillisecond()
{
    QFETCH(const QJsonValue, exp);
    QFETCH(const qint64, milliseconds);
    const Claims claims = readClaims(tests::webToken({{QStringLiteral("exp"), exp}}));
    QCOMPARE(claims.expiresAt ? claims.expiresAt->time_since_epoch().count() : -1, milliseconds);
}

void WebTokenTest::saysNothingOfWhatIsNoToken_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("one dot") << QByteArray("e30.e30");
    QTest::newRow("an API key") << QByteArray("sk-proj-abcdefghijklmnop1234");
    QTest::newRow("padding") << QByteArray("e30.e30=.x");
    QTest::newRow("no JSON inside") << QByteArray("e30.bm8.x");
    QTest::newRow("an array inside") << QByteArray("e30.WzFd.x");
    QTest::newRow("too long") << QByteArray("e30.e30." + QByteArray(70'000, 'x'));
}

void WebTokenTest::saysNothingOfWhatIsNoToken()
{
    QFETCH(const QByteArray, text);
    QVERIFY(readClaims(text.toStdString()) == Claims{});
}

QTEST_APPLESS_MAIN(WebTokenTest)
#include "tst_webtoken.moc"
