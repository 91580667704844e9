// SPDX-License-Identifier: GPL-3.0-or-later
// When the plan's tokens are renewed and what the answers mean (protocol notes 2.7).
#include "proxy/core/credentials/refresh.h"
#include "tests/support/webtoken.h"

#include <QTest>

#include <chrono>
#include <optional>

using namespace headway;
using namespace headway::credentials;
using namespace std::chrono_literals;

namespace {

constexpr base::WallTime now{base::Milliseconds{1'764'000'000'000}};

Tokens endingAt(base::WallTime end)
{
    Tokens tokens;
    tokens.access = tests::webToken(
        {{QStringLiteral("exp"), static_cast<double>(end.time_since_epoch().count()) / 1e3}});
    return tokens;
}

Tokens stored()
{
    Tokens tokens;
    tokens.issuer = "https://auth.openai.com";
    tokens.access = "old-access";
    tokens.refresh = "old-refresh";
    tokens.id = "old-id";
    tokens.accountId = "acc-1";
    return tokens;
}

} // namespace

class RefreshTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void renewsFiveMinutesBeforeTheEnd();
    void showsATokenUntilItsEnd();
    void renewsATokenWithoutEndAfterEightDays();
    void asksAsTheServerWantsIt();
    void takesWhatIsNewAndKeepsTheRest();
    void tellsWhatIsLostFromWhatPasses_data();
    void tellsWhatIsLostFromWhatPasses();
    void recordsNoWordThatIsNoCode_data();
    void recordsNoWordThatIsNoCode();
};

void RefreshTest::renewsFiveMinutesBeforeTheEnd()
{
    QVERIFY(needsRefresh(endingAt(now + 5min), now));
    QVERIFY(!needsRefresh(endingAt(now + 5min + 1ms), now));
    QVERIFY(needsRefresh(endingAt(now - 1h), now));
}

void RefreshTest::showsATokenUntilItsEnd()
{
    QVERIFY(isValid(endingAt(now + 1ms), now));
    QVERIFY(!isValid(endingAt(now), now));
    QVERIFY(isValid(stored(), now)); // names no end
}

void RefreshTest::renewsATokenWithoutEndAfterEightDays()
{
    Tokens tokens = stored();
    tokens.refreshedAt = now - 8 * 24h;
    QVERIFY(!needsRefresh(tokens, now));
    tokens.refreshedAt = now - 8 * 24h - 1ms;
    QVERIFY(needsRefresh(tokens, now));
    tokens.refreshedAt.reset();
    QVERIFY(needsRefresh(tokens, now));
}

void RefreshTest::asksAsTheServerWantsIt()
{
    QCOMPARE(refreshBody(stored()),
             std::string(R"({"client_id":"app_EMoamEEZ73f0CkXaXp7hrann",)"
                         R"("grant_type":"refresh_token","refresh_token":"old-refresh"})"));
}

void RefreshTest::takesWhatIsNewAndKeepsTheRest()
{
    const auto all = readRefresh(
        stored(), 200,
        R"({"id_token":"new-id","access_token":"new-access","refresh_token":"new-refresh"})", now);
    const auto *renewed = std::get_if<Refreshed>(&all);
    QVERIFY(renewed != nullptr);
    Tokens expected = stored();
    expected.access = "new-access";
    expected.refresh = "new-refresh";
    expected.id = "new-id";
    expected.refreshedAt = now;
    QVERIFY(renewed->tokens == expected);

    const auto least = readRefresh(stored(), 200, R"({"access_token":"new-access"})", now);
    const auto *kept = std::get_if<Refreshed>(&least);
    QVERIFY(kept != nullptr);
    expected.refresh = "old-refresh";
    expected.id = "old-id";
    QVERIFY(kept->tokens == expected);
}

void RefreshTest::tellsWhatIsLostFromWhatPasses_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("lost");
    QTest::newRow("401") << 401 << QByteArray() << true;
    QTest::newRow("401 with a page") << 401 << QByteArray("<html>") << true;
    QTest::newRow("expired") << 400 << QByteArray(R"({"error":{"code":"refresh_token_expired"}})")
                             << true;
    QTest::newRow("reused") << 400 << QByteArray(R"({"error":"refresh_token_reused"})") << true;
    QTest::newRow("invalidated") << 403 << QByteArray(R"({"code":"refresh_token_invalidated"})")
                                 << true;
    QTest::newRow("another code") << 400 << QByteArray(R"({"error":"server_busy"})") << false;
    QTest::newRow("500") << 500 << QByteArray() << false;
    QTest::newRow("429") << 429 << QByteArray() << false;
    QTest::newRow("a redirect") << 302 << QByteArray() << false;
    QTest::newRow("200 without a token") << 200 << QByteArray("{}") << false;
    QTest::newRow("200 with half an answer") << 200 << QByteArray(R"({"access_token":"a)") << false;
    QTest::newRow("200 with a token that would break its header")
        << 200 << QByteArray(R"({"access_token":"a\nb"})") << false;
}

void RefreshTest::tellsWhatIsLostFromWhatPasses()
{
    QFETCH(const int, status);
    QFETCH(const QByteArray, body);
    QFETCH(const bool, lost);
    const auto result = readRefresh(stored(), status, body.toStdString(), now);
    QCOMPARE(std::holds_alternative<SignInLost>(result), lost);
    QCOMPARE(std::holds_alternative<RefreshFailed>(result), !lost);
}

void RefreshTest::recordsNoWordThatIsNoCode_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("code");
    QTest::newRow("nested") << QByteArray(R"({"error":{"code":"abc_1"}})") << QByteArray("abc_1");
    QTest::newRow("flat") << QByteArray(R"({"error":"abc"})") << QByteArray("abc");
    QTest::newRow("a sentence") << QByteArray(R"({"error":"Token SECRET is bad"})") << QByteArray();
    QTest::newRow("too long") << QByteArray("{\"error\":\"" + QByteArray(65, 'a') + "\"}")
                              << QByteArray();
    QTest::newRow("no JSON") << QByteArray("gateway") << QByteArray();
}

void RefreshTest::recordsNoWordThatIsNoCode()
{
    QFETCH(const QByteArray, body);
    QFETCH(const QByteArray, code);
    QCOMPARE(QByteArray::fromStdString(errorCode(body.toStdString())), code);
}

QTEST_APPLESS_MAIN(RefreshTest)
#include "tst_refresh.moc"
