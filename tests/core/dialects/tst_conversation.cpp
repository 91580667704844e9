// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/dialects/wire.h"

#include <QTest>

using namespace headway;
using namespace headway::dialects;

// The rows of table 5.1 that turn messages into items.
class ConversationTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void translatesMessages_data();
    void translatesMessages();
    void splicesTextAsItWasWritten();
    void treatsAStringAsOneText();
    void keepsTheRawInputOfACall();
    void keepsTurnNAPrefixOfTurnNPlusOne();
    void shortensLongCallIdsOnBothSides();
};

void ConversationTest::translatesMessages_data()
{
    QTest::addColumn<QByteArray>("messages");
    QTest::addColumn<QByteArray>("items");
    const auto row = [](const char *name, const char *messages, const char *items) {
        QTest::newRow(name) << QByteArray(messages) << QByteArray(items);
    };
    row("user string", R"([{"role":"user","content":"a"}])",
        R"([{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]}])");
    row("parts of one turn stay together, empty text goes",
        R"([{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":""},{"type":"text","text":"b","cache_control":{"type":"ephemeral"}}]}])",
        R"([{"type":"message","role":"user","content":[{"type":"input_text","text":"a"},{"type":"input_text","text":"b"}]}])");
    row("empty messages go",
        R"([{"role":"user","content":""},{"role":"assistant","content":""},{"role":"user","content":[]},{"role":"user","content":"x"}])",
        R"([{"type":"message","role":"user","content":[{"type":"input_text","text":"x"}]}])");
    row("system stays at its place",
        R"([{"role":"user","content":"a"},{"role":"system","content":[{"type":"text","text":"note"}]},{"role":"assistant","content":"b"}])",
        R"([{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]},{"type":"message","role":"developer","content":[{"type":"input_text","text":"note"}]},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"b"}]}])");
    row("billing line in a message is what the user said",
        R"([{"role":"user","content":"x-anthropic-billing-header: v"}])",
        R"([{"type":"message","role":"user","content":[{"type":"input_text","text":"x-anthropic-billing-header: v"}]}])");
    row("image as data",
        R"([{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"QUJD"}}]}])",
        R"([{"type":"message","role":"user","content":[{"type":"input_image","image_url":"data:image/jpeg;base64,QUJD","detail":"auto"}]}])");
    row("image by address",
        R"([{"role":"user","content":[{"type":"image","source":{"type":"url","url":"https://x/y.png"}}]}])",
        R"([{"type":"message","role":"user","content":[{"type":"input_image","image_url":"https://x/y.png","detail":"auto"}]}])");
    row("PDF",
        R"([{"role":"user","content":[{"type":"document","title":"t.pdf","source":{"type":"base64","media_type":"application/pdf","data":"QUJD"}}]}])",
        R"([{"type":"message","role":"user","content":[{"type":"input_file","filename":"t.pdf","file_data":"data:application/pdf;base64,QUJD"}]}])");
    row("text document",
        R"([{"role":"user","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"abc"}}]}])",
        R"([{"type":"message","role":"user","content":[{"type":"input_text","text":"abc"}]}])");
    row("document by address",
        R"([{"role":"user","content":[{"type":"document","source":{"type":"url","url":"https://x/y.pdf"}}]}])",
        R"([{"type":"message","role":"user","content":[{"type":"input_file","file_url":"https://x/y.pdf"}]}])");
    row("call and result",
        R"([{"role":"assistant","content":[{"type":"text","text":"look"},{"type":"tool_use","id":"c1","name":"Read","input":{"f":"/a"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"text"}]}])",
        R"([{"type":"message","role":"assistant","content":[{"type":"output_text","text":"look"}]},{"type":"function_call","call_id":"c1","name":"Read","arguments":"{\"f\":\"/a\"}"},{"type":"function_call_output","call_id":"c1","output":"text"}])");
    row("parallel calls, results in one message, words behind",
        R"([{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"A","input":{}},{"type":"tool_use","id":"c2","name":"B","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c2","content":"2"},{"type":"text","text":"go"},{"type":"tool_result","tool_use_id":"c1","content":"1"}]}])",
        R"([{"type":"function_call","call_id":"c1","name":"A","arguments":"{}"},{"type":"function_call","call_id":"c2","name":"B","arguments":"{}"},{"type":"function_call_output","call_id":"c2","output":"2"},{"type":"function_call_output","call_id":"c1","output":"1"},{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}])");
    row("error result",
        R"([{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"A","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","is_error":true,"content":[{"type":"text","text":"no"}]}]}])",
        R"([{"type":"function_call","call_id":"c1","name":"A","arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":"[tool execution error]\nno"}])");
    row("empty result",
        R"([{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"A","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":""}]}])",
        R"x([{"type":"function_call","call_id":"c1","name":"A","arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":"(no output)"}])x");
    row("result with an image is parts",
        R"([{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"A","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"seen"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}},{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"QUJD"}}]}]}])",
        R"([{"type":"function_call","call_id":"c1","name":"A","arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":[{"type":"input_text","text":"seen"},{"type":"input_image","image_url":"data:image/png;base64,QUJD","detail":"auto"},{"type":"input_file","filename":"document.pdf","file_data":"data:application/pdf;base64,QUJD"}]}])");
    row("orphan result becomes words",
        R"([{"role":"user","content":[{"type":"tool_result","tool_use_id":"gone","content":"x"}]}])",
        R"([{"type":"message","role":"user","content":[{"type":"input_text","text":"[result of an earlier tool call gone]"},{"type":"input_text","text":"x"}]}])");
    row("second result of one call becomes words",
        R"([{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"A","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"1"},{"type":"tool_result","tool_use_id":"c1","content":"2"}]}])",
        R"([{"type":"function_call","call_id":"c1","name":"A","arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":"1"},{"type":"message","role":"user","content":[{"type":"input_text","text":"[result of an earlier tool call c1]"},{"type":"input_text","text":"2"}]}])");
    row("unanswered call gets an answer at its place",
        R"([{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"A","input":{}}]},{"role":"user","content":"never mind"}])",
        R"([{"type":"function_call","call_id":"c1","name":"A","arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":"[interrupted: the tool call was not answered]"},{"type":"message","role":"user","content":[{"type":"input_text","text":"never mind"}]}])");
    row("call ids that come again",
        R"([{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"A","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"1"}]},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"A","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"2"}]}])",
        R"([{"type":"function_call","call_id":"c1","name":"A","arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":"1"},{"type":"function_call","call_id":"c1_2","name":"A","arguments":"{}"},{"type":"function_call_output","call_id":"c1_2","output":"2"}])");
    row("an unanswered call whose id comes again",
        R"([{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"A","input":{}}]},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"A","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"2"}]}])",
        R"([{"type":"function_call","call_id":"c1","name":"A","arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":"[interrupted: the tool call was not answered]"},{"type":"function_call","call_id":"c1_2","name":"A","arguments":"{}"},{"type":"function_call_output","call_id":"c1_2","output":"2"}])");
    row("our signature is reasoning, foreign ones go",
        R"([{"role":"assistant","content":[{"type":"thinking","thinking":"ab\n\ncde","signature":"hw.v1.rs_1.2-3.BLOB"},{"type":"thinking","thinking":"zz","signature":"EqQBCgIYAhIM"},{"type":"text","text":"x"}]}])",
        R"([{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"ab"},{"type":"summary_text","text":"cde"}],"encrypted_content":"BLOB"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"x"}]}])");
    row("redacted thinking carries it, too",
        R"([{"role":"assistant","content":[{"type":"redacted_thinking","data":"hw.v1.rs_1..BLOB"},{"type":"redacted_thinking","data":"foreign"},{"type":"text","text":"x"}]}])",
        R"([{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"BLOB"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"x"}]}])");
    row("reasoning that nothing follows goes",
        R"([{"role":"assistant","content":[{"type":"text","text":"x"},{"type":"thinking","thinking":"","signature":"hw.v1.rs_1..BLOB"}]},{"role":"user","content":"y"}])",
        R"([{"type":"message","role":"assistant","content":[{"type":"output_text","text":"x"}]},{"type":"message","role":"user","content":[{"type":"input_text","text":"y"}]}])");
    row("blocks of hosted tools are not sent back",
        R"([{"role":"assistant","content":[{"type":"server_tool_use","id":"s","name":"web_search","input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"s","content":[]},{"type":"text","text":"x"}]}])",
        R"([{"type":"message","role":"assistant","content":[{"type":"output_text","text":"x"}]}])");
}

