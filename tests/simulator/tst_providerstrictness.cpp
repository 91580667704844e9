// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/simulator/providerclient.h"

#include <QTest>

using namespace headway::simulator;

namespace {

QByteArray functionTool(const QByteArray &name, const QByteArray &parameters)
{
    return "{\"type\":\"function\",\"name\":\"" + name + "\",\"parameters\":" + parameters + '}';
}

constexpr auto hello = "\"input\":\"hello\"";
constexpr auto anySchema = "{\"type\":\"object\",\"properties\":{}}";
constexpr auto call
    = "{\"type\":\"function_call\",\"call_id\":\"c1\",\"name\":\"Bash\",\"arguments\":\"{}\"}";
constexpr auto output = "{\"type\":\"function_call_output\",\"call_id\":\"c1\",\"output\":\"ok\"}";

QByteArray input(const QByteArray &items)
{
    return "\"input\":[" + items + ']';
}

} // namespace

// Each thing that the real provider refuses, with the code and parameter it names.
class ProviderStrictnessTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void refuses_data();
    void refuses();
    void accepts_data();
    void accepts();
    void refusesAMissingModel();
    void refusesWhatIsNotJson();
    void refusesUnknownClientEvents();
    void closesOnABinaryMessage();
    void takesItsOwnReasoningBack();
    void planEndpointRefusesWhatThePlansEndpointRefuses_data();
    void planEndpointRefusesWhatThePlansEndpointRefuses();
};

