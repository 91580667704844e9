// SPDX-License-Identifier: GPL-3.0-or-later
// Sign-in by device code: RFC 8628 section 3.5, and the endpoints that Codex's own login uses.
#include "proxy/core/credentials/devicecode.h"

#include <QTest>

#include <chrono>

using namespace headway;
using namespace headway::credentials;
using namespace std::chrono_literals;

namespace {

constexpr base::SteadyTime start{1000s};

DeviceSignIn begun(base::Seconds interval = 5s, base::Seconds lifetime = 900s)
{
    return {DeviceCode{"device-1", "ABCD-EFGH", interval, lifetime}, "https://auth.openai.com",
            start};
}

} // namespace

class DeviceCodeTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsTheCode_data();
    void readsTheCode();
    void saysWhyThereIsNoCode_data();
    void saysWhyThereIsNoCode();
    void asksWithWhatTheServerGave();
    void waitsWhileNobodyHasEnteredTheCode_data();
    void waitsWhileNobodyHasEnteredTheCode();
    void asksLessOftenWhenToldSo();
    void exchangesTheGrant();
    void endsWithTheCode();
    void endsWhenTheServerSaysSo_data();
    void endsWhenTheServerSaysSo();
};

void DeviceCodeTest::readsTheCode_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("interval");
    QTest::addColumn<int>("lifetime");
    QTest::newRow("as sent") << QByteArray(
        R"({"device_auth_id":"d","user_code":"A-B","interval":"7"})")
                             << 7 << 900;
    QTest::newRow("older name") << QByteArray(
        R"({"device_auth_id":"d","usercode":"A-B","interval":3})")
                                << 3 << 900;
    QTest::newRow("with an end") << QByteArray(
        R"({"device_auth_id":"d","user_code":"A-B","expires_in":300})")
                                 << 5 << 300;
    QTest::newRow("nonsense") << QByteArray(
        R"({"device_auth_id":"d","user_code":"A-B","interval":"x","expires_in":-4})")
                              << 5 << 1;
    QTest::newRow("a busy loop asked for")
        << QByteArray(R"({"device_auth_id":"d","user_code":"A-B","interval":0})") << 1 << 900;
}

void DeviceCodeTest::readsTheCode()
{
    QFETCH(const QByteArray, body);
    QFETCH(const int, interval);
    QFETCH(const int, lifetime);
    const auto code = readDeviceCode(200, body.toStdString());
    QVERIFY(code.has_value());
    QVERIFY(*code == (DeviceCode{"d", "A-B", base::Seconds{interval}, base::Seconds{lifetime}}));
}

void DeviceCodeTest::saysWhyThereIsNoCode_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("switched off") << 404 << QByteArray() << QByteArray("codex login");
    QTest::newRow("out of order") << 503 << QByteArray() << QByteArray("503");
    QTest::newRow("redirect") << 302 << QByteArray() << QByteArray("302");
    QTest::newRow("a page") << 200 << QByteArray("<html>") << QByteArray("not understood");
    QTest::newRow("half") << 200 << QByteArray(R"({"user_code":"A"})")
                          << QByteArray("not understood");
}

void DeviceCodeTest::saysWhyThereIsNoCode()
{
    QFETCH(const int, status);
    QFETCH(const QByteArray, body);
    QFETCH(const QByteArray, says);
    const auto code = readDeviceCode(status, body.toStdString());
    QVERIFY(!code.has_value());
    QVERIFY2(QByteArray::fromStdString(code.error()).contains(says), code.error().c_str());
}

void DeviceCodeTest::asksWithWhatTheServerGave()
{
    QCOMPARE(DeviceSignIn::startBody(),
             std::string(R"({"client_id":"app_EMoamEEZ73f0CkXaXp7hrann"})"));
    QCOMPARE(begun().askBody(),
             std::string(R"({"device_auth_id":"device-1","user_code":"ABCD-EFGH"})"));
    QCOMPARE(begun().verificationUrl(), std::string("https://auth.openai.com/codex/device"));
}

