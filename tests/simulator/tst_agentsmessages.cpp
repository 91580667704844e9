// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/agents.h"
#include "tests/simulator/scriptedserver.h"

#include <QJsonArray>
#include <QSignalSpy>
#include <QTest>

using namespace headway::simulator;
using headway::base::Milliseconds;

namespace {

QByteArray sse(const QByteArray &name, const QByteArray &fields)
{
    return "event: " + name + "\ndata: {\"type\":\"" + name + '"'
        + (fields.isEmpty() ? QByteArray() : ',' + fields) + "}\n\n";
}

QByteArray opening()
{
    return sse("message_start",
               "\"message\":{\"id\":\"msg_1\",\"role\":\"assistant\",\"content\":[],\"usage\":{"
               "\"input_tokens\":40,\"cache_read_input_tokens\":60,\"output_tokens\":1}}");
}

QByteArray block(int index, const QByteArray &start, const QList<QByteArray> &deltas)
{
    const QByteArray place = "\"index\":" + QByteArray::number(index);
    QByteArray text = sse("content_block_start", place + ",\"content_block\":" + start);
    for (const QByteArray &delta : deltas)
        text += sse("content_block_delta", place + ",\"delta\":" + delta);
    return text + sse("content_block_stop", place);
}

QByteArray textBlock(int index)
{
    return block(index, "{\"type\":\"text\",\"text\":\"\"}",
                 {"{\"type\":\"text_delta\",\"text\":\"Hello \"}",
                  "{\"type\":\"text_delta\",\"text\":\"\\u00e9\"}"});
}

QByteArray closing(const QByteArray &reason)
{
    return sse("message_delta",
               "\"delta\":{\"stop_reason\":\"" + reason + "\"},\"usage\":{\"output_tokens\":7}")
        + sse("message_stop", {});
}

QByteArray textReply()
{
    return ScriptedServer::stream(opening() + textBlock(0) + closing("end_turn"));
}

FleetOptions options(const QUrl &url, int turns)
{
    FleetOptions options;
    options.baseUrl = url;
    options.count = 1;
    options.turns = turns;
    options.think = {Milliseconds{0}, Milliseconds{0}};
    options.start = {Milliseconds{0}, Milliseconds{0}};
    return options;
}

QJsonArray messagesOf(const ScriptedServer::Request &request)
{
    return request.body.value(QLatin1String("messages")).toArray();
}

bool finishes(AgentFleet &fleet)
{
    QSignalSpy finished(&fleet, &AgentFleet::finished);
    fleet.start();
    return finished.wait(20'000);
}

} // namespace

class AgentsMessagesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sendsWhatClaudeCodeSends();
    void keepsAPathPrefixAndTheConnection();
    void echoesWhatItReceivedAndAnswersTheCalls();
    void movesCacheControlToTheNewestMessage();
    void countsUsage();
    void retriesARefusal();
    void givesUpWhenRetriesAreExhausted();
    void aStreamErrorLosesTheTurn();
    void aCleanEarlyEndLosesTheTurn();
    void aCutStreamIsRetried();
    void aSilentStreamIsRetried();
    void asksAgainAfterALostTurn();
    void beginsAnotherConversationAfterSoManyTurns();
    void fansOutAfterTheFirstTurn();
    void nobodyListening();
    void stopFinishes();
};

void AgentsMessagesTest::sendsWhatClaudeCodeSends()
{
    ScriptedServer server;
    server.answer(textReply());
    FleetOptions one = options(server.url(), 1);
    one.key = QStringLiteral("k-123");
    AgentFleet fleet(one);
    QVERIFY(finishes(fleet));
    QCOMPARE(server.requests().size(), 1);
    const QByteArray head = server.requests().at(0).head;
    QVERIFY(head.startsWith("POST /v1/messages?beta=true HTTP/1.1\r\n"));
    QVERIFY(head.contains("\r\nX-Claude-Code-Session-Id: "));
    QVERIFY(!head.contains("x-claude-code-agent-id")); // the main agent
    QVERIFY(head.contains("\r\nx-api-key: k-123\r\n"));
    QVERIFY(head.contains("\r\nanthropic-version: 2023-06-01\r\n"));
    const QJsonObject body = server.requests().at(0).body;
    QCOMPARE(body.value(QLatin1String("stream")).toBool(), true);
    QCOMPARE(body.value(QLatin1String("system")).toArray().size(), 3);
    QVERIFY(body.value(QLatin1String("tools")).toArray().size() >= 3);
    QVERIFY(body.value(QLatin1String("metadata"))
                .toObject()
                .value(QLatin1String("user_id"))
                .isString());
    // The last message may have role system (clients.md 1.3).
    QCOMPARE(messagesOf(server.requests().at(0)).last().toObject().value(QLatin1String("role")),
             QJsonValue(QStringLiteral("system")));
}