void ProviderStrictnessTest::refuses_data()
{
    QTest::addColumn<QByteArray>("members");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("param");
    const auto row = [](const char *name, const QByteArray &members, const char *code,
                        const char *param) {
        QTest::newRow(name) << members << QString::fromLatin1(code) << QString::fromLatin1(param);
    };
    const QByteArray andHello = QByteArray(",") + hello;
    row("unknown field", "\"max_tokens\":5" + andHello, "unknown_parameter", "max_tokens");
    row("background", "\"background\":true" + andHello, "unsupported_parameter", "background");
    row("stream_id without lanes", "\"stream_id\":\"a\"" + andHello, "unknown_parameter",
        "stream_id");
    row("no input", "\"instructions\":\"x\"", "missing_required_parameter", "input");
    row("empty input", "\"input\":[]", "missing_required_parameter", "input");
    row("input of a wrong type", "\"input\":5", "invalid_type", "input");
    row("instructions as array", "\"instructions\":[]" + andHello, "invalid_type", "instructions");
    row("tiny max_output_tokens", "\"max_output_tokens\":15" + andHello, "integer_below_min_value",
        "max_output_tokens");
    row("unknown effort", "\"reasoning\":{\"effort\":\"ultra\"}" + andHello, "invalid_value",
        "reasoning.effort");
    row("long cache key", "\"prompt_cache_key\":\"" + QByteArray(65, 'k') + '"' + andHello,
        "string_above_max_length", "prompt_cache_key");

    const auto tools
        = [&](const QByteArray &list) { return QByteArray("\"tools\":[" + list + ']' + andHello); };
    row("long tool name", tools(functionTool(QByteArray(65, 'n'), anySchema)),
        "string_above_max_length", "tools[0].name");
    row("bad tool name", tools(functionTool("a.b", anySchema)), "invalid_value", "tools[0].name");
    row("duplicate tool", tools(functionTool("a", anySchema) + ',' + functionTool("a", anySchema)),
        "invalid_value", "tools[1].name");
    row("required null",
        tools(functionTool("a", "{\"type\":\"object\",\"properties\":{},\"required\":null}")),
        "invalid_function_parameters", "tools[0].parameters");
    row("required null, nested",
        tools(functionTool("a",
                           "{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"object\","
                           "\"required\":null}}}")),
        "invalid_function_parameters", "tools[0].parameters");
    row("schema without type", tools(functionTool("a", "{}")), "invalid_function_parameters",
        "tools[0].parameters");
    row("schema without properties", tools(functionTool("a", "{\"type\":\"object\"}")),
        "invalid_function_parameters", "tools[0].parameters");
    row("anyOf at the top",
        tools(functionTool("a", "{\"type\":\"object\",\"properties\":{},\"anyOf\":[]}")),
        "invalid_function_parameters", "tools[0].parameters");
    row("strict without additionalProperties",
        tools("{\"type\":\"function\",\"name\":\"a\",\"strict\":true,\"parameters\":"
              + QByteArray(anySchema) + '}'),
        "invalid_function_parameters", "tools[0].parameters");
    row("a Messages tool",
        tools("{\"type\":\"function\",\"name\":\"a\",\"input_schema\":" + QByteArray(anySchema)
              + '}'),
        "unknown_parameter", "tools[0].input_schema");
    row("unknown tool type", tools("{\"type\":\"bash_20250124\",\"name\":\"bash\"}"),
        "invalid_value", "tools[0].type");
    row("choice of an absent tool",
        "\"tool_choice\":{\"type\":\"function\",\"name\":\"a\"}" + andHello, "invalid_value",
        "tool_choice");
    row("choice any", "\"tool_choice\":\"any\"" + andHello, "invalid_value", "tool_choice");
    row("format without schema",
        "\"text\":{\"format\":{\"type\":\"json_schema\",\"name\":\"t\"}}" + andHello,
        "missing_required_parameter", "text.format.schema");

    row("unknown item", input("{\"type\":\"tool_use\"}"), "invalid_value", "input[0].type");
    row("unknown role", input("{\"role\":\"tool\",\"content\":\"x\"}"), "invalid_value",
        "input[0].role");
    row("output_text of a user",
        input("{\"role\":\"user\",\"content\":[{\"type\":\"output_text\",\"text\":\"x\"}]}"),
        "invalid_value", "input[0].content[0].type");
    row("input_text of the model",
        input("{\"role\":\"assistant\",\"content\":[{\"type\":\"input_text\",\"text\":\"x\"}]}"),
        "invalid_value", "input[0].content[0].type");
    row("cache_control on a part",
        input("{\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"x\",\"cache_"
              "control\":{}}]}"),
        "unknown_parameter", "input[0].content[0].cache_control");
    row("image without source",
        input("{\"role\":\"user\",\"content\":[{\"type\":\"input_image\"}]}"),
        "missing_required_parameter", "input[0].content[0]");
    row("is_error on an output",
        input(QByteArray(call)
              + ",{\"type\":\"function_call_output\",\"call_id\":\"c1\",\"output\":\"x\",\"is_"
                "error\":true}"),
        "unknown_parameter", "input[1].is_error");
    row("arguments as object",
        input("{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"a\",\"arguments\":{}}"),
        "invalid_type", "input[0].arguments");
    row("long call name",
        input("{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"" + QByteArray(65, 'n')
              + "\",\"arguments\":\"\"}"),
        "string_above_max_length", "input[0].name");
    row("long call id",
        input("{\"type\":\"function_call\",\"call_id\":\"" + QByteArray(65, 'c')
              + "\",\"name\":\"a\",\"arguments\":\"\"}"),
        "string_above_max_length", "input[0].call_id");
    row("call without an output", input(call), "", "input");
    row("output without a call", input(output), "", "input");
    row("output before its call", input(QByteArray(output) + ',' + call), "", "input");
    row("duplicate call id", input(QByteArray(call) + ',' + output + ',' + call + ',' + output), "",
        "input");
    row("second output of a call", input(QByteArray(call) + ',' + output + ',' + output), "",
        "input");
    row("output of another kind",
        input(QByteArray(call)
              + ",{\"type\":\"custom_tool_call_output\",\"call_id\":\"c1\",\"output\":\"x\"}"),
        "", "input");
    row("foreign reasoning",
        input("{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[],\"encrypted_content\":"
              "\"c3R1Yg==\"},"
              "{\"role\":\"assistant\",\"content\":\"x\"}"),
        "invalid_encrypted_content", "");
    row("reasoning without content",
        input("{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[]},{\"role\":\"assistant\","
              "\"content\":\"x\"}"),
        "invalid_encrypted_content", "");
}

