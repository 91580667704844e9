// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/dialects/wire.h"

#include <QTest>

using namespace headway;
using namespace headway::dialects;

// POST …/chat/completions: what its members become upstream (shapes of the public API reference).
class ReadChatTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void translatesFields_data();
    void translatesFields();
    void translatesMessages_data();
    void translatesMessages();
    void refusesBadBodies_data();
    void refusesBadBodies();
    void keepsTurnNAPrefixOfTurnNPlusOne();
    void tellsWhoSpeaks();
    void splicesTextAsItWasWritten();
};

namespace {

tl::expected<TurnRequest, TurnError> read(const std::string &body,
                                          const ClientHeaders &headers = {})
{
    return readChatCompletions(std::make_shared<const std::string>(body), headers);
}

std::string bodyOf(const std::string &more,
                   const std::string &messages = R"([{"role":"user","content":"hi"}])")
{
    return R"({"model":"m")" + (more.empty() ? "" : "," + more) + ",\"messages\":" + messages + "}";
}

constexpr const char *tool
    = R"("tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{}}}}])";

} // namespace

void ReadChatTest::translatesFields_data()
{
    QTest::addColumn<QByteArray>("more");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("expected"); // JSON in an array; empty: the field is not sent
    const auto row
        = [](const char *title, const std::string &more, const char *name, const char *expected) {
              QTest::newRow(title)
                  << QByteArray::fromStdString(more) << QByteArray(name) << QByteArray(expected);
          };
    row("model", "", "model", R"(["m"])");
    row("nothing is stored", R"("store":true)", "store", "[false]");
    row("max_tokens", R"("max_tokens":900)", "max_output_tokens", "[900]");
    row("max_completion_tokens goes first", R"("max_tokens":900,"max_completion_tokens":50)",
        "max_output_tokens", "[50]");
    row("the provider's minimum", R"("max_tokens":1)", "max_output_tokens", "[16]");
    row("no maximum", "", "max_output_tokens", "");
    row("effort", R"("reasoning_effort":"high")", "reasoning", R"([{"effort":"high"}])");
    row("no effort", "", "reasoning", "");
    row("effort in an object, and a summary", R"("reasoning":{"effort":"low"})", "reasoning",
        R"([{"effort":"low","summary":"auto"}])");
    row("the kind of summary", R"("reasoning":{"summary":"detailed"})", "reasoning",
        R"([{"summary":"detailed"}])");
    row("reasoning to be left out", R"("reasoning":{"effort":"low","exclude":true})", "reasoning",
        R"([{"effort":"low"}])");
    row("reasoning to be included", R"("include_reasoning":true,"reasoning_effort":"high")",
        "reasoning", R"([{"effort":"high","summary":"auto"}])");
    row("reasoning not to be included", R"("include_reasoning":false)", "reasoning", "");
    row("no reasoning, so no summary", R"("reasoning":{"effort":"none"})", "reasoning",
        R"([{"effort":"none"}])");
    row("json object", R"("response_format":{"type":"json_object"})", "text",
        R"([{"format":{"type":"json_object"}}])");
    row("json schema",
        R"("response_format":{"type":"json_schema","json_schema":{"name":"n","strict":true,"schema":{"type":"object"}}})",
        "text",
        R"([{"format":{"type":"json_schema","name":"n","schema":{"type":"object"},"strict":true}}])");
    row("plain text", R"("response_format":{"type":"text"})", "text", "");
    row("verbosity", R"("verbosity":"low")", "text", R"([{"verbosity":"low"}])");
    row("tool", tool, "tools",
        R"([[{"type":"function","name":"f","parameters":{"type":"object","properties":{}},"strict":false}]])");
    row("strict tool",
        R"("tools":[{"type":"function","function":{"name":"f","description":"d","strict":true,"parameters":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}}}])",
        "tools",
        R"([[{"type":"function","name":"f","description":"d","parameters":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false},"strict":true}]])");
    row("strict tool that cannot be",
        R"("tools":[{"type":"function","function":{"name":"f","strict":true,"parameters":{"type":"object","properties":{"a":{}}}}}])",
        "tools",
        R"([[{"type":"function","name":"f","parameters":{"type":"object","properties":{"a":{}}},"strict":false}]])");
    row("tool without parameters", R"("tools":[{"type":"function","function":{"name":"f"}}])",
        "tools",
        R"([[{"type":"function","name":"f","parameters":{"type":"object","properties":{}},"strict":false}]])");
    row("custom tool",
        R"("tools":[{"type":"custom","custom":{"name":"c","format":{"type":"grammar","grammar":{"syntax":"regex","definition":"a+"}}}}])",
        "tools",
        R"([[{"type":"custom","name":"c","format":{"type":"grammar","syntax":"regex","definition":"a+"}}]])");
    const std::string with = std::string(tool) + ",\"tool_choice\":";
    row("choice none", with + "\"none\"", "tool_choice", R"(["none"])");
    row("choice required", with + "\"required\"", "tool_choice", R"(["required"])");
    row("choice of a tool", with + R"({"type":"function","function":{"name":"f"}})", "tool_choice",
        R"([{"type":"function","name":"f"}])");
    row("choice of no tool", with + R"({"type":"function","function":{"name":"g"}})", "tool_choice",
        R"(["auto"])");
    row("choice without tools", R"("tool_choice":"required")", "tool_choice", "");
    row("allowed tools",
        with
            + R"({"type":"allowed_tools","allowed_tools":{"mode":"required","tools":[{"type":"function","function":{"name":"f"}},{"type":"function","function":{"name":"g"}}]}})",
        "tool_choice",
        R"([{"type":"allowed_tools","mode":"required","tools":[{"type":"function","name":"f"}]}])");
    row("no parallel calls", std::string(tool) + ",\"parallel_tool_calls\":false",
        "parallel_tool_calls", "[false]");
    row("cache key", R"("prompt_cache_key":"k")", "prompt_cache_key", R"(["k"])");
    row("sampling waits for the upstream", R"("temperature":0.2,"top_p":1)", "temperature", "");
    row("what there is no word for", R"("seed":3,"frequency_penalty":1)", "seed", "");
    row("stop is emulated", R"("stop":"x")", "stop", "");
    row("unknown members are ignored", R"("some_new_member":{"a":1})", "some_new_member", "");
}

