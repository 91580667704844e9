// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/translate/schema.h"
#include "tests/core/dialects/wire.h"

#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace headway;
using namespace headway::dialects;

class ToolsetTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void repairsSchemas_data();
    void repairsSchemas();
    void leavesAGoodSchemaByteForByte();
    void fillerMayGoFromOptionalProperties();
    void sendsStrictFalse();
    void translatesTheChoice_data();
    void translatesTheChoice();
    void keepsTheFirstOfTwoToolsOfOneName();
    void sendsHostedSearchAndDropsOtherHostedTools();
    void aliasesNamesUpstreamRefuses_data();
    void aliasesNamesUpstreamRefuses();
    void givesDifferentNamesDifferentAliases();
};

void ToolsetTest::repairsSchemas_data()
{
    QTest::addColumn<QByteArray>("schema");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const char *schema, const char *expected) {
        QTest::newRow(name) << QByteArray(schema) << QByteArray(expected);
    };
    // B66
    row("required is null", R"({"type":"object","properties":{},"required":null})",
        R"({"type":"object","properties":{}})");
    row("type is null", R"({"type":null,"properties":{"a":{"type":null}}})",
        R"({"type":"object","properties":{"a":{}}})");
    row("empty", "{}", R"({"type":"object","properties":{}})");
    row("null", "null", R"({"type":"object","properties":{}})");
    row("no properties", R"({"type":"object","additionalProperties":false})",
        R"({"type":"object","properties":{},"additionalProperties":false})");
    row("nested",
        R"({"type":"object","properties":{"a":{"type":"object","properties":{},"required":null}}})",
        R"({"type":"object","properties":{"a":{"type":"object","properties":{}}}})");
    row("in an array of schemas",
        R"({"type":"object","properties":{"a":{"anyOf":[{"type":"string","pattern":"("},{"type":"null"}]}}})",
        R"({"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]}}})");
    row("bad pattern", R"({"type":"object","properties":{"a":{"type":"string","pattern":"[a-"}}})",
        R"({"type":"object","properties":{"a":{"type":"string"}}})");
    row("good pattern",
        R"({"type":"object","properties":{"a":{"pattern":"^(?:[a-z(]+|\\d{2})*$"}}})",
        R"({"type":"object","properties":{"a":{"pattern":"^(?:[a-z(]+|\\d{2})*$"}}})");
    row("properties named like keywords",
        R"({"type":"object","properties":{"required":{"type":"string"},"pattern":{"type":"string"},"type":{"type":"string"}}})",
        R"({"type":"object","properties":{"required":{"type":"string"},"pattern":{"type":"string"},"type":{"type":"string"}}})");
    row("null inside enum and default stays",
        R"({"type":"object","properties":{"a":{"enum":[null,"x"],"default":{"required":null},"description":null}}})",
        R"({"type":"object","properties":{"a":{"enum":[null,"x"],"default":{"required":null}}}})");
    row("choice at the top",
        R"({"anyOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{}}}],"description":"d"})",
        R"({"type":"object","properties":{"a":{"type":"string"},"b":{}},"description":"d"})");
}

void ToolsetTest::repairsSchemas()
{
    QFETCH(const QByteArray, schema);
    QFETCH(const QByteArray, expected);
    const auto request = wire::read(wire::messagesBody(R"("tools":[{"name":"t","input_schema":)"
                                                       + schema.toStdString() + "}]"));
    QVERIFY2(request, request ? "" : request.error().message.c_str());
    const QJsonObject tool = wire::fields(*request)[QLatin1String("tools")].toArray()[0].toObject();
    QCOMPARE(
        QJsonDocument(tool[QLatin1String("parameters")].toObject()).toJson(QJsonDocument::Compact),
        QJsonDocument(QJsonDocument::fromJson(expected).object()).toJson(QJsonDocument::Compact));
}

void ToolsetTest::leavesAGoodSchemaByteForByte()
{
    const std::string schema
        = R"({ "$schema":"x", "type" : "object","properties":{"n":{"type":"number","maximum":1e+400,"default": { "required":null }}}})";
    const auto request
        = wire::read(wire::messagesBody(R"("tools":[{"name":"t","input_schema":)" + schema + "}]"));
    QVERIFY(request);
    QVERIFY(request->tools.find(schema) != std::string_view::npos);
}

