// SPDX-License-Identifier: GPL-3.0-or-later
// Turns on the ChatGPT plan end to end: spec/heads.md section 8 (upgrade 401), cases B97 and B100,
// and no secret anywhere (spec/safety.md, "What may go out").
#include "tests/support/planstandin.h"
#include "tests/support/proxyfixture.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <memory>
#include <vector>

using namespace headway;
using namespace std::chrono_literals;
using tests::HttpCall;
using tests::messagesBody;
using tests::PlanStandIn;
using tests::ProxyFixture;

namespace {

simulator::Scenario plan(std::vector<simulator::Fault> faults = {})
{
    simulator::Scenario scenario;
    scenario.faults = std::move(faults);
    scenario.connect = {0ms, 0ms};
    scenario.firstToken = {0ms, 0ms};
    scenario.turn = {1ms, 2ms};
    scenario.planEndpoint = true;
    return scenario;
}

// More than a frame may hold.
QByteArray largeBody()
{
    const QByteArray text(qsizetype{6} << 20, 'x');
    return messagesBody({text, text, text});
}

// A proxy whose upstream is a stand-in for the plan, with a simulated provider behind it.
struct Stage
{
    explicit Stage(std::vector<simulator::Fault> faults = {})
        : proxy(plan(std::move(faults)))
        , server(proxy.providerPort())
        , signInPath(proxy.folder() + QStringLiteral("/chatgpt.json"))
    {
        proxy.endpoint = net::parseEndpoint(server.responsesUrl().toStdString()).value();
        proxy.endpoint->name = "chatgpt";
        engine::PlanOptions options;
        options.issuer = server.issuer().toStdString();
        options.server = net::parseEndpoint(options.issuer).value();
        options.storePath = signInPath;
        options.useKeychain = false;
        proxy.plan = options;
    }

    void put(const QByteArray &signIn) const
    {
        QFile file(signInPath);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(signIn);
    }

    [[nodiscard]] live::SignIn signIn() { return proxy.engine().snapshot()->signIn; }

    [[nodiscard]] QByteArray allOfTheLedger() const
    {
        QByteArray all;
        for (const char *suffix : {"", "-wal"}) {
            QFile file(proxy.ledgerPath() + QLatin1String(suffix));
            if (file.open(QIODevice::ReadOnly))
                all += file.readAll();
        }
        return all;
    }

    ProxyFixture proxy;
    PlanStandIn server;
    QString signInPath;
};

} // namespace

class PlanFlowTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aTurnCarriesTokenAndAccount();
    void nothingGoesUpThatThePlanRefuses();
    void twentyTurnsAtOnceRenewOnce();
    void aRefusedTokenIsRenewedOnceAndTheTurnGoesOn();
    void aTokenRefusedOnAnOpenSocketIsRenewedOnceAndTheTurnGoesOn_data();
    void aTokenRefusedOnAnOpenSocketIsRenewedOnceAndTheTurnGoesOn();
    void aSecondRefusalIsTheEndOfTheTurn();
    void aRefusalIsForgottenWithItsToken();
    void aMissingSignInIsSaidBeforeAnyTurn();
    void aSignInBeyondRenewalIsSaidBeforeAnyTurn();
    void aTurnWithoutASignInSaysWhatToDo();
    void aTurnOverHttpsCarriesTokenAndAccount();
    void aTokenRefusedOverHttpsIsRenewedOnceAndTheTurnGoesOn();
    void aTurnOverHttpsWithoutASignInSaysWhatToDo();
    void aModelGetsTheHeadersOfItsProfile();
    void theConversationGoesOnAcrossARenewal();
    void noSecretIsInAnythingThatComesOut();
};

void PlanFlowTest::aTurnCarriesTokenAndAccount()
{
    Stage stage;
    stage.put(stage.server.signIn(3600));
    stage.proxy.start();
    const auto call = stage.proxy.post("/v1/messages", messagesBody({"hello"}), "s1");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 200);
    QCOMPARE(call->events().last(), QByteArray("message_stop"));
    QCOMPARE(stage.server.doorHeader("chatgpt-account-id"), QByteArray("acc-stand-in"));
    QCOMPARE(stage.server.doorHeader("originator"), QByteArray("headway"));
    QCOMPARE(stage.server.doorHeader("openai-beta"), QByteArray("responses_websockets=2026-02-06"));
    QVERIFY(stage.server.doorHeader("authorization").endsWith("SECRETMARKERaccess1"));
}

