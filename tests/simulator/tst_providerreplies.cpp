// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/simulator/providerclient.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>

using namespace headway::simulator;

namespace {

QByteArray function(const QByteArray &name, const QByteArray &properties,
                    const QByteArray &required)
{
    return "{\"type\":\"function\",\"name\":\"" + name
        + "\",\"parameters\":{\"type\":\"object\",\"properties\":{" + properties
        + "},\"required\":[" + required + "]}}";
}

// As the proxy translates Claude Code's tools.
QByteArray claudeTools()
{
    return "\"tools\":["
        + function("Agent",
                   "\"description\":{\"type\":\"string\"},\"prompt\":{\"type\":\"string\"}",
                   "\"description\",\"prompt\"")
        + ','
        + function("Bash",
                   "\"command\":{\"type\":\"string\"},\"description\":{\"type\":\"string\"}",
                   "\"command\"")
        + "],";
}

QByteArray user(const QByteArray &text)
{
    return "\"input\":[{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_"
           "text\","
           "\"text\":\""
        + text + "\"}]}]";
}

QJsonArray outputOf(const QJsonObject &end)
{
    return end.value(QLatin1String("response")).toObject().value(QLatin1String("output")).toArray();
}

QStringList typesOf(const QJsonObject &end)
{
    QStringList types;
    for (const QJsonValue &item : outputOf(end))
        types.append(item.toObject().value(QLatin1String("type")).toString());
    return types;
}

QJsonObject argumentsOf(const QJsonObject &end, qsizetype index = 0)
{
    return parsed(
        outputOf(end).at(index).toObject().value(QLatin1String("arguments")).toString().toUtf8());
}

QString textOf(const QJsonObject &end)
{
    return outputOf(end)
        .last()
        .toObject()
        .value(QLatin1String("content"))
        .toArray()
        .at(0)
        .toObject()
        .value(QLatin1String("text"))
        .toString();
}

const QString message = QStringLiteral("message");
const QString functionCall = QStringLiteral("function_call");

struct Peer
{
    explicit Peer(const QByteArray &members = {})
        : provider(quickScenario(members))
    {
        if (!provider.listen(QHostAddress::LocalHost, 0))
            qFatal("cannot listen");
        client.emplace(provider.webSocketUrl());
        if (!client->open())
            qFatal("cannot connect");
    }
    QJsonObject ask(const QByteArray &members) { return client->ask(create(members)); }

    Provider provider;
    std::optional<ProviderClient> client;
};

} // namespace

class ProviderRepliesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tellsTheItemsInTheDocumentedOrder();
    void numbersEveryEventAndRepeatsTheResponse();
    void namedToolWithItsInput();
    void unnamedToolIsAShellThatSaysHello_data();
    void unnamedToolIsAShellThatSaysHello();
    void severalCallsAtOnce();
    void fanOutStartsSubAgents();
    void fanOutInANamespace();
    void subAgentsAnswerInText();
    void repliesFollowTheConversation();
    void aFullResendKeepsItsPlaceInTheReplies();
    void theUserMayAskForAReply();
    void anAbsentToolIsNotCalled();
    void withoutToolsOnlyText();
    void schemaRepliesSatisfyTheSchema();
    void summaryOnlyWhenAskedFor();
    void stopsAtMaxOutputTokens();
};

void ProviderRepliesTest::tellsTheItemsInTheDocumentedOrder()
{
    Peer peer("\"replies\":[{\"kind\":\"reasoning\",\"input\":{\"text\":\"two words\"}}]");
    const QJsonObject end = peer.ask("\"reasoning\":{\"summary\":\"auto\"}," + user("hi"));
    QCOMPARE(typesOf(end), QStringList({QStringLiteral("reasoning"), message}));
    QStringList types;
    for (const QJsonObject &event : peer.client->events()) {
        const QString type = at(event, {"type"}).section(u'.', 1);
        if (types.isEmpty() || types.last() != type)
            types.append(type);
    }
    QCOMPARE(types.join(u' '),
             QStringLiteral("created in_progress output_item.added reasoning_summary_part.added "
                            "reasoning_summary_text.delta reasoning_summary_text.done "
                            "reasoning_summary_part.done output_item.done output_item.added "
                            "content_part.added output_text.delta output_text.done "
                            "content_part.done output_item.done completed"));
    QCOMPARE(textOf(end), QStringLiteral("two words"));
    QString joined;
    for (const QJsonObject &event : peer.client->events()) {
        if (at(event, {"type"}) == QLatin1String("response.output_text.delta"))
            joined += at(event, {"delta"});
    }
    QCOMPARE(joined, QStringLiteral("two words"));
}