void ProviderStrictnessTest::refuses()
{
    QFETCH(const QByteArray, members);
    Provider provider(quickScenario());
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    ProviderClient client(provider.webSocketUrl());
    QVERIFY(client.open());
    const QJsonObject end = client.ask(create(members));
    QCOMPARE(at(end, {"type"}), QStringLiteral("error"));
    QCOMPARE(at(end, {"status"}), QStringLiteral("400"));
    QCOMPARE(at(end, {"error", "type"}), QStringLiteral("invalid_request_error"));
    QTEST(at(end, {"error", "code"}), "code");
    QTEST(at(end, {"error", "param"}), "param");
    QCOMPARE(client.events().size(), 1); // nothing before the refusal
    // The connection is as good as before.
    QCOMPARE(at(client.ask(create(hello)), {"type"}), QStringLiteral("response.completed"));
}

void ProviderStrictnessTest::accepts_data()
{
    QTest::addColumn<QByteArray>("members");
    QTest::newRow("text input") << QByteArray(hello);
    QTest::newRow("Codex fields") << QByteArray(
        "\"stream\":true,\"include\":[\"reasoning.encrypted_content\"],\"prompt_cache_key\":\"t\","
        "\"parallel_tool_calls\":false,\"reasoning\":{\"effort\":\"max\",\"context\":\"all_turns\"}"
        ","
        "\"client_metadata\":{\"thread_id\":\"t\"},\"text\":{\"verbosity\":\"low\"},"
        "\"tool_choice\":\"auto\",\"tools\":[{\"type\":\"web_search\"},{\"type\":\"custom\","
        "\"name\":"
        "\"apply_patch\",\"format\":{\"type\":\"grammar\",\"syntax\":\"lark\",\"definition\":\"x\"}"
        "},"
        "{\"type\":\"namespace\",\"name\":\"collab\",\"tools\":[]}],\"input\":\"x\"");
    QTest::newRow("a 64-character name")
        << QByteArray("\"tools\":[" + functionTool(QByteArray(64, 'n'), anySchema) + "]," + hello);
    QTest::newRow("a call with its output") << input(QByteArray(call) + ',' + output);
    QTest::newRow("an image in an output")
        << input(QByteArray(call)
                 + ",{\"type\":\"function_call_output\",\"call_id\":\"c1\",\"output\":[{\"type\":"
                   "\"input_text\","
                   "\"text\":\"x\"},{\"type\":\"input_image\",\"image_url\":\"data:image/"
                   "png;base64,AA==\"}]}");
    QTest::newRow("a developer after the output") << input(
        QByteArray(call) + ',' + output + ",{\"role\":\"developer\",\"content\":\"note\"}");
}

void ProviderStrictnessTest::accepts()
{
    QFETCH(const QByteArray, members);
    Provider provider(quickScenario());
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    ProviderClient client(provider.webSocketUrl());
    QVERIFY(client.open());
    const QJsonObject end = client.ask(create(members));
    QVERIFY2(at(end, {"type"}) == QLatin1String("response.completed"),
             QJsonDocument(end).toJson().constData());
}

void ProviderStrictnessTest::refusesAMissingModel()
{
    Provider provider(quickScenario());
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    ProviderClient client(provider.webSocketUrl());
    QVERIFY(client.open());
    QJsonObject request = create(hello);
    request.remove(QStringLiteral("model"));
    const QJsonObject end = client.ask(request);
    QCOMPARE(at(end, {"error", "code"}), QStringLiteral("missing_required_parameter"));
    QCOMPARE(at(end, {"error", "param"}), QStringLiteral("model"));
}

void ProviderStrictnessTest::refusesWhatIsNotJson()
{
    Provider provider(quickScenario());
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    ProviderClient client(provider.webSocketUrl());
    QVERIFY(client.open());
    client.sendText("{\"type\":");
    QCOMPARE(at(client.end(), {"error", "code"}), QStringLiteral("invalid_json"));
}