void AgentsMessagesTest::beginsAnotherConversationAfterSoManyTurns()
{
    ScriptedServer server;
    for (int i = 0; i < 5; ++i)
        server.answer(textReply());
    FleetOptions pairs = options(server.url(), 5);
    pairs.turnsPerConversation = 2;
    AgentFleet fleet(pairs);
    QVERIFY(finishes(fleet));
    QCOMPARE(server.requests().size(), 5);
    const auto length
        = [&server](qsizetype turn) { return messagesOf(server.requests().at(turn)).size(); };
    QVERIFY(length(1) > length(0)); // it goes on
    QCOMPARE(length(2), length(0));
    QCOMPARE(length(3), length(1));
    QCOMPARE(length(4), length(0));
    QCOMPARE(fleet.result().completed, std::uint64_t{5});
}

void AgentsMessagesTest::keepsAPathPrefixAndTheConnection()
{
    ScriptedServer server;
    server.answer(textReply());
    server.answer(textReply());
    AgentFleet fleet(options(server.url(QStringLiteral("/k/KEY/")), 2));
    QVERIFY(finishes(fleet));
    QCOMPARE(server.requests().size(), 2);
    QVERIFY(server.requests().at(0).head.startsWith("POST /k/KEY/v1/messages?beta=true "));
    QCOMPARE(server.requests().at(0).connection, server.requests().at(1).connection);
}

void AgentsMessagesTest::echoesWhatItReceivedAndAnswersTheCalls()
{
    ScriptedServer server;
    server.answer(ScriptedServer::stream(
        opening()
        + block(0, "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}",
                {"{\"type\":\"thinking_delta\",\"thinking\":\"hm\"}",
                 "{\"type\":\"signature_delta\",\"signature\":\"c2ln\"}"})
        + textBlock(1)
        + block(2, "{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"Bash\",\"input\":{}}",
                {"{\"type\":\"input_json_delta\",\"partial_json\":\"\"}",
                 "{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"command\\\": \\\"ec\"}",
                 "{\"type\":\"input_json_delta\",\"partial_json\":\"ho\\\"}\"}"})
        + block(3, "{\"type\":\"tool_use\",\"id\":\"toolu_2\",\"name\":\"Read\",\"input\":{}}", {})
        + closing("tool_use")));
    server.answer(textReply());
    AgentFleet fleet(options(server.url(), 2));
    QVERIFY(finishes(fleet));
    const QJsonArray first = messagesOf(server.requests().at(0));
    const QJsonArray second = messagesOf(server.requests().at(1));
    QCOMPARE(second.size(), first.size() + 2);
    const QJsonArray expectedAssistant
        = QJsonDocument::fromJson(
              R"([{"type":"thinking","thinking":"hm","signature":"c2ln"},
                  {"type":"text","text":"Hello é"},
                  {"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"echo"}},
                  {"type":"tool_use","id":"toolu_2","name":"Read","input":{}}])")
              .array();
    const QJsonObject assistant = second.at(first.size()).toObject();
    QCOMPARE(assistant.value(QLatin1String("role")).toString(), QStringLiteral("assistant"));
    QCOMPARE(assistant.value(QLatin1String("content")).toArray(), expectedAssistant);
    const QJsonArray results = second.last().toObject().value(QLatin1String("content")).toArray();
    QCOMPARE(results.size(), 2);
    QCOMPARE(results.at(0).toObject().value(QLatin1String("tool_use_id")).toString(),
             QStringLiteral("toolu_1"));
    QCOMPARE(results.at(1).toObject().value(QLatin1String("type")).toString(),
             QStringLiteral("tool_result"));
    QCOMPARE(fleet.result().toolCalls, 2U);
}