void PlanFlowTest::nothingGoesUpThatThePlanRefuses()
{
    Stage stage;
    stage.put(stage.server.signIn(3600));
    stage.proxy.start();
    const auto call = stage.proxy.post(
        "/v1/messages",
        R"({"model":"gpt-4.1","max_tokens":9,"temperature":1,"messages":[{"role":"user","content":[)"
        R"({"type":"text","text":"hi","cache_control":{"type":"ephemeral","ttl":"1h"}}]}]})",
        "s1");
    QTRY_VERIFY(call->isComplete());
    QVERIFY2(call->status() == 200, call->body().constData());
    const QJsonObject sent = stage.proxy.wire().last().body;
    for (const char *name : {"temperature", "max_output_tokens", "prompt_cache_options"})
        QVERIFY2(!sent.contains(QLatin1String(name)), name);
}

void PlanFlowTest::twentyTurnsAtOnceRenewOnce()
{
    Stage stage;
    stage.proxy.settings.set(settings::Source::CommandLine, settings::Key::Policy, "off");
    stage.put(stage.server.signIn(3600));
    stage.proxy.start();
    stage.put(stage.server.signIn(-60)); // so that the turns find it, not the start
    std::vector<std::unique_ptr<HttpCall>> calls;
    for (int i = 0; i < 20; ++i)
        calls.push_back(stage.proxy.post("/v1/messages", messagesBody({"hello"}),
                                         QByteArray("s" + QByteArray::number(i))));
    for (const auto &call : calls) {
        QTRY_VERIFY(call->isComplete());
        QCOMPARE(call->status(), 200);
    }
    QCOMPARE(stage.server.redeemed(), 1);
    QCOMPARE(stage.server.reused(), 0);
    QCOMPARE(stage.server.refusedDoors(), 0);
}

void PlanFlowTest::aRefusedTokenIsRenewedOnceAndTheTurnGoesOn()
{
    Stage stage;
    stage.put(stage.server.signIn(3600));
    stage.proxy.start();
    stage.server.revokeAccess();
    const auto call = stage.proxy.post("/v1/messages", messagesBody({"hello"}), "s1");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 200);
    QCOMPARE(stage.server.doors(), 2);
    QCOMPARE(stage.server.refusedDoors(), 1);
    QCOMPARE(stage.server.redeemed(), 1);
}

void PlanFlowTest::aTokenRefusedOnAnOpenSocketIsRenewedOnceAndTheTurnGoesOn_data()
{
    QTest::addColumn<bool>("overHttps");
    QTest::newRow("an open socket") << false;
    QTest::newRow("the reply of a call") << true;
}

void PlanFlowTest::aTokenRefusedOnAnOpenSocketIsRenewedOnceAndTheTurnGoesOn()
{
    QFETCH(const bool, overHttps);
    simulator::Fault refused;
    refused.kind = simulator::Fault::Kind::ErrorEvent;
    refused.status = 401;
    refused.code = "token_expired";
    refused.count = 1;
    refused.afterEvents = 1; // of a reply that was accepted
    Stage stage({refused});
    stage.put(stage.server.signIn(3600));
    stage.proxy.start();
    const auto call
        = stage.proxy.post("/v1/messages", overHttps ? largeBody() : messagesBody({"hello"}), "s1");
    QTRY_VERIFY_WITH_TIMEOUT(call->isComplete(), 20'000);
    QVERIFY2(call->status() == 200, call->body().right(500).constData());
    QCOMPARE(stage.server.redeemed(), 1);
    QCOMPARE(stage.server.doors(), 2);
    QVERIFY(stage.server.doorHeader("authorization").endsWith("SECRETMARKERaccess2"));
}

void PlanFlowTest::aSecondRefusalIsTheEndOfTheTurn()
{
    Stage stage;
    stage.put(stage.server.signIn(3600));
    stage.proxy.start();
    stage.server.revokeAccess();
    stage.server.refusal = 401; // and the sign-in is lost too
    const auto call = stage.proxy.post("/v1/messages", messagesBody({"hello"}), "s1");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 401);
    QVERIFY2(call->body().contains("headway login chatgpt"), call->body().constData());
    QCOMPARE(stage.server.doors(), 1);
}

