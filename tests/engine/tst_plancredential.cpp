// SPDX-License-Identifier: GPL-3.0-or-later
// The plan's sign-in and its one renewal: spec/safety.md, cases B96 and B97, protocol notes 2.7.
#include "proxy/engine/plancredential.h"
#include "tests/support/planstandin.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <vector>

using namespace headway;
using engine::PlanCredential;
using tests::PlanStandIn;

namespace {

// What became of one question.
struct Asked
{
    int answers = 0;
    std::optional<credentials::Tokens> tokens;
    engine::CredentialError error;
};

} // namespace

class PlanCredentialTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void showsAFreshTokenWithoutAnyCall();
    void renewsOnceForTwentyWhoAsk();
    void keepsTheNextRefreshTokenBeforeAnybodyGetsTheNewOne();
    void renewsOnceForTwoWhoShareTheSignIn();
    void takesWhatAnotherRenewedInTheMeantime();
    void renewsWhatTheProviderRefused();
    void showsAnOldTokenWhileItLivesWhenTheServerIsAway();
    void asksADeadServerAgainOnlyLater();
    void saysThatTheSignInIsLost_data();
    void saysThatTheSignInIsLost();
    void findsANewSignInAfterTheOldOneWasLost();
    void readsCodexsSignInAndNeverRenewsIt();
    void rereadsCodexsSignInWhenItChanges();
    void prefersItsOwnSignIn();
    void showsNoTokenToAnotherServer();
    void saysWhatToDoWithoutASignIn();
    void answersNobodyWhoHasGone();

private:
    [[nodiscard]] std::unique_ptr<PlanCredential> credential() const;
    void put(const QString &path, const QByteArray &content) const;
    [[nodiscard]] std::string stored() const; // its refresh token
    static void ask(PlanCredential &credential, Asked &asked);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<PlanStandIn> m_server;
    QString m_own;
    QString m_codex;
};

void PlanCredentialTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    m_server = std::make_unique<PlanStandIn>();
    m_own = m_folder->filePath(QStringLiteral("chatgpt.json"));
    m_codex = m_folder->filePath(QStringLiteral("auth.json"));
}

std::unique_ptr<PlanCredential> PlanCredentialTest::credential() const
{
    engine::PlanOptions options;
    options.issuer = m_server->issuer().toStdString();
    options.server = net::parseEndpoint(options.issuer).value();
    options.storePath = m_own;
    options.useKeychain = false;
    options.codexPath = m_codex;
    return std::make_unique<PlanCredential>(std::move(options));
}

void PlanCredentialTest::put(const QString &path, const QByteArray &content) const
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
}

std::string PlanCredentialTest::stored() const
{
    QFile file(m_own);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const auto tokens = credentials::parseTokens(file.readAll().toStdString());
    return tokens ? tokens->refresh : std::string();
}

void PlanCredentialTest::ask(PlanCredential &credential, Asked &asked)
{
    credential.ask(&credential, [&asked](const PlanCredential::Result &result) {
        ++asked.answers;
        if (result)
            asked.tokens = *result;
        else
            asked.error = result.error();
    });
}

void PlanCredentialTest::showsAFreshTokenWithoutAnyCall()
{
    put(m_own, m_server->signIn(3600));
    const auto plan = credential();
    Asked asked;
    ask(*plan, asked);
    QCOMPARE(asked.answers, 1); // at once
    QVERIFY(asked.tokens.has_value());
    QVERIFY(QByteArray::fromStdString(asked.tokens->access).endsWith("SECRETMARKERaccess1"));
    QVERIFY(m_server->requests().isEmpty());
}

void PlanCredentialTest::renewsOnceForTwentyWhoAsk()
{
    put(m_own, m_server->signIn(-60));
    const auto plan = credential();
    std::vector<Asked> asked(20);
    for (Asked &one : asked)
        ask(*plan, one);
    for (const Asked &one : asked)
        QTRY_COMPARE(one.answers, 1);
    for (const Asked &one : asked) {
        QVERIFY(one.tokens.has_value());
        QVERIFY(QByteArray::fromStdString(one.tokens->access).endsWith("SECRETMARKERaccess2"));
    }
    QCOMPARE(m_server->redeemed(), 1);
    QCOMPARE(m_server->requests(), QList<QByteArray>{"POST /oauth/token HTTP/1.1"});
}

