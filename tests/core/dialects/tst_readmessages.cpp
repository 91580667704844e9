// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/dialects/wire.h"

#include <QTest>

using namespace headway;
using namespace headway::dialects;

class ReadMessagesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void translatesFields_data();
    void translatesFields();
    void buildsTheWholeFrame();
    void sendsADeltaWithThePreviousId();
    void replacesTheModel();
    void setsTheCacheKeyOnce();
    void ignoresWhatUpstreamHasNoWordFor();
    void routesALongContextModelByItsPlainName();
    void refusesBadBodies_data();
    void refusesBadBodies();
    void refusesAThreadThatContinuesElsewhere();
    void tellsWhoSpeaks_data();
    void tellsWhoSpeaks();
    void isInteractiveWhenAPersonWaits_data();
    void isInteractiveWhenAPersonWaits();
    void keepsViewsWhenTheRequestMoves();
};

void ReadMessagesTest::translatesFields_data()
{
    QTest::addColumn<QByteArray>("more");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("expected"); // JSON in an array; empty: the field is not sent
    const auto row
        = [](const char *title, const char *more, const char *name, const char *expected) {
              QTest::newRow(title) << QByteArray(more) << QByteArray(name) << QByteArray(expected);
          };
    row("store", "", "store", "[false]");
    row("encrypted reasoning", "", "include", R"([["reasoning.encrypted_content"]])");
    row("no stream in the frame", "", "stream", "");
    row("system string", R"("system":"be\nkind")", "instructions", R"(["be\nkind"])");
    row("system blocks",
        R"("system":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}},{"type":"text","text":"b"}])",
        "instructions", R"(["a\n\nb"])");
    row("billing block",
        R"("system":[{"type":"text","text":"x-anthropic-billing-header: cc_version=1;"},{"type":"text","text":"b"}])",
        "instructions", R"(["b"])");
    row("billing line of a string", R"("system":"x-anthropic-billing-header: v=1;\nreal")",
        "instructions", R"(["real"])");
    row("empty system", R"("system":[{"type":"text","text":""}])", "instructions", "");
    row("effort", R"("output_config":{"effort":"medium"})", "reasoning",
        R"([{"effort":"medium"}])");
    row("highest effort", R"("output_config":{"effort":"max"})", "reasoning",
        R"([{"effort":"max"}])");
    row("unknown effort", R"("output_config":{"effort":"heroic"})", "reasoning", "");
    row("small budget", R"("thinking":{"type":"enabled","budget_tokens":4000})", "reasoning",
        R"([{"effort":"low","summary":"auto"}])");
    row("middle budget", R"("thinking":{"type":"enabled","budget_tokens":16000})", "reasoning",
        R"([{"effort":"medium","summary":"auto"}])");
    row("large budget", R"("thinking":{"type":"enabled","budget_tokens":32000})", "reasoning",
        R"([{"effort":"high","summary":"auto"}])");
    row("effort before budget",
        R"("thinking":{"type":"enabled","budget_tokens":4000},"output_config":{"effort":"xhigh"})",
        "reasoning", R"([{"effort":"xhigh","summary":"auto"}])");
    row("adaptive", R"("thinking":{"type":"adaptive"})", "reasoning", R"([{"summary":"auto"}])");
    row("display omitted", R"("thinking":{"type":"adaptive","display":"omitted"})", "reasoning",
        "");
    row("thinking disabled", R"("thinking":{"type":"disabled"})", "reasoning",
        R"([{"effort":"none"}])");
    row("no thinking", "", "reasoning", "");
    row("output format that fits strict mode",
        R"("output_config":{"format":{"type":"json_schema","schema":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}}})",
        "text",
        R"([{"format":{"type":"json_schema","name":"output","schema":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false},"strict":true}}])");
    row("output format that does not",
        R"("output_config":{"format":{"type":"json_schema","schema":{"type":"object","properties":{"a":{}}}}})",
        "text",
        R"([{"format":{"type":"json_schema","name":"output","schema":{"type":"object","properties":{"a":{}}},"strict":false}}])");
    row("max_tokens", "", "max_output_tokens", "[900]");
    row("speed", R"("speed":"fast")", "service_tier", R"(["priority"])");
    row("sampling waits for the upstream", R"("temperature":1,"top_p":0.5,"top_k":3)",
        "temperature", "");
    row("stop sequences are not sent", R"("stop_sequences":["x"])", "stop", "");
    row("parallel calls", R"("tool_choice":{"type":"auto","disable_parallel_tool_use":true})",
        "parallel_tool_calls", "[false]");
}

