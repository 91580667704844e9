// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/translate/argumentfilter.h"
#include "tests/core/dialects/wire.h"

#include <QTest>

using namespace headway::dialects;

namespace {

const std::vector<std::string> optional{"pages", "limit", "tags", "o\\u0070t"};

std::string filtered(const std::string &arguments, std::size_t pieceSize)
{
    ArgumentFilter filter(&optional);
    std::string out;
    for (std::size_t at = 0; at < arguments.size(); at += pieceSize)
        filter.append(out, std::string_view(arguments).substr(at, pieceSize));
    filter.finish(out);
    return out;
}

} // namespace

class ArgumentFilterTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void dropsFillerFromOptionalFieldsOnly_data();
    void dropsFillerFromOptionalFieldsOnly();
    void passesEverythingWhenNothingIsOptional();
    void streamsWhileItCan();
    void worksThroughTheWholeReply();
};

void ArgumentFilterTest::dropsFillerFromOptionalFieldsOnly_data()
{
    QTest::addColumn<QByteArray>("arguments");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const char *arguments, const char *expected) {
        QTest::newRow(name) << QByteArray(arguments) << QByteArray(expected);
    };
    const auto same
        = [&row](const char *name, const char *arguments) { row(name, arguments, arguments); };
    row("B61", R"({"file_path":"/a","pages":""})", R"({"file_path":"/a"})");
    same("a required empty string stays", R"({"file_path":"","pages":"1"})");
    row("first member", R"({"pages":"","file_path":"/a"})", R"({"file_path":"/a"})");
    row("middle member", R"({"a":1,"limit":null,"b":2})", R"({"a":1,"b":2})");
    row("all members", R"({"pages":"","limit":null,"tags":[]})", "{}");
    row("empty array with space", "{\"a\":1 , \"tags\" : [ \n ] }", R"({"a":1 })");
    row("null with space", R"({"limit" : null , "a":1})", R"({ "a":1})");
    same("spaces stay where nothing goes", "{ \"a\" : 1 ,\n \"limit\" : 2 }  ");
    same("numbers and escapes stay", R"({"limit":1.50e+400,"pages":"\u00e9\/\"","a":"\\"})");
    same("a value that only begins like filler", R"({"limit":nul,"pages":"x","tags":[1]})");
    same("empty object is a value", R"({"limit":{},"tags":{"tags":null}})");
    same("inside of other values", R"({"a":{"pages":"","limit":null},"tags":[[],null,""]})");
    same("unknown members", R"({"other":null,"more":"","x":[]})");
    same("text that looks like members", R"({"a":"\",\"pages\":\"\""})");
    same("not an object", R"(["pages",null])");
    same("empty object", "{ }");
    same("cut in a value", R"({"a":"b)");
    same("cut in filler", R"({"a":1,"limit":nu)");
    same("cut behind filler", R"({"a":1,"limit":null)");
    same("comma at the end", R"({"a":1,})");
    same("cut in a name", R"({"a":1,"lim)");
    same("not JSON", R"({pages:""})");
}

void ArgumentFilterTest::dropsFillerFromOptionalFieldsOnly()
{
    QFETCH(const QByteArray, arguments);
    QFETCH(const QByteArray, expected);
    for (std::size_t size = 1; size <= static_cast<std::size_t>(arguments.size()); ++size)
        QCOMPARE(QByteArray::fromStdString(filtered(arguments.toStdString(), size)), expected);
}

void ArgumentFilterTest::passesEverythingWhenNothingIsOptional()
{
    const std::vector<std::string> none;
    ArgumentFilter filter(&none);
    ArgumentFilter unknown(nullptr);
    std::string out;
    filter.append(out, R"({"a":null,)");
    unknown.append(out, R"("b":""})");
    QCOMPARE(out, std::string(R"({"a":null,"b":""})"));
}

void ArgumentFilterTest::streamsWhileItCan()
{
    ArgumentFilter filter(&optional);
    std::string out;
    filter.append(out, R"({"content":"long te)");
    QCOMPARE(out, std::string(R"({"content":"long te)"));
    filter.append(out, R"(xt","pages":")");
    QCOMPARE(out, std::string(R"({"content":"long text")"));
    filter.append(out, "1");
    QCOMPARE(out, std::string(R"({"content":"long text","pages":"1)"));
}

void ArgumentFilterTest::worksThroughTheWholeReply()
{
    const auto request = wire::read(wire::messagesBody(
        R"("tools":[{"name":"Read","input_schema":{"type":"object","properties":{"file_path":{"type":"string"},"pages":{"type":"string"},"mode":{"type":"string","default":"x"}},"required":["file_path"]}}])"));
    QVERIFY(request);
    const auto writer = makeReplyWriter(*request, headway::base::TurnId(1));
    wire::Upstream upstream;
    const std::string arguments = R"("{\"file_path\":\"\",\"pages\":\"\",\"mode\":\"\"}")";
    const std::string item
        = R"({"type":"function_call","id":"f","call_id":"c","name":"Read","arguments":)";
    const auto message = wire::assembled(upstream.sendAll(
        *writer,
        {wire::created(), wire::added(0, item + "\"\"}"),
         wire::delta("function_call_arguments", 0, R"("{\"file_path\":\"\",\"pages\":\"\",")"),
         wire::delta("function_call_arguments", 0, R"("\"mode\":\"\"}")"),
         wire::done(0, item + arguments + "}"), wire::completed()}));
    // A default of its own: leaving the member out would mean something else.
    QCOMPARE(message.inputs.value(0), QLatin1String(R"({"file_path":"","mode":""})"));
}

QTEST_APPLESS_MAIN(ArgumentFilterTest)
#include "tst_argumentfilter.moc"
