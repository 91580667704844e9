// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/itemprint.h"

#include <QTest>

using namespace headway::heads;

// spec/heads.md section 3: which spellings of an item are one item.
class ItemPrintTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equality_data();
    void equality();
    void kinds_data();
    void kinds();
    void expectation_data();
    void expectation();
    void anotherSeedGivesOtherPrints();
    void printsStayTheSameHoweverOftenAndInWhateverOrder();
};

namespace {

std::string text(const QByteArray &bytes)
{
    return bytes.toStdString();
}

// A function call with these arguments, given as the characters of the JSON string literal.
QByteArray call(const char *argumentsLiteral)
{
    return QByteArray(R"({"type":"function_call","call_id":"c1","name":"f","arguments":")")
        + argumentsLiteral + R"("})";
}

QByteArray custom(const char *inputLiteral)
{
    return QByteArray(R"({"type":"custom_tool_call","call_id":"c1","name":"f","input":")")
        + inputLiteral + R"("})";
}

void row(const char *what, const QByteArray &one, const QByteArray &other, bool equal)
{
    QTest::newRow(what) << one << other << equal;
}

void rowsOfPlainJson()
{
    row("white space", R"({"type":"x","a":[1,{"b":2}]})",
        "{ \"type\" : \"x\" ,\n\t\"a\": [ 1 , { \"b\" : 2 } ] }", true);
    row("key order, nested", R"({"type":"x","a":{"b":1,"c":{"d":1,"e":2}}})",
        R"({"a":{"c":{"e":2,"d":1},"b":1},"type":"x"})", true);
    row("array order", R"({"type":"x","a":[1,2]})", R"({"type":"x","a":[2,1]})", false);
    row("repeated key: the last counts", R"({"type":"x","a":1,"a":2})", R"({"type":"x","a":2})",
        true);
    row("repeated key: not the first", R"({"type":"x","a":1,"a":2})", R"({"type":"x","a":1})",
        false);
    row("nested null is kept", R"({"type":"x","a":{"b":null}})", R"({"type":"x","a":{}})", false);
    row("null is not false", R"({"type":"x","a":[null]})", R"({"type":"x","a":[false]})", false);
    row("number is not its string", R"({"type":"x","a":1})", R"({"type":"x","a":"1"})", false);
    row("empty array is not empty object", R"({"type":"x","a":[]})", R"({"type":"x","a":{}})",
        false);
    row("brackets move", R"({"type":"x","a":[[1],2]})", R"({"type":"x","a":[[1,2]]})", false);
    row("text moves between neighbours", R"({"type":"x","a":["ab","c"]})",
        R"({"type":"x","a":["a","bc"]})", false);
    row("text that looks like two", R"({"type":"x","a":["a","b"]})", R"({"type":"x","a":["asb"]})",
        false);
    row("key and value change places", R"({"type":"x","a":"b"})", R"({"type":"x","b":"a"})", false);
}

void rowsOfStrings()
{
    row("escapes", R"({"type":"x","a":"é\/\"\\\n\t"})",
        R"({"type":"x","a":"\u00e9/\u0022\u005c\u000a\u0009"})", true);
    row("surrogate pair", R"({"type":"x","a":"\ud83d\ude00"})",
        "{\"type\":\"x\",\"a\":\"\xF0\x9F\x98\x80\"}", true);
    row("case of hex", R"({"type":"x","a":"\u00E9"})", R"({"type":"x","a":"\u00e9"})", true);
    row("composed and decomposed differ", R"({"type":"x","a":"\u00e9"})",
        R"({"type":"x","a":"e\u0301"})", false);
    row("case of letters", R"({"type":"x","a":"A"})", R"({"type":"x","a":"a"})", false);
    row("trailing space", R"({"type":"x","a":"a"})", R"({"type":"x","a":"a "})", false);
    row("NUL inside", R"({"type":"x","a":"a\u0000b"})", R"({"type":"x","a":"a"})", false);
    row("lone surrogate, case of hex and order", R"({"type":"x","a":"\uD83D","b":1})",
        R"({"b":1,"type":"x","a":"\ud83d"})", true);
    row("two lone surrogates", R"({"type":"x","a":"\ud83d"})", R"({"type":"x","a":"\ud83e"})",
        false);
    row("lone low surrogate", R"({"type":"x","a":"\ude00","id":"1"})",
        R"({"type":"x","a":"\ude00"})", true);
    row("pair beside a lone surrogate", R"({"type":"x","a":"\ud83d\ude00\ud83d"})",
        "{\"type\":\"x\",\"a\":\"\xF0\x9F\x98\x80\\ud83d\"}", true);
    row("tiny number beside a huge one", R"({"type":"x","a":[1e400,1e-400,0.0e9]})",
        R"({"type":"x","a":[1e400,0,0]})", true);
    row("escaped backslash before u", R"({"type":"x","a":"\\ud83d","b":"\ud83d"})",
        R"({"type":"x","a":"\ud83d","b":"\ud83d"})", false);
    row("escaped key", R"({"type":"x","\u0061":1})", R"({"type":"x","a":1})", true);
}