void ReadMessagesTest::translatesFields()
{
    QFETCH(const QByteArray, more);
    QFETCH(const QByteArray, name);
    QFETCH(const QByteArray, expected);
    const auto request = wire::read(wire::messagesBody(more.toStdString()));
    QVERIFY2(request, request ? "" : request.error().message.c_str());
    const QJsonObject fields = wire::fields(*request);
    const QString key = QString::fromUtf8(name);
    if (expected.isEmpty()) {
        QVERIFY(!fields.contains(key));
        return;
    }
    QCOMPARE(QJsonArray{fields[key]}, QJsonDocument::fromJson(expected).array());
}

void ReadMessagesTest::buildsTheWholeFrame()
{
    const auto request = wire::read(
        R"({"model":"m","max_tokens":3,"messages":[{"role":"user","content":"h\u0069"}]})");
    QVERIFY(request);
    QVERIFY(!request->stream);
    QCOMPARE(
        createFrame(*request, 0, {}),
        std::string(R"({"type":"response.create","model":"m","max_output_tokens":16,"store":false,)"
                    R"("include":["reasoning.encrypted_content"],"input":[{"type":"message",)"
                    R"("role":"user","content":[{"type":"input_text","text":"h\u0069"}]}]})"));
}

void ReadMessagesTest::sendsADeltaWithThePreviousId()
{
    const auto request = wire::read(wire::messagesBody(
        {},
        R"([{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}])"));
    QVERIFY(request);
    const QJsonObject frame = wire::object(createFrame(*request, 2, "resp_1"));
    QCOMPARE(frame[QLatin1String("previous_response_id")].toString(), QLatin1String("resp_1"));
    const QJsonArray input = frame[QLatin1String("input")].toArray();
    QCOMPARE(input.size(), 1);
    QCOMPARE(input[0].toObject(), wire::object(request->input[2]));
    // Nothing new is a delta, too.
    QCOMPARE(
        wire::object(createFrame(*request, 3, "resp_1"))[QLatin1String("input")].toArray().size(),
        0);
}