void ConversationTest::translatesMessages()
{
    QFETCH(const QByteArray, messages);
    QFETCH(const QByteArray, items);
    const auto request = wire::read(wire::messagesBody({}, messages.toStdString()));
    QVERIFY2(request, request ? "" : request.error().message.c_str());
    const QByteArray actual = QJsonDocument(wire::items(*request)).toJson(QJsonDocument::Compact);
    const QByteArray expected
        = QJsonDocument(QJsonDocument::fromJson(items).array()).toJson(QJsonDocument::Compact);
    QCOMPARE(actual, expected);
}

void ConversationTest::splicesTextAsItWasWritten()
{
    const std::string literal = R"("a\u00e9\/ \ud83d \" é")"; // odd escapes, a lone surrogate
    const auto request
        = wire::read(wire::messagesBody({}, R"([{"role":"user","content":)" + literal + "}]"));
    QVERIFY(request);
    QVERIFY(request->input[0].find(literal) != std::string_view::npos);
}

void ConversationTest::treatsAStringAsOneText()
{
    const auto one = wire::read(wire::messagesBody(
        {},
        R"([{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"system","content":"c"},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"A","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"d"}]}])"));
    const auto two = wire::read(wire::messagesBody(
        {},
        R"([{"role":"user","content":[{"type":"text","text":"a"}]},{"role":"assistant","content":[{"type":"text","text":"b"}]},{"role":"system","content":[{"type":"text","text":"c","cache_control":{"type":"ephemeral"}}]},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"A","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"d"}]}]}])"));
    QVERIFY(one && two);
    QVERIFY(one->input == two->input);
}