// A client rejects null where a field is required; a default says what null stands for.
void ToolsetTest::fillerMayGoFromOptionalProperties()
{
    json::Document schema;
    QVERIFY(!schema.read(R"({"type":"object","required":["path","own"],"properties":{
        "path":{"type":"string"},"limit":{"type":"number"},"mode":{"default":"fast"},
        "own":{"default":1},"tags":{"type":"array"}}})"));
    const std::vector<std::string> expected{"limit", "tags"};
    QCOMPARE(optionalProperties(schema.root()), expected);
}

// B60
void ToolsetTest::sendsStrictFalse()
{
    const auto request = wire::read(wire::messagesBody(
        R"("tools":[{"name":"Agent","description":"d","cache_control":{"type":"ephemeral"},"input_schema":{"type":"object","properties":{"p":{"type":"string"},"isolation":{"type":"string","enum":["worktree"]}},"required":["p"]}}])"));
    QVERIFY(request);
    const QJsonObject tool = wire::fields(*request)[QLatin1String("tools")].toArray()[0].toObject();
    QVERIFY(tool[QLatin1String("strict")].isBool());
    QCOMPARE(tool[QLatin1String("strict")].toBool(true), false);
    QCOMPARE(tool[QLatin1String("type")].toString(), QLatin1String("function"));
    QCOMPARE(tool[QLatin1String("description")].toString(), QLatin1String("d"));
    QCOMPARE(tool.size(), 5);
}

void ToolsetTest::translatesTheChoice_data()
{
    QTest::addColumn<QByteArray>("tools");
    QTest::addColumn<QByteArray>("choice");
    QTest::addColumn<QByteArray>("expected"); // in an array; empty: not sent
    const QByteArray one = R"([{"name":"Read","input_schema":{}}])";
    const QByteArray search = R"([{"type":"web_search_20250305","name":"web_search"}])";
    const QByteArray hosted
        = R"([{"type":"code_execution_20250522","name":"code_execution"},{"name":"Read","input_schema":{}}])";
    const auto row
        = [](const char *name, const QByteArray &tools, const char *choice, const char *expected) {
              QTest::newRow(name) << tools << QByteArray(choice) << QByteArray(expected);
          };
    row("none", one, R"({"type":"none"})", R"(["none"])");
    row("auto", one, R"({"type":"auto"})", R"(["auto"])");
    row("any", one, R"({"type":"any"})", R"(["required"])");
    row("tool", one, R"({"type":"tool","name":"Read"})", R"([{"type":"function","name":"Read"}])");
    // B62
    row("hosted search", search, R"({"type":"tool","name":"web_search"})",
        R"([{"type":"web_search"}])");
    row("hosted tool that is not sent", hosted, R"({"type":"tool","name":"code_execution"})",
        R"(["auto"])");
    row("unknown tool", one, R"({"type":"tool","name":"Write"})", R"(["auto"])");
    row("no tools", "[]", R"({"type":"any"})", "");
    row("only hosted tools that are not sent",
        R"([{"type":"code_execution_20250522","name":"code_execution"}])",
        R"({"type":"tool","name":"code_execution"})", "");
}

void ToolsetTest::translatesTheChoice()
{
    QFETCH(const QByteArray, tools);
    QFETCH(const QByteArray, choice);
    QFETCH(const QByteArray, expected);
    const auto request = wire::read(wire::messagesBody(
        "\"tools\":" + tools.toStdString() + ",\"tool_choice\":" + choice.toStdString()));
    QVERIFY(request);
    const QJsonObject fields = wire::fields(*request);
    if (expected.isEmpty()) {
        QVERIFY(!fields.contains(QLatin1String("tool_choice")));
        return;
    }
    QCOMPARE(QJsonArray{fields[QLatin1String("tool_choice")]},
             QJsonDocument::fromJson(expected).array());
}

