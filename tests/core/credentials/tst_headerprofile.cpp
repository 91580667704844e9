// SPDX-License-Identifier: GPL-3.0-or-later
// Case B100: a model is "unavailable" only because of headers; a profile per model fixes it.
#include "proxy/core/credentials/headerprofile.h"

#include <QTest>

using namespace headway::credentials;

class HeaderProfileTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void addsTheUsersHeadersToTheModelsNamed();
    void letsALaterEntryReplaceAnEarlierOne();
    void sendsWhatALiteModelNeeds();
    void refusesWhatCannotBeSent_data();
    void refusesWhatCannotBeSent();
    void presentsTheAccount();
};

void HeaderProfileTest::addsTheUsersHeadersToTheModelsNamed()
{
    HeaderProfiles profiles;
    QVERIFY(profiles.add(" gpt-lite : X-Test-Lite = true , version=1.2.3 ; gpt-5*: x-five=yes;")
                .has_value());
    QVERIFY(profiles.of("gpt-lite") == (Headers{{"x-test-lite", "true"}, {"version", "1.2.3"}}));
    QVERIFY(profiles.of("gpt-5.5") == (Headers{{"x-five", "yes"}}));
    QVERIFY(profiles.of("gpt-5") == (Headers{{"x-five", "yes"}}));
    QVERIFY(profiles.of("gpt-lite-2").empty());
    QVERIFY(profiles.of("other").empty());
}

void HeaderProfileTest::letsALaterEntryReplaceAnEarlierOne()
{
    HeaderProfiles profiles;
    QVERIFY(profiles.add("*: originator=a, x-all=1; m: originator=b").has_value());
    QVERIFY(profiles.of("m") == (Headers{{"originator", "b"}, {"x-all", "1"}}));
}

void HeaderProfileTest::sendsWhatALiteModelNeeds()
{
    const HeaderProfiles profiles = HeaderProfiles::ofPlan();
    QVERIFY(
        profiles.of("gpt-5.6-luna")
        == (Headers{{"x-openai-internal-codex-responses-lite", "true"}, {"version", "0.144.1"}}));
    QVERIFY(profiles.of("gpt-5.5").empty());
}

void HeaderProfileTest::refusesWhatCannotBeSent_data()
{
    QTest::addColumn<QByteArray>("setting");
    QTest::newRow("no model") << QByteArray("x-test=true");
    QTest::newRow("empty model") << QByteArray(": x=1");
    QTest::newRow("no value") << QByteArray("m: x-test");
    QTest::newRow("blank in a name") << QByteArray("m: x test=1");
    QTest::newRow("a line break") << QByteArray("m: x=1\r\nauthorization=2");
    QTest::newRow("a credential") << QByteArray("m: Authorization=Bearer x");
    QTest::newRow("the account") << QByteArray("m: ChatGPT-Account-ID=x");
    QTest::newRow("the handshake") << QByteArray("m: sec-websocket-key=x");
    QTest::newRow("the second entry") << QByteArray("m: x=1; n: host=2");
}

void HeaderProfileTest::refusesWhatCannotBeSent()
{
    QFETCH(const QByteArray, setting);
    HeaderProfiles profiles;
    const auto added = profiles.add(setting.toStdString());
    QVERIFY(!added.has_value());
    QVERIFY(QByteArray::fromStdString(added.error()).startsWith("model_headers: "));
    QVERIFY(profiles.of("m").empty()); // all or nothing
}

void HeaderProfileTest::presentsTheAccount()
{
    QVERIFY(planHeaders("acc-1", false)
            == (Headers{{"chatgpt-account-id", "acc-1"}, {"originator", "headway"}}));
    QVERIFY(planHeaders("acc-1", true)
            == (Headers{{"chatgpt-account-id", "acc-1"},
                        {"x-openai-fedramp", "true"},
                        {"originator", "headway"}}));
    QVERIFY(planHeaders({}, false) == (Headers{{"originator", "headway"}}));
}

QTEST_APPLESS_MAIN(HeaderProfileTest)
#include "tst_headerprofile.moc"
