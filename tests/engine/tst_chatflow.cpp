// SPDX-License-Identifier: GPL-3.0-or-later
// Chat completions end to end over real sockets; the provider's own counts are the oracle.
#include "tests/support/proxyfixture.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using tests::HttpCall;
using tests::ProxyFixture;

class ChatFlowTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aStreamedTurnEndsWithDone();
    void aTurnThatIsNotStreamedIsOneCompletion();
    void theTurnAfterAToolCallContinuesOnTheSameConnection();
    void aConversationIsKnownByItsCacheKey_data();
    void aConversationIsKnownByItsCacheKey();
    void samplingGoesUpWhereTheModelTakesIt();
    void anErrorBeforeTheStreamHasAStatus();
    void aBadBodyIsRefusedInTheDialectsForm();
};

namespace {

simulator::Scenario quick()
{
    simulator::Scenario scenario;
    scenario.connect = {0ms, 0ms};
    scenario.firstToken = {0ms, 0ms};
    scenario.turn = {1ms, 2ms};
    return scenario;
}

QJsonObject parse(const QByteArray &json)
{
    return QJsonDocument::fromJson(json).object();
}

QByteArray body(const QJsonArray &messages, const QByteArray &more)
{
    return R"({"model":"m",)" + more + R"(,"messages":)"
        + QJsonDocument(messages).toJson(QJsonDocument::Compact) + "}";
}

QJsonObject said(const char *role, const QString &text)
{
    return {{QStringLiteral("role"), QString::fromUtf8(role)}, {QStringLiteral("content"), text}};
}

// The text of a streamed reply, as a client puts it together.
QString textOf(const HttpCall &call)
{
    QString text;
    for (const QByteArray &line : call.body().split('\n')) {
        if (line.startsWith("data: {"))
            text += parse(line.mid(6))[QStringLiteral("choices")][0][QStringLiteral("delta")]
                                      [QStringLiteral("content")]
                                          .toString();
    }
    return text;
}

QJsonObject messageOf(const HttpCall &call)
{
    return parse(call.body())[QStringLiteral("choices")][0][QStringLiteral("message")].toObject();
}

} // namespace

void ChatFlowTest::aStreamedTurnEndsWithDone()
{
    ProxyFixture proxy(quick());
    proxy.start();
    const auto call = proxy.post("/v1/chat/completions",
                                 body({said("user", QStringLiteral("hello"))}, "\"stream\":true"));
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 200);
    QCOMPARE(call->header("content-type").left(17), QByteArray("text/event-stream"));
    QVERIFY(call->header("x-request-id").startsWith("req_"));
    QVERIFY(call->body().endsWith("\n\ndata: [DONE]\n\n"));
    QVERIFY(!textOf(*call).isEmpty());
}

void ChatFlowTest::aTurnThatIsNotStreamedIsOneCompletion()
{
    ProxyFixture proxy(quick());
    proxy.start();
    const auto call = proxy.post("/v1/chat/completions",
                                 body({said("user", QStringLiteral("hello"))}, "\"n\":1"));
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 200);
    const QJsonObject completion = parse(call->body());
    QCOMPARE(completion[QStringLiteral("object")].toString(), QStringLiteral("chat.completion"));
    QCOMPARE(completion[QStringLiteral("model")].toString(), QStringLiteral("m"));
    QVERIFY(completion[QStringLiteral("usage")][QStringLiteral("prompt_tokens")].toInt() > 0);
    QVERIFY(!messageOf(*call)[QStringLiteral("content")].toString().isEmpty());
}

void ChatFlowTest::theTurnAfterAToolCallContinuesOnTheSameConnection()
{
    simulator::Scenario scenario = quick();
    scenario.replies.push_back({.kind = simulator::Reply::Kind::Reasoning});
    scenario.replies.push_back({.kind = simulator::Reply::Kind::Tools, .n = 2});
    ProxyFixture proxy(scenario);
    proxy.start();
    const QByteArray more
        = R"("prompt_cache_key":"k","tools":[{"type":"function","function":{"name":"Bash","parameters":{"type":"object","properties":{"command":{"type":"string"}},"required":["command"]}}}])";
    QJsonArray messages{said("system", QStringLiteral("be kind")),
                        said("user", QStringLiteral("list the files"))};
    const auto first = proxy.post("/v1/chat/completions", body(messages, more));
    QTRY_VERIFY(first->isComplete());
    QCOMPARE(first->status(), 200);
    messages.append(messageOf(*first));
    messages.append(said("user", QStringLiteral("and now?")));
    const auto second = proxy.post("/v1/chat/completions", body(messages, more));
    QTRY_VERIFY(second->isComplete());
    const QJsonObject asked = messageOf(*second);
    const QJsonArray calls = asked[QStringLiteral("tool_calls")].toArray();
    QCOMPARE(calls.size(), 2);
    QCOMPARE(parse(second->body())[QStringLiteral("choices")][0][QStringLiteral("finish_reason")]
                 .toString(),
             QStringLiteral("tool_calls"));
    messages.append(asked);
    for (const QJsonValue call : calls) {
        QCOMPARE(call[QStringLiteral("function")][QStringLiteral("name")].toString(),
                 QStringLiteral("Bash"));
        messages.append(QJsonObject{{QStringLiteral("role"), QStringLiteral("tool")},
                                    {QStringLiteral("tool_call_id"), call[QStringLiteral("id")]},
                                    {QStringLiteral("content"), QStringLiteral("a.txt")}});
    }
    const auto third = proxy.post("/v1/chat/completions", body(messages, more));
    QTRY_VERIFY(third->isComplete());
    QCOMPARE(third->status(), 200);
    const simulator::Statistics &seen = proxy.provider().statistics();
    QCOMPARE(seen.upgradesAccepted, std::uint64_t{1});
    QCOMPARE(seen.turns, std::uint64_t{3});
    QCOMPARE(seen.continuations, std::uint64_t{2});
}