void ReadMessagesTest::replacesTheModel()
{
    auto request = wire::read(wire::messagesBody(R"("system":"\"model\":\"m\"")"));
    QVERIFY(request);
    setModel(*request, "gpt-9 \"x\"");
    const QJsonObject fields = wire::fields(*request);
    QCOMPARE(fields[QLatin1String("model")].toString(), QLatin1String("gpt-9 \"x\""));
    QCOMPARE(fields[QLatin1String("instructions")].toString(), QLatin1String("\"model\":\"m\""));
    QCOMPARE(request->model, std::string("gpt-9 \"x\""));
    QCOMPARE(request->modelAsked, std::string("m"));
}

void ReadMessagesTest::setsTheCacheKeyOnce()
{
    auto request = wire::read(wire::messagesBody());
    QVERIFY(request);
    setCacheKey(*request, "key");
    setCacheKey(*request, "other");
    QCOMPARE(wire::fields(*request)[QLatin1String("prompt_cache_key")].toString(),
             QLatin1String("key"));
}

// B91
void ReadMessagesTest::ignoresWhatUpstreamHasNoWordFor()
{
    const auto request = wire::read(wire::messagesBody(
        R"("context_management":{"edits":[{"type":"clear_thinking_20251015","keep":"all"}]},)"
        R"("output_config":{"effort":"medium"},"container":null,"mcp_servers":[],"betas":["x"],)"
        R"("tools":[{"name":"t","input_schema":{"type":"object","properties":{}},"input_examples":[{}]}])",
        R"([{"role":"user","content":"hi"},{"role":"system","content":"","output_config":{"effort":"low"}}])"));
    QVERIFY2(request, request ? "" : request.error().message.c_str());
    QCOMPARE(request->input.size(), std::size_t{1});
    const QJsonObject fields = wire::fields(*request);
    const QStringList known{QStringLiteral("model"),     QStringLiteral("tools"),
                            QStringLiteral("reasoning"), QStringLiteral("max_output_tokens"),
                            QStringLiteral("store"),     QStringLiteral("include")};
    for (const QString &key : fields.keys())
        QVERIFY2(known.contains(key), qPrintable(key));
}

// B92
void ReadMessagesTest::routesALongContextModelByItsPlainName()
{
    const auto request = wire::read(
        R"({"model":"m[1m]","max_tokens":9,"messages":[{"role":"user","content":"hi"}]})");
    QVERIFY(request);
    QCOMPARE(request->model, std::string("m"));
    QCOMPARE(request->modelAsked, std::string("m[1m]"));
    QCOMPARE(wire::fields(*request)[QLatin1String("model")].toString(), QLatin1String("m"));
}

void ReadMessagesTest::refusesBadBodies_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char *name, const QByteArray &body, const char *says) {
        QTest::newRow(name) << body << QByteArray(says);
    };
    const auto with = [](const char *messages) -> QByteArray {
        return QByteArray(R"({"model":"m","max_tokens":9,"messages":)") + messages + '}';
    };
    row("empty", "", "byte 0");
    row("cut", R"({"model":"m",)", "byte 13");
    row("not UTF-8", QByteArray("{\"model\":\"\xff\"}"), "byte 10");
    row("too deep", with(std::string(600, '[').c_str()), "512");
    row("array", "[1]", "object");
    row("no model", R"({"max_tokens":9,"messages":[{"role":"user","content":"x"}]})", "model");
    row("model is a number", R"({"model":4,"max_tokens":9,"messages":[]})", "model: expected");
    row("no messages", R"({"model":"m","max_tokens":9})", "messages: field required");
    row("messages is an object", with("{}"), "messages: expected an array");
    row("messages is empty", with("[]"), "messages: at least one");
    row("no max_tokens", R"({"model":"m","messages":[{"role":"user","content":"x"}]})",
        "max_tokens: field required");
    row("max_tokens is a string",
        R"({"model":"m","max_tokens":"9","messages":[{"role":"user","content":"x"}]})",
        "max_tokens: expected");
    row("max_tokens is zero",
        R"({"model":"m","max_tokens":0,"messages":[{"role":"user","content":"x"}]})", "max_tokens");
    row("message is a string", with(R"(["x"])"), "messages[0]: expected");
    row("content is a number",
        with(R"([{"role":"user","content":"x"},{"role":"user","content":5}])"),
        "messages[1].content: expected");
    row("no content", with(R"([{"role":"user"}])"), "messages[0].content");
    row("block is a string", with(R"([{"role":"user","content":["x"]}])"),
        "messages[0].content[0]: expected");
    row("block without type", with(R"([{"role":"user","content":[{"text":"x"}]}])"),
        "messages[0].content[0]");
    row("text is a number", with(R"([{"role":"user","content":[{"type":"text","text":5}]}])"),
        "messages[0].content[0].text");
    row("unknown role", with(R"([{"role":"robot","content":"x"}])"), "messages[0].role");
    row("call without name",
        with(
            R"([{"role":"assistant","content":[{"type":"text","text":"x"},{"type":"tool_use","id":"a","input":{}}]}])"),
        "messages[0].content[1]");
    row("result without id", with(R"([{"role":"user","content":[{"type":"tool_result"}]}])"),
        "messages[0].content[0].tool_use_id");
    row("tools is an object",
        R"({"model":"m","max_tokens":9,"tools":{},"messages":[{"role":"user","content":"x"}]})",
        "tools: expected");
    row("tool without name",
        R"({"model":"m","max_tokens":9,"tools":[{}],"messages":[{"role":"user","content":"x"}]})",
        "tools[0].name");
    row("system is a number",
        R"({"model":"m","max_tokens":9,"system":5,"messages":[{"role":"user","content":"x"}]})",
        "system: expected");
    row("stream is a string",
        R"({"model":"m","max_tokens":9,"stream":"yes","messages":[{"role":"user","content":"x"}]})",
        "stream: expected");
    row("stop sequence is a number",
        R"({"model":"m","max_tokens":9,"stop_sequences":[1],"messages":[{"role":"user","content":"x"}]})",
        "stop_sequences[0]");
}

void ReadMessagesTest::refusesBadBodies()
{
    QFETCH(const QByteArray, body);
    QFETCH(const QByteArray, says);
    const auto request = wire::read(body.toStdString());
    QVERIFY(!request);
    QCOMPARE(request.error().kind, ErrorKind::InvalidRequest);
    QVERIFY2(request.error().message.find(says.toStdString()) != std::string::npos,
             request.error().message.c_str());
}

