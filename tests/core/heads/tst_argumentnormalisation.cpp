// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/heads/timeline.h"

using namespace headway::heads;

// spec/heads.md section 3, third point: arguments that clients rewrite when they take in a call.
class ArgumentNormalisationTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equality_data();
    void equality();
    void withoutSchemasNothingIsNormalised();
    void schemasAreSharedByTheirText();
    void whatIsNoSchemaDeclaresNothing_data();
    void whatIsNoSchemaDeclaresNothing();
    void aRecursiveSchemaEnds();
    void aValueTooLargeToTakeApartComparesAsItStands();
    void theClientsRewrittenEchoContinues();
    void currentSchemasDecideWhenToolsChanged_data();
    void currentSchemasDecideWhenToolsChanged();
    void anOldRewrittenCallStillMatchesAfterToolsChanged();
};

namespace {

QByteArray quoted(QByteArray text)
{
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t");
    return '"' + text + '"';
}

std::string call(const QByteArray &arguments, const QByteArray &name = "f")
{
    const QByteArray text = R"({"type":"function_call","call_id":"c1","name":")" + name
        + R"(","arguments":)" + quoted(arguments) + '}';
    return text.toStdString();
}

std::string toolsOf(const QByteArray &schema)
{
    const QByteArray text = R"([{"type":"function","name":"f","parameters":)" + schema + "}]";
    return text.toStdString();
}

std::string tools(const QByteArray &properties, const QByteArray &required = "[]",
                  const QByteArray &more = {})
{
    return toolsOf(R"({"type":"object","properties":)" + properties + R"(,"required":)" + required
                   + more + '}');
}

void row(const char *what, const std::string &toolText, const QByteArray &one,
         const QByteArray &other, bool equal)
{
    QTest::newRow(what) << QByteArray::fromStdString(toolText) << one << other << equal;
}

void rowsOfFiller()
{
    const std::string declared = tools(R"({"a":{},"b":{},"c":{}})", R"(["a"])");
    row("optional null", declared, R"({"a":1,"b":null})", R"({"a":1})", true);
    row("optional empty array", declared, R"({"a":1,"c":[]})", R"({"a":1})", true);
    row("both, B41", declared, R"({"a":1,"b":null,"c":[]})", R"({"a":1})", true);
    row("required null stays", declared, R"({"a":null})", R"({})", false);
    row("required empty array stays", declared, R"({"a":[]})", R"({})", false);
    row("undeclared null", declared, R"({"a":1,"zz":null})", R"({"a":1})", true);
    row("required but not described", tools("{}", R"(["z"])"), R"({"z":null})", "{}", false);
    row("empty object stays", declared, R"({"a":1,"b":{}})", R"({"a":1})", false);
    row("empty string stays", declared, R"({"a":1,"b":""})", R"({"a":1})", false);
    row("an array of null stays", declared, R"({"a":1,"b":[null]})", R"({"a":1})", false);
    row("false stays", declared, R"({"a":1,"b":false})", R"({"a":1})", false);
    row("null is not []", tools(R"({"a":{}})", R"(["a"])"), R"({"a":null})", R"({"a":[]})", false);
    row("of an undeclared tool", "[]", R"({"a":1,"b":null,"c":[]})", R"({"a":1})", true);
    row("no tools at all", "", R"({"a":1,"b":null})", R"({"a":1})", true);
    row("values still count", declared, R"({"a":1,"b":null})", R"({"a":2})", false);
    row("names still count", declared, R"({"b":1})", R"({"c":1})", false);
    row("null inside an undeclared object stays", tools(R"({"a":{}})"), R"({"a":{"x":null}})",
        R"({"a":{}})", false);
    const std::string nested = tools(
        R"({"a":{"type":"array","items":{"type":"object","properties":{"x":{},"y":{"default":false}},"required":["x"]}}})");
    row("filler inside a declared object", nested, R"({"a":[{"x":1,"y":null}]})",
        R"({"a":[{"x":1}]})", true);
    row("default inside a declared object", nested, R"({"a":[{"x":1,"y":false}]})",
        R"({"a":[{"x":1}]})", true);
    row("required inside a declared object", nested, R"({"a":[{"x":null}]})", R"({"a":[{}]})",
        false);
}