void AgentsMessagesTest::movesCacheControlToTheNewestMessage()
{
    ScriptedServer server;
    server.answer(textReply());
    server.answer(textReply());
    AgentFleet fleet(options(server.url(), 2));
    QVERIFY(finishes(fleet));
    const QJsonArray first = messagesOf(server.requests().at(0));
    const QJsonArray second = messagesOf(server.requests().at(1));
    const QJsonObject marked
        = first.last().toObject().value(QLatin1String("content")).toArray().last().toObject();
    QVERIFY(marked.contains(QLatin1String("cache_control")));
    // The system message was an array while it was the newest, and is a string as history.
    QVERIFY(second.at(first.size() - 1).toObject().value(QLatin1String("content")).isString());
    int marks = 0;
    for (const QJsonValue &message : second) {
        for (const QJsonValue &part : message.toObject().value(QLatin1String("content")).toArray())
            marks += part.toObject().contains(QLatin1String("cache_control")) ? 1 : 0;
    }
    QCOMPARE(marks, 1);
    QCOMPARE(second.at(0), first.at(0));
}

void AgentsMessagesTest::countsUsage()
{
    ScriptedServer server;
    server.answer(textReply());
    AgentFleet fleet(options(server.url(), 1));
    QVERIFY(finishes(fleet));
    const QJsonObject json = fleet.result().toJson();
    QCOMPARE(json.value(QLatin1String("offered")).toInt(), 1);
    QCOMPARE(json.value(QLatin1String("completed")).toInt(), 1);
    QCOMPARE(json.value(QLatin1String("lost")).toInt(), 0);
    QCOMPARE(json.value(QLatin1String("input_tokens")).toInt(), 100);
    QCOMPARE(json.value(QLatin1String("cached_tokens")).toInt(), 60);
    QCOMPARE(json.value(QLatin1String("cached_ratio")).toDouble(), 0.6);
    QCOMPARE(fleet.result().usage.output, 7);
}

void AgentsMessagesTest::retriesARefusal()
{
    ScriptedServer server;
    server.answer(ScriptedServer::refusal(429, {}, R"({"error":{"type":"rate_limit_error"}})"));
    server.answer(textReply());
    AgentFleet fleet(options(server.url(), 1));
    QVERIFY(finishes(fleet));
    QCOMPARE(fleet.result().completed, 1U);
    QCOMPARE(fleet.result().retries, 1U);
    // The first rung: 0.5 s, up to a quarter more.
    QVERIFY(fleet.result().waits.at(0) >= Milliseconds{500});
    QCOMPARE(server.requests().at(0).body, server.requests().at(1).body);
}

void AgentsMessagesTest::givesUpWhenRetriesAreExhausted()
{
    ScriptedServer server;
    for (int i = 0; i < 2; ++i)
        server.answer(ScriptedServer::refusal(503, {}, R"({"error":{"type":"api_error"}})"));
    FleetOptions one = options(server.url(), 1);
    one.maxRetries = 1;
    AgentFleet fleet(one);
    QVERIFY(finishes(fleet));
    QCOMPARE(fleet.result().lost, 1U);
    QCOMPARE(fleet.result().retries, 1U);
    QCOMPARE(fleet.result().errors.value(QStringLiteral("HTTP 503 api_error")), 1);
}

void AgentsMessagesTest::aStreamErrorLosesTheTurn()
{
    ScriptedServer server;
    server.answer(ScriptedServer::stream(
        opening() + sse("error", "\"error\":{\"type\":\"api_error\",\"message\":\"cut\"}")));
    AgentFleet fleet(options(server.url(), 1));
    QVERIFY(finishes(fleet));
    QCOMPARE(fleet.result().lost, 1U);
    QCOMPARE(fleet.result().errors.value(QStringLiteral("stream error api_error")), 1);
}