void ProviderRepliesTest::numbersEveryEventAndRepeatsTheResponse()
{
    Peer peer;
    const QJsonObject end = peer.ask(claudeTools() + user("hi"));
    const QList<QJsonObject> &events = peer.client->events();
    for (int i = 0; i < events.size(); ++i) {
        QCOMPARE(events.at(i).value(QLatin1String("sequence_number")).toInt(-1), i);
        QVERIFY(!events.at(i).contains(QLatin1String("stream_id"))); // the default lane
    }
    const QJsonObject created = events.at(0).value(QLatin1String("response")).toObject();
    QCOMPARE(created.value(QLatin1String("status")).toString(), QStringLiteral("in_progress"));
    QCOMPARE(created.value(QLatin1String("tools")).toArray().size(), 2);
    QCOMPARE(at(end, {"response", "id"}), created.value(QLatin1String("id")).toString());
    QCOMPARE(at(end, {"response", "status"}), QStringLiteral("completed"));
    const int input = at(end, {"response", "usage", "input_tokens"}).toInt();
    const int output = at(end, {"response", "usage", "output_tokens"}).toInt();
    QVERIFY(input > 0 && output > 0);
    QCOMPARE(at(end, {"response", "usage", "total_tokens"}).toInt(), input + output);
}

void ProviderRepliesTest::namedToolWithItsInput()
{
    Peer peer(
        "\"replies\":[{\"kind\":\"tool\",\"name\":\"Bash\",\"input\":{\"command\":\"ls -l\"}}]");
    const QJsonObject end = peer.ask(claudeTools() + user("hi"));
    QCOMPARE(typesOf(end), QStringList{functionCall});
    const QJsonObject call = outputOf(end).at(0).toObject();
    QCOMPARE(at(call, {"name"}), QStringLiteral("Bash"));
    QVERIFY(at(call, {"call_id"}).startsWith(QLatin1String("call_")));
    QCOMPARE(argumentsOf(end), parsed("{\"command\":\"ls -l\"}"));
    QString streamed;
    for (const QJsonObject &event : peer.client->events()) {
        if (at(event, {"type"}) == QLatin1String("response.function_call_arguments.delta"))
            streamed += at(event, {"delta"});
    }
    QCOMPARE(streamed, at(call, {"arguments"}));
}

void ProviderRepliesTest::unnamedToolIsAShellThatSaysHello_data()
{
    QTest::addColumn<QByteArray>("tools");
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("arguments");
    QTest::newRow("Claude Code") << claudeTools() << functionCall << QStringLiteral("Bash")
                                 << QByteArray("{\"command\":\"echo hello\"}");
    QTest::newRow("Codex exec_command")
        << "\"tools\":[" + function("exec_command", "\"cmd\":{\"type\":\"string\"}", "\"cmd\"")
            + "],"
        << functionCall << QStringLiteral("exec_command") << QByteArray("{\"cmd\":\"echo hello\"}");
    QTest::newRow("Codex shell") << "\"tools\":["
            + function("shell", "\"command\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}",
                       "\"command\"")
            + "]," << functionCall
                                 << QStringLiteral("shell")
                                 << QByteArray("{\"command\":[\"bash\",\"-lc\",\"echo hello\"]}");
    QTest::newRow("another name") << "\"tools\":["
            + function("look", "\"q\":{\"type\":\"string\"}", "\"q\"") + ','
            + function("run", "\"command\":{\"type\":\"string\"}", "\"command\"") + "],"
                                  << functionCall << QStringLiteral("run")
                                  << QByteArray("{\"command\":\"echo hello\"}");
    QTest::newRow("local shell") << QByteArray("\"tools\":[{\"type\":\"local_shell\"}],")
                                 << QStringLiteral("local_shell_call") << QString() << QByteArray();
    QTest::newRow("Codex code mode")
        << QByteArray("\"tools\":[{\"type\":\"custom\",\"name\":\"exec\"}],")
        << QStringLiteral("custom_tool_call") << QStringLiteral("exec") << QByteArray();
    QTest::newRow("no shell at all") << "\"tools\":["
            + function("weather", "\"city\":{\"type\":\"string\"},\"days\":{\"type\":\"integer\"}",
                       "\"city\",\"days\"")
            + "]," << functionCall << QStringLiteral("weather")
                                     << QByteArray("{\"city\":\"simulated city\",\"days\":1}");
}