void ChatFlowTest::aConversationIsKnownByItsCacheKey_data()
{
    QTest::addColumn<QByteArray>("more");
    QTest::addColumn<QByteArray>("later");
    QTest::addColumn<bool>("system");
    QTest::addColumn<bool>("continues");
    const QByteArray k = R"("prompt_cache_key":"k")";
    const QByteArray l = R"("prompt_cache_key":"l")";
    QTest::newRow("key") << k << k << false << true;
    QTest::newRow("another key") << k << l << false << false;
    QTest::newRow("user") << QByteArray(R"("user":"u")") << QByteArray(R"("user":"u")") << false
                          << true;
    QTest::newRow("system text") << QByteArray("\"n\":1") << QByteArray("\"n\":1") << true << true;
    QTest::newRow("nothing") << QByteArray("\"n\":1") << QByteArray("\"n\":1") << false << false;
}

void ChatFlowTest::aConversationIsKnownByItsCacheKey()
{
    QFETCH(const QByteArray, more);
    QFETCH(const QByteArray, later);
    QFETCH(const bool, system);
    QFETCH(const bool, continues);
    ProxyFixture proxy(quick());
    proxy.start();
    QJsonArray messages;
    if (system)
        messages.append(said("system", QStringLiteral("be kind")));
    messages.append(said("user", QStringLiteral("hello")));
    const auto first = proxy.post("/v1/chat/completions", body(messages, more));
    QTRY_VERIFY(first->isComplete());
    messages.append(messageOf(*first));
    messages.append(said("user", QStringLiteral("and now?")));
    const auto second = proxy.post("/v1/chat/completions", body(messages, later));
    QTRY_VERIFY(second->isComplete());
    QCOMPARE(second->status(), 200);
    QCOMPARE(proxy.provider().statistics().continuations, std::uint64_t(continues ? 1 : 0));
}

void ChatFlowTest::samplingGoesUpWhereTheModelTakesIt()
{
    ProxyFixture proxy(quick());
    proxy.models = {"warm=gpt-4.1", "cold=gpt-5.6"}; // the model it goes to decides, not its alias
    proxy.start();
    for (const bool taken : {true, false}) {
        const QByteArray body = QByteArray(R"({"model":")") + (taken ? "warm" : "cold")
            + R"(","temperature":0.25,"messages":[{"role":"user","content":"hi"}]})";
        const auto call = proxy.post("/v1/chat/completions", body);
        QTRY_VERIFY(call->isComplete());
        QCOMPARE(call->status(), 200);
        const QJsonValue sent = proxy.wire().last().body.value(QStringLiteral("temperature"));
        QCOMPARE(sent, taken ? QJsonValue(0.25) : QJsonValue(QJsonValue::Undefined));
    }
}

void ChatFlowTest::anErrorBeforeTheStreamHasAStatus()
{
    simulator::Scenario scenario = quick();
    simulator::Fault fault;
    fault.kind = simulator::Fault::Kind::ErrorEvent;
    fault.count = 20;
    fault.status = 400;
    fault.code = "invalid_prompt";
    scenario.faults.push_back(fault);
    ProxyFixture proxy(scenario);
    proxy.start();
    const auto call = proxy.post("/v1/chat/completions",
                                 body({said("user", QStringLiteral("hello"))}, "\"stream\":true"));
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 400);
    const QJsonObject error = parse(call->body())[QStringLiteral("error")].toObject();
    QCOMPARE(error[QStringLiteral("code")].toString(), QStringLiteral("invalid_prompt"));
}

void ChatFlowTest::aBadBodyIsRefusedInTheDialectsForm()
{
    ProxyFixture proxy(quick());
    proxy.start();
    const auto call = proxy.post("/v1/chat/completions",
                                 body({said("user", QStringLiteral("hello"))}, "\"n\":2"));
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(call->status(), 400);
    const QJsonObject error = parse(call->body())[QStringLiteral("error")].toObject();
    QCOMPARE(error[QStringLiteral("param")].toString(), QStringLiteral("n"));
    QCOMPARE(error[QStringLiteral("type")].toString(), QStringLiteral("invalid_request_error"));
    QCOMPARE(proxy.provider().statistics().upgradesAccepted, std::uint64_t{0});
}

QTEST_GUILESS_MAIN(ChatFlowTest)
#include "tst_chatflow.moc"