// The token is renewed after the refusal, and signed in anew later: neither was refused at a
// socket.
void PlanFlowTest::aRefusalIsForgottenWithItsToken()
{
    simulator::Fault refused;
    refused.kind = simulator::Fault::Kind::RejectUpgrades;
    refused.status = 401;
    refused.count = 100;
    simulator::Fault refusedPost; // or the turn would go over HTTPS
    refusedPost.kind = simulator::Fault::Kind::ErrorEvent;
    refusedPost.status = 401;
    refusedPost.code = "token_expired";
    refusedPost.count = 100;
    Stage stage({refused, refusedPost});
    stage.put(stage.server.signIn(3600));
    stage.proxy.start();
    const auto call = stage.proxy.post("/v1/messages", messagesBody({"hello"}), "s1");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 401);
    const auto upstream = [&stage] { return stage.proxy.engine().snapshot()->upstreamState; };
    stage.put(stage.server.signIn(3600));
    stage.proxy.engine().catchUp();
    QTRY_COMPARE(upstream(), std::string("untried"));
}

void PlanFlowTest::aMissingSignInIsSaidBeforeAnyTurn()
{
    Stage stage;
    stage.proxy.start();
    QTRY_VERIFY(stage.signIn().state == live::SignInState::Lacking);
    const auto snapshot = stage.proxy.engine().snapshot();
    QVERIFY(snapshot->signIn.trouble.find("headway login chatgpt") != std::string::npos);
    QCOMPARE(snapshot->upstreamState, "no credential: " + snapshot->signIn.trouble);
    QCOMPARE(snapshot->notices, std::vector<std::string>{snapshot->signIn.trouble});
    QCOMPARE(stage.server.requests().size(), 0);
    // Somebody signs in, in whatever process; no turn asks for it.
    stage.put(stage.server.signIn(3600));
    stage.proxy.engine().catchUp();
    QTRY_VERIFY(stage.signIn().state == live::SignInState::SignedIn);
    const auto after = stage.proxy.engine().snapshot();
    QCOMPARE(after->signIn.who, std::string(PlanStandIn::email));
    QCOMPARE(after->signIn.plan, std::string("pro"));
    QVERIFY(!after->signIn.isOfCodex);
    QVERIFY(after->signIn.trouble.empty());
    QCOMPARE(after->upstreamState, std::string("untried"));
    QVERIFY(after->notices.empty());
    // And out again.
    QVERIFY(QFile::remove(stage.signInPath));
    stage.proxy.engine().catchUp();
    QTRY_VERIFY(stage.signIn().state == live::SignInState::Lacking);
}

void PlanFlowTest::aSignInBeyondRenewalIsSaidBeforeAnyTurn()
{
    Stage stage;
    stage.put(stage.server.signIn(-60));
    stage.server.refusal = 400;
    stage.server.refusalBody = R"({"error":{"code":"refresh_token_expired"}})";
    stage.proxy.start();
    QTRY_VERIFY(stage.signIn().state == live::SignInState::Lacking);
    QVERIFY(stage.signIn().trouble.find("headway login chatgpt") != std::string::npos);
    QCOMPARE(stage.server.doors(), 0);
}

void PlanFlowTest::aTurnWithoutASignInSaysWhatToDo()
{
    Stage stage;
    stage.proxy.start();
    const auto call = stage.proxy.post("/v1/messages", messagesBody({"hello"}), "s1");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 401);
    QVERIFY(call->body().contains("authentication_error"));
    QVERIFY2(call->body().contains("headway login chatgpt"), call->body().constData());
    QCOMPARE(stage.server.doors(), 0);
    const auto snapshot = stage.proxy.engine().snapshot();
    QVERIFY(!snapshot->notices.empty());
}

void PlanFlowTest::aTurnOverHttpsCarriesTokenAndAccount()
{
    simulator::Fault noUpgrades;
    noUpgrades.kind = simulator::Fault::Kind::RejectUpgrades;
    noUpgrades.count = 1000;
    noUpgrades.status = 426;
    Stage stage({noUpgrades});
    stage.put(stage.server.signIn(3600));
    stage.proxy.start();
    const auto call = stage.proxy.post("/v1/messages", messagesBody({"hello"}), "s1");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 200);
    QCOMPARE(call->events().last(), QByteArray("message_stop"));
    QVERIFY(stage.server.requests().last().startsWith("POST "));
    QCOMPARE(stage.server.doorHeader("chatgpt-account-id"), QByteArray("acc-stand-in"));
    QCOMPARE(stage.server.doorHeader("originator"), QByteArray("headway"));
    QVERIFY(stage.server.doorHeader("authorization").endsWith("SECRETMARKERaccess1"));
}