void ProviderRepliesTest::unnamedToolIsAShellThatSaysHello()
{
    QFETCH(const QByteArray, tools);
    QFETCH(const QString, type);
    QFETCH(const QByteArray, arguments);
    Peer peer("\"replies\":[{\"kind\":\"tool\"}]");
    const QJsonObject end = peer.ask(tools + user("hi"));
    QCOMPARE(typesOf(end), QStringList{type});
    QTEST(at(outputOf(end).at(0).toObject(), {"name"}), "name");
    if (!arguments.isEmpty())
        QCOMPARE(argumentsOf(end), parsed(arguments));
}

void ProviderRepliesTest::severalCallsAtOnce()
{
    Peer peer("\"replies\":[{\"kind\":\"tools\",\"n\":4}]");
    const QJsonObject end = peer.ask(claudeTools() + user("hi"));
    QCOMPARE(typesOf(end), QStringList(4, functionCall));
    QSet<QString> ids;
    for (const QJsonValue &call : outputOf(end))
        ids.insert(at(call.toObject(), {"call_id"}));
    QCOMPARE(ids.size(), 4);
}

void ProviderRepliesTest::fanOutStartsSubAgents()
{
    Peer peer("\"replies\":[{\"kind\":\"fanout\",\"n\":3}]");
    const QJsonObject end = peer.ask(claudeTools() + user("hi"));
    QCOMPARE(typesOf(end), QStringList(3, functionCall));
    QCOMPARE(at(outputOf(end).at(2).toObject(), {"name"}), QStringLiteral("Agent"));
    const QJsonObject input = argumentsOf(end, 2);
    QVERIFY(at(input, {"prompt"}).startsWith(QLatin1String("SUBAGENT-2 ")));
    QCOMPARE(at(input, {"subagent_type"}), QStringLiteral("general-purpose"));
    QCOMPARE(input.value(QLatin1String("run_in_background")), QJsonValue(false));
    QVERIFY(!at(input, {"description"}).isEmpty());
}

void ProviderRepliesTest::fanOutInANamespace()
{
    Peer peer("\"replies\":[{\"kind\":\"fanout\",\"n\":1}]");
    // gpt-6 models get their tools as an input item (clients.md 2.2).
    const QJsonObject end
        = peer.ask("\"input\":[{\"type\":\"additional_tools\",\"role\":\"developer\",\"tools\":[{"
                   "\"type\":\"namespace\",\"name\":\"collab\",\"tools\":["
                   + function("spawn_agent", "\"message\":{\"type\":\"string\"}", "\"message\"")
                   + "]}]},{\"role\":\"user\",\"content\":\"hi\"}]");
    QCOMPARE(typesOf(end), QStringList{functionCall});
    const QJsonObject call = outputOf(end).at(0).toObject();
    QCOMPARE(at(call, {"name"}), QStringLiteral("spawn_agent"));
    QCOMPARE(at(call, {"namespace"}), QStringLiteral("collab"));
    QVERIFY(at(argumentsOf(end), {"message"}).startsWith(QLatin1String("SUBAGENT-0 ")));
}

void ProviderRepliesTest::subAgentsAnswerInText()
{
    Peer peer("\"replies\":[{\"kind\":\"fanout\",\"n\":3}]");
    QCOMPARE(typesOf(peer.ask(claudeTools() + user("SUBAGENT-1 do one small thing."))),
             QStringList{message});
    // Unless the prompt asks for a call first.
    QCOMPARE(typesOf(peer.ask(claudeTools() + user("SUBAGENT-1 simulate:tool"))),
             QStringList{functionCall});
}

void ProviderRepliesTest::repliesFollowTheConversation()
{
    Peer peer("\"replies\":[{\"kind\":\"tool\"},{\"kind\":\"tool\"}]");
    QJsonObject end = peer.ask(claudeTools() + user("hi"));
    for (const QString &expected : {functionCall, message}) {
        const QString call = at(outputOf(end).at(0).toObject(), {"call_id"});
        end = peer.ask(claudeTools() + "\"previous_response_id\":\""
                       + at(end, {"response", "id"}).toUtf8()
                       + "\",\"input\":[{\"type\":\"function_call_output\",\"call_id\":\""
                       + call.toUtf8() + "\",\"output\":\"ok\"}]");
        QCOMPARE(typesOf(end), QStringList{expected});
    }
    // A background agent that wakes the conversation up gets text, not another call.
    end = peer.ask(claudeTools() + "\"previous_response_id\":\""
                   + at(end, {"response", "id"}).toUtf8() + "\"," + user("the task has finished"));
    QVERIFY(!typesOf(end).contains(functionCall));
}