// B42
void ReadMessagesTest::refusesAThreadThatContinuesElsewhere()
{
    const std::string body
        = R"({"model":"m","max_tokens":9,"thread":{"type":"continue","previous_message_id":"msg_1"},)"
          R"("messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_1","content":"x"}]}]})";
    const auto request = wire::read(
        body, {{{"anthropic-beta", "a-2025-01-01,message-threads-2026-08-12, b-2025-01-01"}}});
    QVERIFY(!request);
    QCOMPARE(request.error().kind, ErrorKind::InvalidRequest);
    const QByteArray message = QByteArray::fromStdString(request.error().message);
    QVERIFY2(message.contains("capability_rejected"), message.constData());
    QVERIFY2(message.contains("message-threads-2026-08-12 "), message.constData());
}

void ReadMessagesTest::tellsWhoSpeaks_data()
{
    QTest::addColumn<QByteArray>("more");
    QTest::addColumn<QByteArray>("session");
    QTest::addColumn<QByteArray>("user");
    const auto row
        = [](const char *name, const char *userId, const char *session, const char *user) {
              QTest::newRow(name) << QByteArray(R"("metadata":{"user_id":")") + userId + "\"}"
                                  << QByteArray(session) << QByteArray(user);
          };
    row("body wins", R"({\"device_id\":\"d\",\"session_id\":\"from-body\"})", "from-body", "d");
    row("an account", R"({\"device_id\":\"d\",\"account_uuid\":\"a\",\"session_id\":\"s\"})", "s",
        "a");
    row("older form", "user_ab_account__session_1234-56", "1234-56", "user_ab_account_");
    row("plain user id", "somebody", "from-header", "somebody");
    row("broken user id", R"({\"session_id\":)", "from-header", R"({"session_id":)");
    QTest::newRow("header") << QByteArray() << QByteArray("from-header") << QByteArray();
}

void ReadMessagesTest::tellsWhoSpeaks()
{
    QFETCH(const QByteArray, more);
    QFETCH(const QByteArray, session);
    QFETCH(const QByteArray, user);
    const ClientHeaders headers{{{"x-claude-code-session-id", "from-header"},
                                 {"x-claude-code-agent-id", "a1"},
                                 {"x-claude-code-parent-agent-id", "a0"}}};
    const auto request = wire::read(wire::messagesBody(more.toStdString()), headers);
    QVERIFY(request);
    QCOMPARE(QByteArray::fromStdString(request->identity.session), session);
    QCOMPARE(QByteArray::fromStdString(request->identity.user), user);
    QCOMPARE(request->identity.agent, std::string("a1"));
    QCOMPARE(request->identity.parentAgent, std::string("a0"));
}

void ReadMessagesTest::isInteractiveWhenAPersonWaits_data()
{
    QTest::addColumn<QByteArray>("messages");
    QTest::addColumn<bool>("hasSession");
    QTest::addColumn<bool>("isAgent");
    QTest::addColumn<bool>("interactive");
    const QByteArray words = R"([{"role":"user","content":"hi"}])";
    const QByteArray reminded
        = R"([{"role":"user","content":"hi"},{"role":"system","content":"note"}])";
    const QByteArray result
        = R"([{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"n","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"x"}]}])";
    QTest::newRow("words") << words << true << false << true;
    QTest::newRow("words, then a note of the client") << reminded << true << false << true;
    QTest::newRow("tool result") << result << true << false << false;
    QTest::newRow("agent") << words << true << true << false;
    QTest::newRow("no session") << words << false << false << false;
}

void ReadMessagesTest::isInteractiveWhenAPersonWaits()
{
    QFETCH(const QByteArray, messages);
    QFETCH(const bool, hasSession);
    QFETCH(const bool, isAgent);
    ClientHeaders headers;
    if (hasSession)
        headers.fields.emplace_back("x-claude-code-session-id", "s");
    if (isAgent)
        headers.fields.emplace_back("x-claude-code-agent-id", "a");
    const auto request = wire::read(wire::messagesBody({}, messages.toStdString()), headers);
    QVERIFY(request);
    QTEST(request->interactive, "interactive");
}

void ReadMessagesTest::keepsViewsWhenTheRequestMoves()
{
    auto request = wire::read(
        wire::messagesBody(R"("system":"s","tools":[{"name":"t","input_schema":{}}])"));
    QVERIFY(request);
    const TurnRequest moved = std::move(*request);
    QCOMPARE(std::string(moved.instructions), std::string("\"s\""));
    QVERIFY(moved.tools.starts_with(R"([{"type":"function","name":"t")"));
    QCOMPARE(wire::items(moved).size(), 1);
}

QTEST_APPLESS_MAIN(ReadMessagesTest)
#include "tst_readmessages.moc"