void rowsOfMessages()
{
    const QByteArray user = R"({"role":"user","content":[{"type":"input_text","text":"hi"}]})";
    row("type of a message is optional", user,
        R"({"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]})", true);
    row("string content of a user", user, R"({"role":"user","content":"hi"})", true);
    row("string content of an assistant",
        R"({"role":"assistant","content":[{"type":"output_text","text":"hi","annotations":[]}]})",
        R"({"role":"assistant","content":"hi"})", true);
    row("string content of a system message", R"({"role":"system","content":"hi"})",
        R"({"role":"system","content":[{"type":"input_text","text":"hi"}]})", true);
    row("string content of a developer message", R"({"role":"developer","content":"hi"})",
        R"({"role":"developer","content":[{"text":"hi","type":"input_text"}]})", true);
    row("developer is not system", R"({"role":"developer","content":"hi"})",
        R"({"role":"system","content":"hi"})", false);
    row("user is not assistant", R"({"role":"user","content":"hi"})",
        R"({"role":"assistant","content":"hi"})", false);
    row("one string is not two parts", R"({"role":"user","content":"ab"})",
        R"({"role":"user","content":[{"type":"input_text","text":"a"},{"type":"input_text","text":"b"}]})",
        false);
    row("what the server sets on a message",
        R"({"id":"msg_1","type":"message","status":"completed","phase":"final_answer","role":"assistant",)"
        R"("content":[{"type":"output_text","annotations":[{"x":1}],"logprobs":[],"text":"hi"}]})",
        R"({"role":"assistant","content":[{"type":"output_text","text":"hi"}]})", true);
    row("text differs", R"({"role":"user","content":"hi"})", R"({"role":"user","content":"ho"})",
        false);
    row("images differ",
        R"({"role":"user","content":[{"type":"input_image","image_url":"data:a"}]})",
        R"({"role":"user","content":[{"type":"input_image","image_url":"data:b"}]})", false);
    row("a refusal is not text",
        R"({"role":"assistant","content":[{"type":"refusal","refusal":"no"}]})",
        R"({"role":"assistant","content":[{"type":"output_text","text":"no"}]})", false);
}

void rowsOfCalls()
{
    row("arguments: white space and key order", call(R"({\"a\":1,\"b\":{\"c\":[1,2]}})"),
        call(R"({ \"b\" : {\"c\":[ 1, 2]},\n \"a\" : 1.0 })"), true);
    row("arguments: value", call(R"({\"a\":1})"), call(R"({\"a\":2})"), false);
    row("arguments: nothing is {}", call(""), call("{}"), true);
    row("arguments: blank is {}", call("  \\n\\t "), call("{ }"), true);
    row("arguments: null stays", call(R"({\"a\":null})"), call("{}"), false);
    row("arguments: unparsable text is bytes", call(R"({\"a\":1)"), call(R"({\"a\": 1)"), false);
    row("arguments: the same unparsable text", call(R"({\"a\":1)"), call(R"({\"a\":1)"), true);
    row("arguments: text that is no JSON and its JSON string", call("abc"), call(R"(\"abc\")"),
        false);
    row("arguments: big numbers by value", call("[123456789012345678901]"),
        call("[123456789012345680000]"), true);
    row("calls: what the server sets", call("{}"),
        R"({"id":"fc_1","type":"function_call","status":"completed","arguments":"{}","call_id":"c1","name":"f"})",
        true);
    row("calls: call id", call("{}"),
        R"({"type":"function_call","call_id":"c2","name":"f","arguments":"{}"})", false);
    row("calls: name", call("{}"),
        R"({"type":"function_call","call_id":"c1","name":"g","arguments":"{}"})", false);
    row("calls: namespace", call("{}"),
        R"({"type":"function_call","call_id":"c1","name":"f","namespace":"n","arguments":"{}"})",
        false);
    row("calls: null namespace is none", call("{}"),
        R"({"type":"function_call","call_id":"c1","name":"f","namespace":null,"arguments":"{}"})",
        true);
    row("input: JSON by value", custom(R"({\"a\":1,\"b\":2})"), custom(R"({\"b\":2, \"a\":1e0})"),
        true);
    row("input: other text is bytes", custom("*** Begin Patch"), custom("*** Begin  Patch"), false);
    row("input: blank is not {}", custom(" "), custom("{}"), false);
    row("a custom call is no function call", custom("{}"), call("{}"), false);
    row("output: text is exact",
        R"({"type":"function_call_output","call_id":"c1","output":"{\"a\":1}"})",
        R"({"type":"function_call_output","call_id":"c1","output":"{\"a\": 1}"})", false);
    row("output: id and status",
        R"({"type":"function_call_output","call_id":"c1","output":"x","id":"fco_1","status":"completed"})",
        R"({"type":"function_call_output","call_id":"c1","output":"x"})", true);
}