void ReadChatTest::translatesFields()
{
    QFETCH(const QByteArray, more);
    QFETCH(const QByteArray, name);
    QFETCH(const QByteArray, expected);
    const auto request = read(bodyOf(more.toStdString()));
    QVERIFY2(request, request ? "" : request.error().message.c_str());
    const QJsonObject fields = wire::fields(*request);
    const QString key = QString::fromUtf8(name);
    if (expected.isEmpty()) {
        QVERIFY(!fields.contains(key));
        return;
    }
    QCOMPARE(QJsonArray{fields[key]}, QJsonDocument::fromJson(expected).array());
}

void ReadChatTest::translatesMessages_data()
{
    QTest::addColumn<QByteArray>("messages");
    QTest::addColumn<QByteArray>("instructions");
    QTest::addColumn<QByteArray>("items");
    const auto row
        = [](const char *title, const char *messages, const char *instructions, const char *items) {
              QTest::newRow(title)
                  << QByteArray(messages) << QByteArray(instructions) << QByteArray(items);
          };
    const char *const hi
        = R"([{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}])";
    row("user", R"([{"role":"user","content":"hi"}])", "", hi);
    row("user parts", R"([{"role":"user","content":[{"type":"text","text":"hi"}]}])", "", hi);
    row("system", R"([{"role":"system","content":"be kind"},{"role":"user","content":"hi"}])",
        "be kind", hi);
    row("several in front",
        R"([{"role":"system","content":"a"},{"role":"developer","content":[{"type":"text","text":"b"}]},{"role":"user","content":"hi"}])",
        "a\n\nb", hi);
    row("system later stays there",
        R"([{"role":"user","content":"hi"},{"role":"system","content":"now"}])", "",
        R"([{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]},{"type":"message","role":"developer","content":[{"type":"input_text","text":"now"}]}])");
    row("image",
        R"([{"role":"user","content":[{"type":"text","text":"see"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA","detail":"low"}},{"type":"image_url","image_url":{"url":"https://x/y.png"}}]}])",
        "",
        R"([{"type":"message","role":"user","content":[{"type":"input_text","text":"see"},{"type":"input_image","image_url":"data:image/png;base64,AAAA","detail":"low"},{"type":"input_image","image_url":"https://x/y.png","detail":"auto"}]}])");
    row("file",
        R"([{"role":"user","content":[{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,AA"}}]}])",
        "",
        R"([{"type":"message","role":"user","content":[{"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,AA"}]}])");
    row("assistant", R"([{"role":"assistant","content":"yes"}])", "",
        R"([{"type":"message","role":"assistant","content":[{"type":"output_text","text":"yes"}]}])");
    row("assistant parts are one text",
        R"([{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}])",
        "",
        R"([{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ab"}]}])");
    row("refusal", R"([{"role":"assistant","content":null,"refusal":"no"}])", "",
        R"([{"type":"message","role":"assistant","content":[{"type":"output_text","text":"no"}]}])");
    row("calls and results",
        R"([{"role":"assistant","content":"look","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"n\":123456789012345678901}"}},{"id":"c2","type":"custom","custom":{"name":"c","input":"free text"}}]},{"role":"tool","tool_call_id":"c1","content":"r1"},{"role":"tool","tool_call_id":"c2","content":[{"type":"text","text":"r2"}]}])",
        "",
        R"([{"type":"message","role":"assistant","content":[{"type":"output_text","text":"look"}]},{"type":"function_call","call_id":"c1","name":"f","arguments":"{\"n\":123456789012345678901}"},{"type":"custom_tool_call","call_id":"c2","name":"c","input":"free text"},{"type":"function_call_output","call_id":"c1","output":"r1"},{"type":"custom_tool_call_output","call_id":"c2","output":"r2"}])");
    row("empty result",
        R"([{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":""}}]},{"role":"tool","tool_call_id":"c1","content":""}])",
        "",
        R"json([{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":"(no output)"}])json");
    row("result with an image",
        R"([{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"t"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA"}}]}])",
        "",
        R"([{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":[{"type":"input_text","text":"t"},{"type":"input_image","image_url":"data:image/png;base64,AA","detail":"auto"}]}])");
    row("unanswered call",
        R"([{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"user","content":"hi"}])",
        "",
        R"([{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":"[interrupted: the tool call was not answered]"},{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}])");
    row("orphan result", R"([{"role":"tool","tool_call_id":"c9","content":"r"}])", "",
        R"([{"type":"message","role":"user","content":[{"type":"input_text","text":"[result of an earlier tool call c9]"},{"type":"input_text","text":"r"}]}])");
    row("two results of one call",
        R"([{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"1"},{"role":"tool","tool_call_id":"c","content":"2"}])",
        "",
        R"([{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"1"},{"type":"message","role":"user","content":[{"type":"input_text","text":"[result of an earlier tool call c]"},{"type":"input_text","text":"2"}]}])");
    row("the same id twice",
        R"([{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"1"},{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"2"}])",
        "",
        R"([{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"1"},{"type":"function_call","call_id":"c_2","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c_2","output":"2"}])");
    row("empty texts vanish",
        R"([{"role":"user","content":""},{"role":"assistant","content":null},{"role":"user","content":"hi"}])",
        "", hi);
}