void rowsOfDefaults()
{
    const std::string edit
        = tools(R"({"path":{"type":"string"},"replace_all":{"type":"boolean","default":false}})");
    row("a filled in default", edit, R"({"path":"p","replace_all":false})", R"({"path":"p"})",
        true);
    row("not the default", edit, R"({"path":"p","replace_all":true})", R"({"path":"p"})", false);
    row("a spelled default", edit, R"({"path":"p","replace_all":"false"})", R"({"path":"p"})",
        true);
    row("a required default", tools(R"({"n":{"type":"number","default":5}})", R"(["n"])"),
        R"({"n":5})", "{}", true);
    row("a default by value", tools(R"({"n":{"type":"number","default":5.0}})"), R"({"n":5})", "{}",
        true);
    row("an object default", tools(R"({"o":{"type":"object","default":{"b":2,"a":1}}})"),
        R"({"o":{"a":1,"b":2}})", "{}", true);
    row("a null default and required", tools(R"({"n":{"default":null}})", R"(["n"])"),
        R"({"n":null})", "{}", true);
    row("a default beside a reference",
        tools(R"({"n":{"$ref":"#/$defs/k","default":7}})", "[]",
              R"(,"$defs":{"k":{"type":"number"}})"),
        R"({"n":"7"})", "{}", true);
}

void rowsOfScalars()
{
    const std::string scalars = tools(
        R"({"n":{"type":"number"},"i":{"type":"integer"},"b":{"type":"boolean"},"s":{"type":"string"}})");
    const auto spelled = [&](const char *what, const QByteArray &text, const QByteArray &scalar,
                             bool equal) { row(what, scalars, text, scalar, equal); };
    spelled("number", R"({"n":"5000"})", R"({"n":5000})", true);
    spelled("fraction", R"({"n":"-0.50"})", R"({"n":-0.5})", true);
    spelled("blanks", R"({"n":" 7 "})", R"({"n":7})", true);
    spelled("fifteen digits", R"({"n":"123456789012345"})", R"({"n":123456789012345})", true);
    spelled("sixteen digits", R"({"n":"1234567890123456"})", R"({"n":1234567890123456})", false);
    spelled("exponent", R"({"n":"1e3"})", R"({"n":1000})", false);
    spelled("hexadecimal", R"({"n":"0x10"})", R"({"n":16})", false);
    spelled("no digit before the point", R"({"n":".5"})", R"({"n":0.5})", false);
    spelled("no digit after the point", R"({"n":"5."})", R"({"n":5})", false);
    spelled("two signs", R"({"n":"--5"})", R"({"n":5})", false);
    spelled("empty", R"({"n":""})", R"({"n":0})", false);
    spelled("words", R"({"n":"Infinity"})", R"({"n":0})", false);
    spelled("integer", R"({"i":"12"})", R"({"i":12})", true);
    spelled("integer with a zero fraction", R"({"i":"12.0"})", R"({"i":12})", true);
    spelled("a fraction is no integer", R"({"i":"1.5"})", R"({"i":1.5})", false);
    spelled("true", R"({"b":"true"})", R"({"b":true})", true);
    spelled("false", R"({"b":" false\n"})", R"({"b":false})", true);
    spelled("capital", R"({"b":"True"})", R"({"b":true})", false);
    spelled("0 is no boolean", R"({"b":"0"})", R"({"b":false})", false);
    spelled("1 is no boolean", R"({"b":1})", R"({"b":true})", false);
    spelled("a declared string", R"({"s":"5"})", R"({"s":5})", false);
    spelled("undeclared", R"({"u":"5"})", R"({"u":5})", false);
    spelled("the kinds are not mixed", R"({"n":"true"})", R"({"n":true})", false);
    spelled("another value", R"({"n":"5"})", R"({"n":6})", false);
}