void ConversationTest::keepsTheRawInputOfACall()
{
    const auto request = wire::read(wire::messagesBody(
        {},
        R"([{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"A","input":{"b":123456789012345678901234567890,"a":1.50,"s":"\u0041\/"}}]}])"));
    QVERIFY(request);
    QCOMPARE(wire::object(request->input[0])[QLatin1String("arguments")].toString(),
             QLatin1String(R"({"b":123456789012345678901234567890,"a":1.50,"s":"\u0041\/"})"));
}

void ConversationTest::keepsTurnNAPrefixOfTurnNPlusOne()
{
    // Turn 1 as Claude Code sends it: the mark of the cache on its last block.
    const auto first = wire::read(wire::messagesBody(
        {},
        R"([{"role":"user","content":[{"type":"text","text":"a"}]},{"role":"system","content":[{"type":"text","text":"note","cache_control":{"type":"ephemeral"}}]}])"));
    const auto second = wire::read(wire::messagesBody(
        {},
        R"([{"role":"user","content":[{"type":"text","text":"a"}]},{"role":"system","content":"note"},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"A","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"1","cache_control":{"type":"ephemeral"}}]}])"));
    const auto third = wire::read(wire::messagesBody(
        {},
        R"([{"role":"user","content":"a"},{"role":"system","content":"note"},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"A","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"1"}]},{"role":"assistant","content":"done"},{"role":"user","content":"b"}])"));
    QVERIFY(first && second && third);
    QCOMPARE(first->fields, second->fields);
    const auto isPrefix = [](const TurnRequest &shorter, const TurnRequest &longer) {
        return shorter.input.size() < longer.input.size()
            && std::equal(shorter.input.begin(), shorter.input.end(), longer.input.begin());
    };
    QVERIFY(isPrefix(*first, *second));
    QVERIFY(isPrefix(*second, *third));
}

void ConversationTest::shortensLongCallIdsOnBothSides()
{
    const std::string id(90, 'x');
    const auto request = wire::read(wire::messagesBody(
        {},
        R"([{"role":"assistant","content":[{"type":"tool_use","id":")" + id
            + R"(","name":"A","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":")"
            + id + R"(","content":"1"}]}])"));
    QVERIFY(request);
    const QJsonArray items = wire::items(*request);
    const QString call = items[0].toObject()[QLatin1String("call_id")].toString();
    QCOMPARE(items[1].toObject()[QLatin1String("call_id")].toString(), call);
    QVERIFY(!call.isEmpty() && call.size() <= 64);
}

QTEST_APPLESS_MAIN(ConversationTest)
#include "tst_conversation.moc"