void PlanCredentialTest::keepsTheNextRefreshTokenBeforeAnybodyGetsTheNewOne()
{
    put(m_own, m_server->signIn(-60));
    const auto plan = credential();
    std::string kept;
    plan->ask(plan.get(), [&](const PlanCredential::Result &) { kept = stored(); });
    QTRY_COMPARE(kept, std::string("SECRETMARKERrefresh2"));
    QCOMPARE(QFile::permissions(m_own)
                 & (QFileDevice::ReadGroup | QFileDevice::ReadOther | QFileDevice::WriteGroup
                    | QFileDevice::WriteOther),
             QFileDevice::Permissions());
}

// As two processes would: they share nothing but the folder.
void PlanCredentialTest::renewsOnceForTwoWhoShareTheSignIn()
{
    put(m_own, m_server->signIn(-60));
    m_server->holding = true;
    const auto one = credential();
    const auto other = credential();
    Asked first;
    Asked second;
    ask(*one, first);
    ask(*other, second);
    QTRY_COMPARE(m_server->requests().size(), 1);
    m_server->release();
    QTRY_COMPARE(first.answers, 1);
    QTRY_COMPARE(second.answers, 1);
    QCOMPARE(m_server->redeemed(), 1);
    QCOMPARE(m_server->reused(), 0);
    QVERIFY(first.tokens.has_value());
    QVERIFY(first.tokens == second.tokens);
}

void PlanCredentialTest::takesWhatAnotherRenewedInTheMeantime()
{
    put(m_own, m_server->signIn(-60));
    const auto plan = credential();
    Asked first;
    ask(*plan, first);
    QTRY_COMPARE(first.answers, 1);
    put(m_own, m_server->signIn(7200)); // another process
    Asked second;
    ask(*plan, second);
    QCOMPARE(second.answers, 1);
    QCOMPARE(second.tokens->refresh, std::string("SECRETMARKERrefresh3"));
    QCOMPARE(m_server->redeemed(), 1);
}

void PlanCredentialTest::renewsWhatTheProviderRefused()
{
    put(m_own, m_server->signIn(3600));
    const auto plan = credential();
    Asked first;
    ask(*plan, first);
    QVERIFY(first.tokens.has_value());
    plan->refused(first.tokens->access);
    Asked second;
    ask(*plan, second);
    QTRY_COMPARE(second.answers, 1);
    QVERIFY(second.tokens.has_value());
    QVERIFY(second.tokens->access != first.tokens->access);
    plan->refused(first.tokens->access); // a late one changes nothing
    Asked third;
    ask(*plan, third);
    QTRY_COMPARE(third.answers, 1);
    QVERIFY(third.tokens == second.tokens);
    QCOMPARE(m_server->redeemed(), 1);
}

void PlanCredentialTest::showsAnOldTokenWhileItLivesWhenTheServerIsAway()
{
    put(m_own, m_server->signIn(120)); // within five minutes of its end
    m_server->refusal = 503;
    const auto plan = credential();
    Asked asked;
    ask(*plan, asked);
    QTRY_COMPARE(asked.answers, 1);
    QVERIFY(asked.tokens.has_value());
    QVERIFY(QByteArray::fromStdString(asked.tokens->access).endsWith("access1"));
    QCOMPARE(m_server->requests().size(), 1);
}

void PlanCredentialTest::asksADeadServerAgainOnlyLater()
{
    put(m_own, m_server->signIn(-60));
    m_server->refusal = 500;
    const auto plan = credential();
    Asked first;
    ask(*plan, first);
    QTRY_COMPARE(first.answers, 1);
    QVERIFY(!first.tokens.has_value());
    QVERIFY(first.error.passing);
    QVERIFY(first.error.text.contains(QStringLiteral("500")));
    Asked second;
    ask(*plan, second);
    QCOMPARE(second.answers, 1); // at once
    QVERIFY(second.error.passing);
    QCOMPARE(m_server->requests().size(), 1);
}

void PlanCredentialTest::saysThatTheSignInIsLost_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("401") << 401 << QByteArray();
    QTest::newRow("reused") << 400 << QByteArray(R"({"error":{"code":"refresh_token_reused"}})");
}