void ReadChatTest::translatesMessages()
{
    QFETCH(const QByteArray, messages);
    QFETCH(const QByteArray, instructions);
    QFETCH(const QByteArray, items);
    const auto request = read(bodyOf({}, messages.toStdString()));
    QVERIFY2(request, request ? "" : request.error().message.c_str());
    QCOMPARE(wire::fields(*request)[QLatin1String("instructions")].toString().toUtf8(),
             instructions);
    QCOMPARE(wire::items(*request), QJsonDocument::fromJson(items).array());
}

void ReadChatTest::refusesBadBodies_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("param");
    const auto row = [](const char *title, const std::string &body, const char *param) {
        QTest::newRow(title) << QByteArray::fromStdString(body) << QByteArray(param);
    };
    row("no model", R"({"messages":[{"role":"user","content":"hi"}]})", "model");
    row("no messages", R"({"model":"m"})", "messages");
    row("empty messages", bodyOf({}, "[]"), "messages");
    row("two choices", bodyOf(R"("n":2)"), "n");
    row("audio", bodyOf(R"("audio":{"voice":"x"})"), "audio");
    row("stream is no flag", bodyOf(R"("stream":"yes")"), "stream");
    row("no tokens at all", bodyOf(R"("max_tokens":0)"), "max_tokens");
    row("stop is a number", bodyOf(R"("stop":1)"), "stop");
    row("tools are no array", bodyOf(R"("tools":{})"), "tools");
    row("nameless tool", bodyOf(R"("tools":[{"type":"function","function":{}}])"),
        "tools[0].function.name");
    row("functions of old", bodyOf(R"("functions":[{"name":"f"}])"), "functions");
    row("strange role", bodyOf({}, R"([{"role":"robot","content":"x"}])"), "messages[0].role");
    row("content is a number", bodyOf({}, R"([{"role":"user","content":1}])"),
        "messages[0].content");
    row("sound", bodyOf({}, R"([{"role":"user","content":[{"type":"input_audio"}]}])"),
        "messages[0].content[0]");
    row("image without url",
        bodyOf({}, R"([{"role":"user","content":[{"type":"image_url","image_url":{}}]}])"),
        "messages[0].content[0].image_url");
    row("result without id", bodyOf({}, R"([{"role":"tool","content":"x"}])"),
        "messages[0].tool_call_id");
    row("arguments are no string",
        bodyOf(
            {},
            R"([{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":{}}}]}])"),
        "messages[0].tool_calls[0].function.arguments");
}