void ProviderRepliesTest::aFullResendKeepsItsPlaceInTheReplies()
{
    Peer peer("\"replies\":[{\"kind\":\"text\"},{\"kind\":\"tool\"}]");
    const QJsonObject end
        = peer.ask(claudeTools()
                   + "\"input\":[{\"role\":\"user\",\"content\":\"a\"},{\"role\":\"assistant\","
                     "\"content\":\"b\"},{\"role\":\"user\",\"content\":\"c\"}]");
    QCOMPARE(typesOf(end), QStringList{functionCall});
}

void ProviderRepliesTest::theUserMayAskForAReply()
{
    Peer peer;
    const QJsonObject calls = peer.ask(claudeTools() + user("please simulate:tools 2"));
    QCOMPARE(typesOf(calls), QStringList(2, functionCall));
    QByteArray outputs;
    for (const QJsonValue &call : outputOf(calls))
        outputs += (outputs.isEmpty() ? "" : ",")
            + QByteArray("{\"type\":\"function_call_output\",\"call_id\":\"")
            + at(call.toObject(), {"call_id"}).toUtf8() + "\",\"output\":\"ok\"}";
    // Asked for once: the outputs are answered with text.
    const QJsonObject end
        = peer.ask(claudeTools() + "\"previous_response_id\":\""
                   + at(calls, {"response", "id"}).toUtf8() + "\",\"input\":[" + outputs + ']');
    QCOMPARE(typesOf(end).last(), message);
    QVERIFY(!typesOf(end).contains(functionCall));
}

void ProviderRepliesTest::anAbsentToolIsNotCalled()
{
    Peer peer("\"replies\":[{\"kind\":\"tool\",\"name\":\"Read\"}]");
    const QJsonObject end = peer.ask(claudeTools() + user("hi"));
    QCOMPARE(typesOf(end), QStringList{message});
    QVERIFY(textOf(end).contains(QLatin1String("Read")));
}

void ProviderRepliesTest::withoutToolsOnlyText()
{
    Peer peer("\"replies\":[{\"kind\":\"tool\"}]");
    QCOMPARE(typesOf(peer.ask(user("hi"))), QStringList{message});
    QCOMPARE(typesOf(peer.ask(claudeTools() + "\"tool_choice\":\"none\"," + user("hi"))),
             QStringList{message});
}

void ProviderRepliesTest::schemaRepliesSatisfyTheSchema()
{
    Peer peer("\"replies\":[{\"kind\":\"tool\"}]");
    const QJsonObject end = peer.ask(
        "\"text\":{\"format\":{\"type\":\"json_schema\",\"name\":\"title\",\"schema\":{\"type\":"
        "\"object\",\"properties\":{\"title\":{\"type\":\"string\"},\"isNewTopic\":{\"type\":"
        "\"boolean\"}},\"required\":[\"title\",\"isNewTopic\"]}}},"
        + user("hi"));
    const QJsonObject reply = parsed(textOf(end).toUtf8());
    QVERIFY(reply.value(QLatin1String("title")).isString());
    QVERIFY(reply.value(QLatin1String("isNewTopic")).isBool());
    QCOMPARE(reply.size(), 2);
}

void ProviderRepliesTest::summaryOnlyWhenAskedFor()
{
    Peer peer("\"replies\":[{\"kind\":\"reasoning\"}]");
    const QJsonObject quiet = outputOf(peer.ask(user("hi"))).at(0).toObject();
    QCOMPARE(at(quiet, {"type"}), QStringLiteral("reasoning"));
    QVERIFY(quiet.value(QLatin1String("summary")).toArray().isEmpty());
    QVERIFY(!at(quiet, {"encrypted_content"}).isEmpty());
}

void ProviderRepliesTest::stopsAtMaxOutputTokens()
{
    const QByteArray longText(400, 'x');
    Peer peer("\"replies\":[{\"kind\":\"text\",\"input\":{\"text\":\"" + longText + "\"}}]");
    const QJsonObject end = peer.ask("\"max_output_tokens\":20," + user("hi"));
    QCOMPARE(at(end, {"type"}), QStringLiteral("response.incomplete"));
    QCOMPARE(at(end, {"response", "incomplete_details", "reason"}),
             QStringLiteral("max_output_tokens"));
    QCOMPARE(textOf(end).size(), 80);
}

QTEST_GUILESS_MAIN(ProviderRepliesTest)
#include "tst_providerreplies.moc"