void PlanCredentialTest::saysThatTheSignInIsLost()
{
    QFETCH(const int, status);
    QFETCH(const QByteArray, body);
    put(m_own, m_server->signIn(-60));
    m_server->refusal = status;
    m_server->refusalBody = body;
    const auto plan = credential();
    for (int i = 0; i < 3; ++i) {
        Asked asked;
        ask(*plan, asked);
        QTRY_COMPARE(asked.answers, 1);
        QVERIFY(!asked.tokens.has_value());
        QVERIFY(!asked.error.passing);
        QVERIFY(asked.error.text.contains(QStringLiteral("headway login chatgpt")));
        QVERIFY(!asked.error.text.contains(QLatin1String(PlanStandIn::marker)));
    }
    QCOMPARE(m_server->requests().size(), 1); // a token known to be spent is not shown again
}

void PlanCredentialTest::findsANewSignInAfterTheOldOneWasLost()
{
    put(m_own, m_server->signIn(-60));
    m_server->refusal = 401;
    const auto plan = credential();
    Asked lost;
    ask(*plan, lost);
    QTRY_COMPARE(lost.answers, 1);
    put(m_own, m_server->signIn(3600));
    Asked found;
    ask(*plan, found);
    QTRY_COMPARE(found.answers, 1);
    QVERIFY(found.tokens.has_value());
}

void PlanCredentialTest::readsCodexsSignInAndNeverRenewsIt()
{
    const QByteArray before = m_server->codexSignIn(3600);
    put(m_codex, before);
    const auto plan = credential();
    Asked asked;
    ask(*plan, asked);
    QCOMPARE(asked.answers, 1);
    QVERIFY(asked.tokens.has_value());
    plan->refused(asked.tokens->access);
    Asked refused;
    ask(*plan, refused);
    QTRY_COMPARE(refused.answers, 1);
    QVERIFY(!refused.tokens.has_value());
    QVERIFY(!refused.error.passing);
    QVERIFY(m_server->requests().isEmpty());
    QFile file(m_codex);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), before);
}

void PlanCredentialTest::rereadsCodexsSignInWhenItChanges()
{
    put(m_codex, m_server->codexSignIn(-60));
    const auto plan = credential();
    Asked ended;
    ask(*plan, ended);
    QCOMPARE(ended.answers, 1);
    QVERIFY(!ended.tokens.has_value());
    QVERIFY(ended.error.text.contains(QStringLiteral("Run codex")));
    put(m_codex, m_server->codexSignIn(36'000)); // codex has renewed it
    Asked renewed;
    ask(*plan, renewed);
    QCOMPARE(renewed.answers, 1);
    QVERIFY(renewed.tokens.has_value());
    QVERIFY(m_server->requests().isEmpty());
}

void PlanCredentialTest::prefersItsOwnSignIn()
{
    put(m_own, m_server->signIn(3600));
    put(m_codex, m_server->codexSignIn(3600));
    const auto plan = credential();
    Asked asked;
    ask(*plan, asked);
    QVERIFY(asked.tokens.has_value());
    QVERIFY(QByteArray::fromStdString(asked.tokens->access).endsWith("access1"));
}

void PlanCredentialTest::showsNoTokenToAnotherServer()
{
    PlanStandIn other;
    put(m_own, other.signIn(3600));
    const auto plan = credential();
    Asked asked;
    ask(*plan, asked);
    QTRY_COMPARE(asked.answers, 1);
    QVERIFY(!asked.tokens.has_value());
    put(m_own, "{}");
    put(m_codex, other.codexSignIn(3600));
    Asked codexs;
    ask(*plan, codexs);
    QTRY_COMPARE(codexs.answers, 1);
    QVERIFY(!codexs.tokens.has_value());
    QVERIFY(m_server->requests().isEmpty());
    QVERIFY(other.requests().isEmpty());
}

void PlanCredentialTest::saysWhatToDoWithoutASignIn()
{
    const auto plan = credential();
    Asked asked;
    ask(*plan, asked);
    QCOMPARE(asked.answers, 1);
    QVERIFY(asked.error.text.contains(QStringLiteral("headway login chatgpt")));
    QVERIFY(!asked.error.passing);
}

void PlanCredentialTest::answersNobodyWhoHasGone()
{
    put(m_own, m_server->signIn(-60));
    const auto plan = credential();
    bool wrong = false;
    auto gone = std::make_unique<QObject>();
    plan->ask(gone.get(), [&](const PlanCredential::Result &) { wrong = true; });
    Asked stays;
    ask(*plan, stays);
    gone.reset();
    QTRY_COMPARE(stays.answers, 1);
    QVERIFY(!wrong);
}

QTEST_GUILESS_MAIN(PlanCredentialTest)
#include "tst_plancredential.moc"