void rowsOfReasoning()
{
    row("reasoning: the blob is all",
        R"({"type":"reasoning","id":"rs_1","encrypted_content":"E","summary":[{"type":"summary_text","text":"s"}],"content":[]})",
        R"({"type":"reasoning","encrypted_content":"E","summary":[]})", true);
    row("reasoning: another blob", R"({"type":"reasoning","encrypted_content":"E","summary":[]})",
        R"({"type":"reasoning","encrypted_content":"F","summary":[]})", false);
    row("reasoning without a blob: id and status",
        R"({"type":"reasoning","id":"rs_1","status":"completed","summary":[]})",
        R"({"type":"reasoning","summary":[]})", true);
    row("reasoning without a blob: empty content",
        R"({"type":"reasoning","summary":[],"content":[]})",
        R"({"type":"reasoning","summary":[],"encrypted_content":null})", true);
    row("reasoning without a blob: summary", R"({"type":"reasoning","summary":[{"text":"s"}]})",
        R"({"type":"reasoning","summary":[]})", false);
    row("reasoning without a blob: content",
        R"({"type":"reasoning","summary":[],"content":[{"text":"s"}]})",
        R"({"type":"reasoning","summary":[],"content":[{"text":"t"}]})", false);
}

void rowsOfOtherThings()
{
    row("references differ by id", R"({"type":"item_reference","id":"a"})",
        R"({"type":"item_reference","id":"b"})", false);
    row("bare references differ by id", R"({"id":"a"})", R"({"id":"b"})", false);
    row("no JSON: bytes", "{garbage", "{garbage ", false);
    row("no JSON: the same bytes", "{garbage", "{garbage", true);
    row("no JSON is not the string of it", "abc", "\"abc\"", false);
    row("invalid UTF-8: bytes", "{\"a\":\"\xff\"}", "{\"a\":\"\xfe\"}", false);
    row("nothing", "", " ", false);
    const QByteArray bomb(100'000, '[');
    row("depth bomb", bomb, bomb + ' ', false);
    row("depth bomb again", bomb, bomb, true);
    const QByteArray deep = QByteArray(1'500, '[') + QByteArray(1'500, ']');
    const QByteArray spaced = deep + ' ';
    row("closed depth bomb in arguments: bytes", call(deep.constData()), call(spaced.constData()),
        false);
}

} // namespace

void ItemPrintTest::equality_data()
{
    QTest::addColumn<QByteArray>("one");
    QTest::addColumn<QByteArray>("other");
    QTest::addColumn<bool>("equal");
    rowsOfPlainJson();
    rowsOfStrings();
    rowsOfMessages();
    rowsOfCalls();
    rowsOfReasoning();
    rowsOfOtherThings();
}

void ItemPrintTest::equality()
{
    QFETCH(const QByteArray, one);
    QFETCH(const QByteArray, other);
    QFETCH(const bool, equal);
    ItemPrinter printer(1);
    QCOMPARE(printer.print(text(one)) == printer.print(text(other)), equal);
}

void ItemPrintTest::kinds_data()
{
    QTest::addColumn<QByteArray>("item");
    QTest::addColumn<int>("kind");
    const auto kind = [](const char *item, ItemKind expected) {
        QTest::newRow(item) << QByteArray(item) << static_cast<int>(expected);
    };
    kind(R"({"role":"user","content":""})", ItemKind::UserMessage);
    kind(R"({"type":"message","role":"assistant","content":[]})", ItemKind::TextlessMessage);
    kind(R"({"role":"assistant","content":""})", ItemKind::TextlessMessage);
    kind(R"({"role":"assistant","content":[{"type":"refusal","refusal":"no"}]})",
         ItemKind::TextlessMessage);
    kind(R"({"role":"system","content":""})", ItemKind::SystemMessage);
    kind(R"({"role":"developer","content":""})", ItemKind::SystemMessage);
    kind(R"({"role":"tool","content":""})", ItemKind::Other);
    kind(R"({"type":"function_call"})", ItemKind::FunctionCall);
    kind(R"({"type":"function_call_output"})", ItemKind::FunctionCallOutput);
    kind(R"({"type":"custom_tool_call"})", ItemKind::CustomToolCall);
    kind(R"({"type":"custom_tool_call_output"})", ItemKind::CustomToolCallOutput);
    kind(R"({"type":"reasoning"})", ItemKind::Reasoning);
    kind(R"({"type":"additional_tools","role":"developer"})", ItemKind::Other);
    kind(R"({"type":7,"role":8})", ItemKind::Other);
    kind(R"({"type":"web_search_call","id":"ws"})", ItemKind::HostedCall);
    kind(R"({"type":"mcp_call","id":"m"})", ItemKind::HostedCall);
    kind(R"({"type":"local_shell_call","call_id":"c"})", ItemKind::Other);
    kind("[]", ItemKind::Other);
    kind("{", ItemKind::Other);
}

void ItemPrintTest::kinds()
{
    QFETCH(const QByteArray, item);
    QFETCH(const int, kind);
    ItemPrinter printer(1);
    QCOMPARE(static_cast<int>(printer.print(text(item)).kind), kind);
}

void ItemPrintTest::expectation_data()
{
    QTest::addColumn<QByteArray>("item");
    QTest::addColumn<bool>("expected");
    const auto expect = [](const char *item, bool expected) {
        QTest::newRow(item) << QByteArray(item) << expected;
    };
    expect(
        R"({"type":"message","role":"assistant","content":[{"type":"output_text","text":"hi"}]})",
        true);
    expect(R"({"role":"assistant","content":"hi"})", true);
    expect(R"({"type":"message","role":"assistant","content":[{"type":"output_text","text":""}]})",
           true);
    expect(R"({"type":"message","role":"assistant","content":[]})", true);
    expect(R"({"type":"message","role":"assistant","content":[{"type":"refusal","refusal":"no"}]})",
           true);
    expect(R"({"type":"message","role":"assistant"})", true);
    expect(R"({"type":"message","role":"assistant","content":7})", true);
    expect(R"({"type":"reasoning","encrypted_content":"E"})", true);
    expect(R"({"type":"function_call","call_id":"c","name":"f","arguments":""})", true);
    expect(R"({"type":"custom_tool_call","call_id":"c","name":"f","input":""})", true);
    expect(R"({"type":"local_shell_call","call_id":"c"})", true);
    expect(R"({"type":"web_search_call","id":"ws"})", true);
    expect(R"({"type":"image_generation_call","id":"ig"})", true);
    expect(R"({"type":"something_new"})", false);
    expect(R"([])", false);
    expect(R"({)", false);
}

void ItemPrintTest::expectation()
{
    QFETCH(const QByteArray, item);
    QFETCH(const bool, expected);
    ItemPrinter printer(1);
    QCOMPARE(printer.isExpected(text(item)), expected);
}

void ItemPrintTest::anotherSeedGivesOtherPrints()
{
    ItemPrinter one(1);
    ItemPrinter two(2);
    const std::string item = R"({"role":"user","content":"hi"})";
    QVERIFY(!(one.print(item) == two.print(item)));
}

// A fresh printer for each item against one that has seen everything, several times over.
void ItemPrintTest::printsStayTheSameHoweverOftenAndInWhateverOrder()
{
    constexpr int count = 5'000;
    ItemPrinter kept(3);
    const auto item = [](int i) {
        return R"({"role":"user","content":[{"type":"input_text","text":")" + std::to_string(i)
            + R"("}]})";
    };
    std::vector<ItemPrint> first;
    for (int i = 0; i < count; ++i)
        first.push_back(kept.print(item(i)));
    for (int i = count - 1; i >= 0; --i)
        QVERIFY(kept.print(item(i)) == first[static_cast<std::size_t>(i)]);
    for (int i = 0; i < count; i += 499) {
        ItemPrinter fresh(3);
        QVERIFY(fresh.print(item(i)) == first[static_cast<std::size_t>(i)]);
    }
}

QTEST_APPLESS_MAIN(ItemPrintTest)
#include "tst_itemprint.moc"