void ProviderStrictnessTest::refusesUnknownClientEvents()
{
    Provider provider(quickScenario());
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    ProviderClient client(provider.webSocketUrl());
    QVERIFY(client.open());
    // There is no cancel on this wire (protocols.md 1.2).
    const QJsonObject cancel = client.ask(parsed("{\"type\":\"response.cancel\"}"));
    QCOMPARE(at(cancel, {"error", "param"}), QStringLiteral("type"));
    const QJsonObject steer = client.ask(parsed("{\"type\":\"response.steer\"}"));
    QCOMPARE(at(steer, {"error", "code"}), QStringLiteral("steering_not_supported"));
}

void ProviderStrictnessTest::closesOnABinaryMessage()
{
    Provider provider(quickScenario());
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    ProviderClient client(provider.webSocketUrl());
    QVERIFY(client.open());
    QSignalSpy disconnected(&client.socket(), &QWebSocket::disconnected);
    client.socket().sendBinaryMessage("{}");
    QCOMPARE(at(client.end(), {"error", "code"}), QStringLiteral("invalid_message"));
    QTRY_COMPARE(disconnected.size(), 1);
    QCOMPARE(client.socket().closeCode(), QWebSocketProtocol::CloseCodeDatatypeNotSupported);
}

void ProviderStrictnessTest::takesItsOwnReasoningBack()
{
    Provider provider(quickScenario("\"replies\":[{\"kind\":\"reasoning\"}]"));
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    ProviderClient client(provider.webSocketUrl());
    QVERIFY(client.open());
    const QJsonObject first = client.ask(create(hello));
    const QJsonArray items = first.value(QLatin1String("response"))
                                 .toObject()
                                 .value(QLatin1String("output"))
                                 .toArray();
    QCOMPARE(items.size(), 2);
    QJsonObject again = create(hello);
    again.insert(QStringLiteral("input"), items);
    QCOMPARE(at(client.ask(again), {"type"}), QStringLiteral("response.completed"));
    // A damaged blob is not its own any more.
    QJsonObject damaged = items.at(0).toObject();
    damaged.insert(QStringLiteral("encrypted_content"),
                   damaged.value(QLatin1String("encrypted_content")).toString().chopped(1));
    again.insert(QStringLiteral("input"), QJsonArray{damaged, items.at(1)});
    QCOMPARE(at(client.ask(again), {"error", "code"}), QStringLiteral("invalid_encrypted_content"));
    // Reasoning must be followed by what it led to.
    again.insert(QStringLiteral("input"), QJsonArray{items.at(0)});
    QVERIFY(at(client.ask(again), {"error", "message"})
                .contains(QLatin1String("without its required following item")));
}

void ProviderStrictnessTest::planEndpointRefusesWhatThePlansEndpointRefuses_data()
{
    QTest::addColumn<QByteArray>("members");
    QTest::addColumn<QString>("param");
    QTest::newRow("store") << QByteArray("\"store\":true") << QStringLiteral("store");
    QTest::newRow("store left out") << QByteArray("\"stream\":true") << QStringLiteral("store");
    QTest::newRow("max_output_tokens") << QByteArray("\"store\":false,\"max_output_tokens\":100")
                                       << QStringLiteral("max_output_tokens");
    QTest::newRow("temperature") << QByteArray("\"store\":false,\"temperature\":1")
                                 << QStringLiteral("temperature");
}

void ProviderStrictnessTest::planEndpointRefusesWhatThePlansEndpointRefuses()
{
    QFETCH(const QByteArray, members);
    Provider provider(quickScenario("\"plan_endpoint\":true"));
    QVERIFY(provider.listen(QHostAddress::LocalHost, 0).has_value());
    ProviderClient client(provider.webSocketUrl());
    QVERIFY(client.open());
    const QJsonObject end = client.ask(parsed(
        "{\"type\":\"response.create\",\"model\":\"gpt-5.5\",\"input\":\"x\"," + members + '}'));
    QCOMPARE(at(end, {"status"}), QStringLiteral("400"));
    QTEST(at(end, {"error", "param"}), "param");
    QCOMPARE(at(client.ask(create(hello)), {"type"}), QStringLiteral("response.completed"));
}

QTEST_GUILESS_MAIN(ProviderStrictnessTest)
#include "tst_providerstrictness.moc"