// What is too large for a frame is called by HTTPS first (spec/turns.md).
void PlanFlowTest::aTokenRefusedOverHttpsIsRenewedOnceAndTheTurnGoesOn()
{
    Stage stage;
    stage.put(stage.server.signIn(3600));
    stage.proxy.start();
    stage.server.revokeAccess();
    const auto call = stage.proxy.post("/v1/messages", largeBody(), "s1");
    QTRY_VERIFY_WITH_TIMEOUT(call->isComplete(), 20'000);
    QVERIFY2(call->status() == 200, call->body().right(500).constData());
    const QByteArray post("POST /backend-api/codex/responses HTTP/1.1");
    QCOMPARE(stage.server.requests(),
             QList<QByteArray>({post, "POST /oauth/token HTTP/1.1", post}));
    QVERIFY(stage.server.doorHeader("authorization").endsWith("SECRETMARKERaccess2"));
    QCOMPARE(stage.server.redeemed(), 1);
}

void PlanFlowTest::aTurnOverHttpsWithoutASignInSaysWhatToDo()
{
    Stage stage;
    stage.proxy.start();
    const auto call = stage.proxy.post("/v1/messages", largeBody(), "s1");
    QTRY_VERIFY_WITH_TIMEOUT(call->isComplete(), 20'000);
    QCOMPARE(call->status(), 401);
    QVERIFY2(call->body().contains("headway login chatgpt"), call->body().constData());
    QCOMPARE(stage.server.doors(), 0);
}

void PlanFlowTest::aModelGetsTheHeadersOfItsProfile()
{
    Stage stage;
    stage.put(stage.server.signIn(3600));
    QVERIFY(stage.proxy.headerProfiles.add("test-model: x-test-lite=true").has_value());
    stage.proxy.start();
    const auto call = stage.proxy.post("/v1/messages", messagesBody({"hello"}), "s1");
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(stage.server.doorHeader("x-test-lite"), QByteArray("true"));
}

// spec/heads.md section 1: a token refresh must not abandon a chain.
void PlanFlowTest::theConversationGoesOnAcrossARenewal()
{
    Stage stage;
    stage.put(stage.server.signIn(3600));
    stage.proxy.start();
    const auto first = stage.proxy.post("/v1/messages", messagesBody({"hello"}, false), "s1");
    QTRY_VERIFY(first->isComplete());
    QCOMPARE(first->status(), 200);
    stage.put(stage.server.signIn(-60));
    const auto other = stage.proxy.post("/v1/messages", messagesBody({"else"}), "s2");
    QTRY_VERIFY(other->isComplete());
    QCOMPARE(stage.server.redeemed(), 1);
    const auto reply = QJsonDocument::fromJson(first->body()).object();
    const QByteArray text = reply.value(QStringLiteral("content"))
                                .toArray()
                                .first()
                                .toObject()
                                .value(QStringLiteral("text"))
                                .toString()
                                .toUtf8();
    const auto second
        = stage.proxy.post("/v1/messages", messagesBody({"hello", text, "more"}), "s1");
    QTRY_VERIFY(second->isComplete());
    QCOMPARE(second->status(), 200);
    QCOMPARE(stage.server.doors(), 2); // the second turn of s1 opened nothing
}

void PlanFlowTest::noSecretIsInAnythingThatComesOut()
{
    Stage stage;
    stage.put(stage.server.signIn(3600));
    stage.proxy.start();
    stage.server.revokeAccess(); // the 401 quotes the token
    QByteArray replies;
    for (int round = 0; round < 2; ++round) {
        const auto call = stage.proxy.post("/v1/messages", messagesBody({"hello"}), "s1");
        QTRY_VERIFY(call->isComplete());
        replies += call->body();
        stage.server.refusal = 400; // and this one the refresh token
        stage.server.refusalBody = R"({"error":{"code":"refresh_token_reused",)"
                                   R"("message":"SECRETMARKERrefresh2"}})";
        stage.server.revokeAccess();
        (void)stage.proxy.engine().snapshot();
    }
    const auto last = stage.proxy.post("/v1/messages", messagesBody({"other"}), "s2");
    QTRY_VERIFY(last->isComplete());
    QCOMPARE(last->status(), 401);
    replies += last->body();
    const auto snapshot = stage.proxy.engine().snapshot();
    for (const std::string &notice : snapshot->notices)
        replies += QByteArray::fromStdString(notice);
    replies += QByteArray::fromStdString(snapshot->upstreamState);
    stage.proxy.stop();
    QVERIFY2(!replies.contains(PlanStandIn::marker), replies.constData());
    const QByteArray ledger = stage.allOfTheLedger();
    QVERIFY(ledger.size() > 1000);
    QVERIFY(!ledger.contains(PlanStandIn::marker));
    QVERIFY(!ledger.contains("acc-stand-in"));
    QVERIFY(!ledger.contains(PlanStandIn::email));
}

QTEST_GUILESS_MAIN(PlanFlowTest)
#include "tst_planflow.moc"