void AgentsMessagesTest::aCleanEarlyEndLosesTheTurn()
{
    ScriptedServer server;
    server.answer(ScriptedServer::stream(opening() + textBlock(0)));
    AgentFleet fleet(options(server.url(), 1));
    QVERIFY(finishes(fleet));
    QCOMPARE(fleet.result().lost, 1U);
    QCOMPARE(fleet.result().completed, 0U);
}

void AgentsMessagesTest::aCutStreamIsRetried()
{
    ScriptedServer server;
    QByteArray half = ScriptedServer::stream(opening() + textBlock(0));
    half.chop(40);
    server.answer(half, true);
    server.answer(textReply());
    AgentFleet fleet(options(server.url(), 1));
    QVERIFY(finishes(fleet));
    QCOMPARE(fleet.result().completed, 1U);
    QCOMPARE(fleet.result().retries, 1U);
}

void AgentsMessagesTest::aSilentStreamIsRetried()
{
    ScriptedServer server;
    server.answer(QByteArray()); // says nothing
    server.answer(textReply());
    FleetOptions one = options(server.url(), 1);
    one.silence = Milliseconds{50};
    AgentFleet fleet(one);
    QVERIFY(finishes(fleet));
    QCOMPARE(fleet.result().completed, 1U);
    QCOMPARE(fleet.result().retries, 1U);
}

void AgentsMessagesTest::asksAgainAfterALostTurn()
{
    ScriptedServer server;
    server.answer(ScriptedServer::refusal(403, {}, "{}"));
    server.answer(textReply());
    AgentFleet fleet(options(server.url(), 2));
    QVERIFY(finishes(fleet));
    QCOMPARE(fleet.result().offered, 2U);
    QCOMPARE(fleet.result().lost, 1U);
    QCOMPARE(fleet.result().completed, 1U);
    QCOMPARE(messagesOf(server.requests().at(0)), messagesOf(server.requests().at(1)));
}

void AgentsMessagesTest::fansOutAfterTheFirstTurn()
{
    ScriptedServer server;
    for (int i = 0; i < 5; ++i)
        server.answer(textReply());
    FleetOptions five = options(server.url(), 1);
    five.count = 5;
    AgentFleet fleet(five);
    QVERIFY(finishes(fleet));
    QCOMPARE(fleet.result().completed, 5U);
    QSet<QByteArray> sessions;
    QSet<QByteArray> agents;
    for (const auto &request : server.requests()) {
        for (const QByteArray &line : request.head.split('\n')) {
            if (line.startsWith("X-Claude-Code-Session-Id"))
                sessions.insert(line);
            if (line.startsWith("x-claude-code-agent-id"))
                agents.insert(line);
        }
    }
    QCOMPARE(sessions.size(), 1);
    QCOMPARE(agents.size(), 4);
    QVERIFY(!server.requests().at(0).head.contains("x-claude-code-agent-id"));
}

void AgentsMessagesTest::nobodyListening()
{
    QTcpServer taken;
    QVERIFY(taken.listen(QHostAddress::LocalHost, 0));
    const QUrl url(QStringLiteral("http://127.0.0.1:%1").arg(taken.serverPort()));
    taken.close();
    FleetOptions one = options(url, 1);
    one.maxRetries = 1;
    AgentFleet fleet(one);
    QVERIFY(finishes(fleet));
    QCOMPARE(fleet.result().lost, 1U);
    QCOMPARE(fleet.result().retries, 1U);
    QCOMPARE(fleet.result().errors.size(), 1);
}

void AgentsMessagesTest::stopFinishes()
{
    ScriptedServer server; // silent
    AgentFleet fleet(options(server.url(), 0));
    QSignalSpy finished(&fleet, &AgentFleet::finished);
    fleet.start();
    QTRY_COMPARE(fleet.turnsInFlight(), 1);
    fleet.stop();
    QCOMPARE(finished.size(), 1);
    QCOMPARE(fleet.turnsInFlight(), 0);
}

QTEST_GUILESS_MAIN(AgentsMessagesTest)
#include "tst_agentsmessages.moc"