void ReadChatTest::refusesBadBodies()
{
    QFETCH(const QByteArray, body);
    QFETCH(const QByteArray, param);
    const auto request = read(body.toStdString());
    QVERIFY(!request);
    QCOMPARE(request.error().kind, ErrorKind::InvalidRequest);
    QCOMPARE(QByteArray::fromStdString(request.error().param), param);
}

void ReadChatTest::keepsTurnNAPrefixOfTurnNPlusOne()
{
    const std::string first
        = R"({"role":"system","content":"s"},{"role":"user","content":"a"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"r"})";
    const auto before = read(bodyOf(tool, '[' + first + ']'));
    const auto after = read(bodyOf(
        tool,
        '[' + first + R"(,{"role":"assistant","content":"done"},{"role":"user","content":"b"}])"));
    QVERIFY(before && after);
    QCOMPARE(before->fields, after->fields);
    QCOMPARE(after->input.size(), before->input.size() + 2);
    for (std::size_t i = 0; i < before->input.size(); ++i)
        QCOMPARE(before->input[i], after->input[i]);
}

void ReadChatTest::tellsWhoSpeaks()
{
    const auto plain = read(bodyOf({}));
    QVERIFY(plain);
    QVERIFY(plain->identity.session.empty());
    QVERIFY(plain->identity.cacheKey.empty());
    QCOMPARE(plain->door, Door::ChatCompletions);
    QVERIFY(!plain->stream);
    const auto keyed = read(bodyOf(R"("prompt_cache_key":"k","user":"u","stream":true)"));
    QCOMPARE(keyed->identity.cacheKey, std::string("k"));
    QVERIFY(keyed->stream);
    QCOMPARE(read(bodyOf(R"("user":"u")"))->identity.cacheKey, std::string("u"));
    const auto session = read(bodyOf({}), ClientHeaders{{{"session-id", "s"}}});
    QCOMPARE(session->identity.session, std::string("s"));
    QVERIFY(session->interactive);
    // The last resort of the partition key: the system text.
    const auto system = read(
        bodyOf({}, R"([{"role":"system","content":"be kind"},{"role":"user","content":"hi"}])"));
    QCOMPARE(system->instructions, std::string_view("\"be kind\""));
}

void ReadChatTest::splicesTextAsItWasWritten()
{
    const auto request = read(bodyOf({}, R"([{"role":"user","content":"h\u0069 \ud83d\ude00"}])"));
    QVERIFY(request);
    QVERIFY(request->input[0].find(R"("text":"h\u0069 \ud83d\ude00")") != std::string_view::npos);
}

QTEST_APPLESS_MAIN(ReadChatTest)
#include "tst_readchat.moc"