void rowsOfKinds()
{
    const auto kind
        = [](const char *what, const QByteArray &schema, bool number, const QByteArray &more = {}) {
              row(what, tools(R"({"n":)" + schema + '}', "[]", more), R"({"n":"5"})", R"({"n":5})",
                  number);
          };
    kind("type list", R"({"type":["number","null"]})", true);
    kind("type list with string", R"({"type":["number","string"]})", false);
    kind("anyOf", R"({"anyOf":[{"type":"null"},{"type":"integer"}]})", true);
    kind("oneOf", R"({"oneOf":[{"type":"boolean"},{"type":"integer"}]})", true);
    kind("anyOf with string", R"({"anyOf":[{"type":"string"},{"type":"integer"}]})", false);
    kind("anyOf with anything", R"({"anyOf":[{},{"type":"integer"}]})", false);
    kind("a reference", R"({"$ref":"#/definitions/k"})", true,
         R"(,"definitions":{"k":{"type":"integer"}})");
    kind("a reference to a reference", R"({"$ref":"#/$defs/j"})", true,
         R"(,"$defs":{"k":{"type":"integer"},"j":{"$ref":"#/$defs/k"}})");
    kind("a reference in a choice", R"({"anyOf":[{"$ref":"#/$defs/k"},{"type":"null"}]})", true,
         R"(,"$defs":{"k":{"type":"integer"}})");
    kind("a reference elsewhere", R"({"$ref":"https://example.org/k"})", false);
    kind("a reference to nothing", R"({"$ref":"#/$defs/none"})", false);
    kind("a reference to itself", R"({"$ref":"#/properties/n"})", false);
    kind("no type", R"({"enum":[5]})", false);
    QByteArray choices;
    for (int i = 0; i < 64; ++i)
        choices += R"({"type":"integer"},)";
    choices.chop(1);
    kind("more than 64 schemas to visit", R"({"anyOf":[)" + choices + "]}", false);
}

} // namespace

void ArgumentNormalisationTest::equality_data()
{
    QTest::addColumn<QByteArray>("toolText");
    QTest::addColumn<QByteArray>("one");
    QTest::addColumn<QByteArray>("other");
    QTest::addColumn<bool>("equal");
    rowsOfFiller();
    rowsOfDefaults();
    rowsOfScalars();
    rowsOfKinds();
    const std::string inNamespace
        = R"([{"type":"namespace","name":"n","tools":[{"type":"function","name":"f","parameters":{"properties":{"a":{"default":1}}}}]}])";
    row("a tool of a namespace is not the one outside", inNamespace, R"({"a":1})", "{}", false);
    row("white space and order", tools("{}"), R"({ "b": 1, "a": [ 1.0 ]})", R"({"a":[1],"b":1})",
        true);
    row("blank is {}", tools("{}"), "  ", "{}", true);
    row("no object: nothing to normalise", tools("{}"), "[null]", "[]", false);
}

void ArgumentNormalisationTest::equality()
{
    QFETCH(const QByteArray, toolText);
    QFETCH(const QByteArray, one);
    QFETCH(const QByteArray, other);
    QFETCH(const bool, equal);
    ItemPrinter printer(5);
    const auto schemas = printer.schemas(toolText.toStdString());
    const auto a = printer.print(call(one)).under(schemas.get());
    const auto b = printer.print(call(other)).under(schemas.get());
    QCOMPARE(a == b, equal);
    // Another call with those arguments is another call.
    QVERIFY(printer.print(call(one, "g")).under(schemas.get()) != a);
}

void ArgumentNormalisationTest::withoutSchemasNothingIsNormalised()
{
    ItemPrinter printer(5);
    const ItemPrint filled = printer.print(call(R"({"a":1,"b":null})"));
    const ItemPrint bare = printer.print(call(R"({"a":1})"));
    QVERIFY(filled.under(nullptr) != bare.under(nullptr));
    QVERIFY(filled.under(nullptr) == filled.print);
    // What normalisation leaves alone keeps its plain print.
    QVERIFY(bare.under(printer.schemas("[]").get()) == bare.print);
    QVERIFY(filled.under(printer.schemas("[]").get()) == bare.print);
}

void ArgumentNormalisationTest::schemasAreSharedByTheirText()
{
    ItemPrinter printer(5);
    const auto first = printer.schemas(tools("{}"));
    QVERIFY(printer.schemas(tools("{}")) == first);
    QVERIFY(printer.schemas(tools(R"({"a":{}})")) != first);
    for (int i = 0; i < 100; ++i)
        (void)printer.schemas(tools(R"({"a)" + QByteArray::number(i) + R"(":{}})"));
    // Forgotten and read again, it is still the same.
    const ItemPrint item = printer.print(call("{}"));
    QVERIFY(item.under(printer.schemas(tools("{}")).get()) == item.under(first.get()));
}

void ArgumentNormalisationTest::whatIsNoSchemaDeclaresNothing_data()
{
    QTest::addColumn<QByteArray>("toolText");
    for (const char *text :
         {"", "{", "7", "{}", "[7,null,[]]", R"([{"type":"function"}])",
          R"([{"name":7,"parameters":{}}])", R"([{"name":"f"}])",
          R"([{"name":"f","parameters":null}])", R"([{"name":"f","parameters":[]}])",
          R"([{"name":"f","parameters":{"properties":7,"required":{},"items":1,"anyOf":2}}])",
          R"([{"name":"f","parameters":{"properties":{"a":7,"b":null},"required":[1]}}])",
          R"([{"name":"f","parameters":{"$ref":"#"}}])",
          R"([{"name":"f","parameters":{"type":7,"$ref":7}}])"})
        QTest::newRow(text) << QByteArray(text);
}

void ArgumentNormalisationTest::whatIsNoSchemaDeclaresNothing()
{
    QFETCH(const QByteArray, toolText);
    ItemPrinter printer(5);
    const auto schemas = printer.schemas(toolText.toStdString());
    QVERIFY(schemas != nullptr);
    const auto print = [&](const char *arguments) {
        return printer.print(call(arguments)).under(schemas.get());
    };
    QVERIFY(print(R"({"a":"5"})") != print(R"({"a":5})"));
    QVERIFY(print(R"({"a":1,"c":null})") == print(R"({"a":1})"));
}

void ArgumentNormalisationTest::aRecursiveSchemaEnds()
{
    ItemPrinter printer(5);
    const auto schemas = printer.schemas(
        toolsOf(R"({"$ref":"#/$defs/node","$defs":{"node":{"type":"object","properties":)"
                R"({"n":{"type":"number"},"next":{"$ref":"#/$defs/node"}}}}})"));
    const auto one = printer.print(call(R"({"n":"1","next":{"n":"2","next":{"n":"3"}}})"));
    const auto other = printer.print(call(R"({"n":1,"next":{"n":2,"next":{"n":3,"next":null}}})"));
    QVERIFY(one.under(schemas.get()) == other.under(schemas.get()));
}

void ArgumentNormalisationTest::aValueTooLargeToTakeApartComparesAsItStands()
{
    QByteArray many = "[";
    for (int i = 0; i < 400; ++i)
        many += R"({"x":1},)";
    many.chop(1);
    many += ']';
    ItemPrinter printer(5);
    const auto schemas = printer.schemas(tools(R"({"a":{}})"));
    const auto print = [&](const QByteArray &arguments) {
        return printer.print(call(arguments)).under(schemas.get());
    };
    QVERIFY(print(R"({"a":)" + many + R"(,"b":null})") == print(R"({"a": )" + many + '}'));
    QByteArray changed = many;
    changed.replace(changed.size() - 4, 1, "2"); // … {"x":2}]
    QVERIFY(changed != many);
    QVERIFY(print(R"({"a":)" + changed + '}') != print(R"({"a":)" + many + '}'));
}

namespace {

// A pool with real items and tools.
struct Session
{
    ItemPrinter printer{5};
    HeadPool pool{PoolSettings{}, 1};
    headway::base::Now now;
    std::uint64_t connections = 0;

    ScanRequest request(const std::vector<ItemPrint> &input, const std::string &toolText)
    {
        ScanRequest scan;
        scan.key = PartitionKey{std::string("main")};
        scan.input = input;
        scan.schemas = printer.schemas(toolText);
        return scan;
    }

    std::vector<ItemPrint> print(const std::vector<std::string> &items)
    {
        const std::vector<std::string_view> views(items.begin(), items.end());
        return printer.prints(views);
    }

    HeadId turn(const std::vector<std::string> &items, const std::vector<std::string> &reply,
                const std::string &toolText)
    {
        const auto input = print(items);
        const auto scanRequest = request(input, toolText);
        const auto scan = pool.scan(scanRequest, now);
        HeadId head = scan.head;
        if (scan.decision == Decision::Continuation)
            (void)pool.claim(head, scanRequest, now);
        else
            head = pool.open(scanRequest, scan.decision, headway::base::ConnectionId{++connections},
                             now)
                       .head;
        (void)pool.complete(head, {.responseId = "r", .echoed = print(reply)}, now);
        return head;
    }

    ScanResult scan(const std::vector<std::string> &items, const std::string &toolText)
    {
        const auto input = print(items);
        return pool.scan(request(input, toolText), now);
    }
};

const std::string user = R"({"role":"user","content":"hi"})";
const std::string output = R"({"type":"function_call_output","call_id":"c1","output":"x"})";
const std::string withDefault = tools(R"({"a":{},"r":{"type":"boolean","default":false}})");
const std::string withoutDefault = tools(R"({"a":{}})");

} // namespace

void ArgumentNormalisationTest::theClientsRewrittenEchoContinues()
{
    Session s;
    const HeadId head = s.turn({user}, {call(R"({"a":1,"b":null,"c":[]})")}, withDefault);
    const auto scan = s.scan({user, call(R"({"a":1,"r":false})"), output}, withDefault);
    COMPARE_WORD(scan.decision, Decision::Continuation);
    COMPARE_WORD(scan.mode, MatchMode::Exact);
    QVERIFY(scan.head == head);
    QCOMPARE(scan.deltaFrom, std::size_t{2});
    COMPARE_WORD(s.scan({user, call(R"({"a":2,"r":false})"), output}, withDefault).decision,
                 Decision::HistoryMismatchNewHead);
}

void ArgumentNormalisationTest::currentSchemasDecideWhenToolsChanged_data()
{
    QTest::addColumn<QByteArray>("storedUnder");
    QTest::addColumn<QByteArray>("current");
    QTest::addColumn<bool>("continues");
    const auto with = QByteArray::fromStdString(withDefault);
    const auto without = QByteArray::fromStdString(withoutDefault);
    QTest::newRow("the default came") << without << with << true;
    QTest::newRow("the default went") << with << without << false;
    QTest::newRow("the default stayed") << with << with << true;
    QTest::newRow("no default") << without << without << false;
}

void ArgumentNormalisationTest::currentSchemasDecideWhenToolsChanged()
{
    QFETCH(const QByteArray, storedUnder);
    QFETCH(const QByteArray, current);
    QFETCH(const bool, continues);
    Session s;
    (void)s.turn({user}, {call(R"({"a":1})")}, storedUnder.toStdString());
    const auto scan = s.scan({user, call(R"({"a":1,"r":false})"), output}, current.toStdString());
    QCOMPARE(scan.decision == Decision::Continuation, continues);
    // By the schemas it was stored under it is the same call: that is for the user to know.
    const bool rewritten = !continues && storedUnder.contains("default");
    QCOMPARE(scan.canaries.size(), std::size_t{rewritten ? 1U : 0U});
    if (rewritten)
        QVERIFY(scan.canaries.front().kind == ItemKind::FunctionCall
                && scan.canaries.front().index == 1);
    // What did not change continues whatever the tools are.
    COMPARE_WORD(s.scan({user, call(R"({"a":1})"), output}, current.toStdString()).decision,
                 Decision::Continuation);
}

// A call in the middle of the history, kept in the client's form, tools changed twice since.
void ArgumentNormalisationTest::anOldRewrittenCallStillMatchesAfterToolsChanged()
{
    Session s;
    const std::string echo = call(R"({"a":1,"r":false,"z":"x"})");
    const std::string answer = R"({"role":"assistant","content":"done"})";
    const HeadId head = s.turn({user, echo, output}, {answer}, withDefault);
    for (const std::string &toolText : {withDefault, withoutDefault, std::string("[]")}) {
        const auto scan = s.scan({user, echo, output, answer, user}, toolText);
        COMPARE_WORD(scan.decision, Decision::Continuation);
        QVERIFY(scan.head == head);
        const auto other
            = s.scan({user, call(R"({"a":1,"r":true,"z":"x"})"), output, answer, user}, toolText);
        COMPARE_WORD(other.decision, Decision::HistoryMismatchNewHead);
    }
}

QTEST_APPLESS_MAIN(ArgumentNormalisationTest)
#include "tst_argumentnormalisation.moc"
