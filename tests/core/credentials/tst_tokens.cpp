// SPDX-License-Identifier: GPL-3.0-or-later
// What is kept of a sign-in, and what Codex's own file says (protocol notes 2.7).
#include "proxy/core/credentials/tokens.h"
#include "tests/support/webtoken.h"

#include <QTest>

#include <chrono>

using namespace headway;
using namespace headway::credentials;

namespace {

const std::string server = "https://auth.openai.com";

} // namespace

class TokensTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsBackWhatItWrote();
    void refusesWhatIsNotOurs_data();
    void refusesWhatIsNotOurs();
    void readsTheSignInOfCodex();
    void takesTheIssuerOutOfCodexsToken();
    void saysWhyCodexsFileCannotBeUsed_data();
    void saysWhyCodexsFileCannotBeUsed();
    void findsTheAccountWhereverItStands();
};

void TokensTest::readsBackWhatItWrote()
{
    const Tokens tokens{
        .issuer = server,
        .access = "access-1",
        .refresh = "quote \" and \\ and ü",
        .id = "id-1",
        .accountId = "acc-1",
        .refreshedAt = base::WallTime{std::chrono::milliseconds{1'764'000'000'123}},
    };
    const auto again = parseTokens(serialized(tokens));
    QVERIFY(again.has_value());
    QVERIFY(*again == tokens);
    const Tokens least{.issuer = server,
                       .access = "a",
                       .refresh = {},
                       .id = {},
                       .accountId = {},
                       .refreshedAt = {}};
    QVERIFY(parseTokens(serialized(least)) == least);
}

void TokensTest::refusesWhatIsNotOurs_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("no JSON") << QByteArray("access_key=abc");
    QTest::newRow("no issuer") << QByteArray(R"({"access_token":"a"})");
    QTest::newRow("no access token") << QByteArray(R"({"issuer":"https://x"})");
    QTest::newRow("a token that would end its header line")
        << QByteArray(R"({"issuer":"https://x","access_token":"a\r\nx-evil: 1"})");
    QTest::newRow("an array") << QByteArray("[]");
}

void TokensTest::refusesWhatIsNotOurs()
{
    QFETCH(const QByteArray, text);
    QVERIFY(!parseTokens(text.toStdString()).has_value());
}

void TokensTest::readsTheSignInOfCodex()
{
    const auto tokens = parseCodexSignIn(R"({
  "auth_mode": "chatgpt",
  "OPENAI_API_KEY": null,
  "tokens": {
    "id_token": "id.of.codex",
    "access_token": "access.of.codex",
    "refresh_token": "refresh-of-codex",
    "account_id": "acc-7"
  },
  "last_refresh": "2026-11-24T16:00:00.500Z"
})",
                                         server);
    QVERIFY(tokens.has_value());
    QCOMPARE(tokens->issuer, server);
    QCOMPARE(tokens->access, std::string("access.of.codex"));
    QCOMPARE(tokens->refresh, std::string("refresh-of-codex"));
    QCOMPARE(tokens->id, std::string("id.of.codex"));
    QCOMPARE(tokens->accountId, std::string("acc-7"));
    QCOMPARE(tokens->refreshedAt->time_since_epoch().count(), qint64{1'795'536'000'500});
}

void TokensTest::takesTheIssuerOutOfCodexsToken()
{
    const std::string access
        = tests::webToken({{QStringLiteral("iss"), QStringLiteral("https://elsewhere")}});
    const auto tokens
        = parseCodexSignIn("{\"tokens\":{\"access_token\":\"" + access + "\"}}", server);
    QVERIFY(tokens.has_value());
    QCOMPARE(tokens->issuer, std::string("https://elsewhere"));
}

void TokensTest::saysWhyCodexsFileCannotBeUsed_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("no JSON") << QByteArray("{") << QByteArray("cannot be read");
    QTest::newRow("key only") << QByteArray(R"({"OPENAI_API_KEY":"sk-SECRET-1"})")
                              << QByteArray("API key");
    QTest::newRow("signed out") << QByteArray(R"({"tokens":null})")
                                << QByteArray("no plan sign-in");
}

void TokensTest::saysWhyCodexsFileCannotBeUsed()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QByteArray, says);
    const auto tokens = parseCodexSignIn(text.toStdString(), server);
    QVERIFY(!tokens.has_value());
    QVERIFY2(QByteArray::fromStdString(tokens.error()).contains(says), tokens.error().c_str());
    QVERIFY(!QByteArray::fromStdString(tokens.error()).contains("SECRET"));
}

void TokensTest::findsTheAccountWhereverItStands()
{
    const auto naming = [](const char *account) {
        const QJsonObject claims{{QStringLiteral("chatgpt_account_id"), QLatin1String(account)}};
        return tests::webToken({{QStringLiteral("https://api.openai.com/auth"), claims}});
    };
    Tokens tokens;
    tokens.access = naming("of-access");
    QCOMPARE(accountOf(tokens), std::string("of-access"));
    tokens.id = naming("of-id");
    QCOMPARE(accountOf(tokens), std::string("of-id"));
    tokens.accountId = "stored";
    QCOMPARE(accountOf(tokens), std::string("stored"));
    QVERIFY(accountOf(Tokens{}).empty());
}

QTEST_APPLESS_MAIN(TokensTest)
#include "tst_tokens.moc"