void DeviceCodeTest::waitsWhileNobodyHasEnteredTheCode_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("403") << 403 << QByteArray();
    QTest::newRow("404") << 404 << QByteArray();
    QTest::newRow("as the standard says it")
        << 400 << QByteArray(R"({"error":"authorization_pending"})");
    QTest::newRow("server out of order") << 502 << QByteArray("<html>");
    QTest::newRow("too many questions") << 429 << QByteArray();
}

void DeviceCodeTest::waitsWhileNobodyHasEnteredTheCode()
{
    QFETCH(const int, status);
    QFETCH(const QByteArray, body);
    DeviceSignIn signIn = begun();
    QVERIFY(signIn.answered(status, body.toStdString(), start + 5s)
            == DeviceSignIn::Step(DeviceSignIn::Ask{5s}));
    QVERIFY(signIn.unanswered(start + 10s) == DeviceSignIn::Step(DeviceSignIn::Ask{5s}));
}

void DeviceCodeTest::asksLessOftenWhenToldSo()
{
    DeviceSignIn signIn = begun();
    const char *const slower = R"({"error":"slow_down"})";
    QVERIFY(signIn.answered(400, slower, start) == DeviceSignIn::Step(DeviceSignIn::Ask{10s}));
    QVERIFY(signIn.answered(403, {}, start) == DeviceSignIn::Step(DeviceSignIn::Ask{10s}));
    for (int i = 0; i < 20; ++i)
        (void)signIn.answered(400, slower, start);
    QCOMPARE(signIn.interval(), base::Seconds{60}); // bounded
}

void DeviceCodeTest::exchangesTheGrant()
{
    DeviceSignIn signIn = begun();
    const auto step = signIn.answered(
        200, R"({"authorization_code":"a/b c","code_challenge":"x","code_verifier":"v-1"})", start);
    const auto *exchange = std::get_if<DeviceSignIn::Exchange>(&step);
    QVERIFY(exchange != nullptr);
    QCOMPARE(exchange->form,
             std::string("grant_type=authorization_code&code=a%2Fb%20c"
                         "&redirect_uri=https%3A%2F%2Fauth.openai.com%2Fdeviceauth%2Fcallback"
                         "&client_id=app_EMoamEEZ73f0CkXaXp7hrann&code_verifier=v-1"));
}

void DeviceCodeTest::endsWithTheCode()
{
    DeviceSignIn signIn = begun(5s, 15s);
    QVERIFY(std::holds_alternative<DeviceSignIn::Ask>(signIn.answered(403, {}, start + 10s)));
    QVERIFY(
        std::holds_alternative<DeviceSignIn::Ended>(signIn.answered(403, {}, start + 10s + 1ns)));
    QVERIFY(std::holds_alternative<DeviceSignIn::Ended>(signIn.unanswered(start + 15s)));
}

void DeviceCodeTest::endsWhenTheServerSaysSo_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("run out") << 400 << QByteArray(R"({"error":"expired_token"})")
                             << QByteArray("run out");
    QTest::newRow("declined") << 403 << QByteArray(R"({"error":"access_denied"})")
                              << QByteArray("declined");
    QTest::newRow("400") << 400 << QByteArray() << QByteArray("400");
    QTest::newRow("redirect") << 307 << QByteArray() << QByteArray("307");
    QTest::newRow("no grant") << 200 << QByteArray("{}") << QByteArray("not understood");
}

void DeviceCodeTest::endsWhenTheServerSaysSo()
{
    QFETCH(const int, status);
    QFETCH(const QByteArray, body);
    QFETCH(const QByteArray, says);
    DeviceSignIn signIn = begun();
    const auto step = signIn.answered(status, body.toStdString(), start);
    const auto *ended = std::get_if<DeviceSignIn::Ended>(&step);
    QVERIFY(ended != nullptr);
    QVERIFY2(QByteArray::fromStdString(ended->text).contains(says), ended->text.c_str());
}

QTEST_APPLESS_MAIN(DeviceCodeTest)
#include "tst_devicecode.moc"