void ToolsetTest::keepsTheFirstOfTwoToolsOfOneName()
{
    const auto request = wire::read(wire::messagesBody(
        R"("tools":[{"name":"t","description":"1","input_schema":{}},{"name":"t","description":"2","input_schema":{}}])"));
    QVERIFY(request);
    const QJsonArray tools = wire::fields(*request)[QLatin1String("tools")].toArray();
    QCOMPARE(tools.size(), 1);
    QCOMPARE(tools[0].toObject()[QLatin1String("description")].toString(), QLatin1String("1"));
}

void ToolsetTest::sendsHostedSearchAndDropsOtherHostedTools()
{
    const auto request = wire::read(wire::messagesBody(
        R"("tools":[{"type":"web_search_20250305","name":"web_search","max_uses":3,"allowed_domains":["a.b"]},{"type":"bash_20250124","name":"bash"},{"type":"custom","name":"t","input_schema":{}}])"));
    QVERIFY(request);
    const QJsonArray tools = wire::fields(*request)[QLatin1String("tools")].toArray();
    QCOMPARE(tools.size(), 2);
    QCOMPARE(tools[0].toObject(),
             wire::object(R"({"type":"web_search","filters":{"allowed_domains":["a.b"]}})"));
    QCOMPARE(tools[1].toObject()[QLatin1String("name")].toString(), QLatin1String("t"));
}

void ToolsetTest::aliasesNamesUpstreamRefuses_data()
{
    QTest::addColumn<QByteArray>("tool");
    QTest::newRow("long") << QByteArray("mcp__" + QByteArray(80, 'x') + "__do");
    QTest::newRow("64 is not long") << QByteArray(64, 'y');
    QTest::newRow("dots") << QByteArray("server.tool/name");
    QTest::newRow("not ASCII") << QByteArray("größe");
}

void ToolsetTest::aliasesNamesUpstreamRefuses()
{
    QFETCH(const QByteArray, tool);
    const std::string body = wire::messagesBody(
        R"("tools":[{"name":")" + tool.toStdString()
            + R"(","input_schema":{}}],"tool_choice":{"type":"tool","name":")" + tool.toStdString()
            + R"("})",
        R"([{"role":"assistant","content":[{"type":"tool_use","id":"c","name":")"
            + tool.toStdString() + R"(","input":{}}]}])");
    const auto request = wire::read(body);
    QVERIFY(request);
    const QJsonObject fields = wire::fields(*request);
    const QString name
        = fields[QLatin1String("tools")].toArray()[0].toObject()[QLatin1String("name")].toString();
    static const QRegularExpression allowed(QStringLiteral("^[A-Za-z0-9_-]{1,64}$"));
    QVERIFY2(allowed.match(name).hasMatch(), qPrintable(name));
    QCOMPARE(fields[QLatin1String("tool_choice")].toObject()[QLatin1String("name")].toString(),
             name);
    QCOMPARE(wire::items(*request)[0].toObject()[QLatin1String("name")].toString(), name);
    // The same in every request, and back to the client by its own name.
    QCOMPARE(wire::read(body)->fields, request->fields);
    const auto writer = makeReplyWriter(*request, base::TurnId(1));
    wire::Upstream upstream;
    const std::string item = R"({"type":"function_call","id":"fc","call_id":"c9","name":")"
        + name.toStdString() + R"(","arguments":"{}"})";
    const auto message = wire::assembled(
        upstream.sendAll(*writer, {wire::created(), wire::done(0, item), wire::completed()}));
    QCOMPARE(message.blocks.size(), 1);
    QCOMPARE(message.blocks[0][QLatin1String("name")].toString(), QString::fromUtf8(tool));
}

void ToolsetTest::givesDifferentNamesDifferentAliases()
{
    QSet<QString> names;
    for (int i = 0; i < 200; ++i) {
        const std::string tool = std::string(80, 'x') + std::to_string(i);
        const auto request = wire::read(
            wire::messagesBody(R"("tools":[{"name":")" + tool + R"(","input_schema":{}}])"));
        QVERIFY(request);
        names.insert(wire::fields(*request)[QLatin1String("tools")]
                         .toArray()[0]
                         .toObject()[QLatin1String("name")]
                         .toString());
    }
    QCOMPARE(names.size(), 200);
}

QTEST_APPLESS_MAIN(ToolsetTest)
#include "tst_toolset.moc"
