// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/dialects/wire.h"

#include <QTest>

using namespace headway;
using namespace headway::dialects;

namespace {

// The members by which heads compare (spec/heads.md section 3): arguments as JSON values.
QJsonObject comparable(QJsonObject item)
{
    const QLatin1String arguments("arguments");
    if (item.contains(arguments))
        item[arguments] = QJsonDocument::fromJson(item[arguments].toString().toUtf8()).object();
    return item;
}

} // namespace

// What upstream says becomes the client's message, which the client echoes in its next request,
// which is read again: the result must be what the proxy said it expects.
class RoundTripTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theEchoIsWhatWasExpected_data();
    void theEchoIsWhatWasExpected();
    void aWholeAnswerIsEchoedLikeAStream_data() { theEchoIsWhatWasExpected_data(); }
    void aWholeAnswerIsEchoedLikeAStream();
};

void RoundTripTest::theEchoIsWhatWasExpected_data()
{
    QTest::addColumn<QStringList>("frames");
    QTest::addColumn<int>("items");
    const auto row = [](const char *name, const std::vector<std::string> &frames, int items) {
        QStringList list{QString::fromStdString(wire::created())};
        for (const std::string &frame : frames)
            list.append(QString::fromStdString(frame));
        list.append(QString::fromStdString(wire::completed()));
        QTest::newRow(name) << list << items;
    };
    const std::string message
        = R"({"type":"message","id":"msg_1","role":"assistant","content":[]})";
    const std::string reasoning
        = R"({"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAA=="})";
    const auto call
        = [](const std::string &id, const std::string &name, const std::string &arguments) {
              return R"({"type":"function_call","id":"fc","call_id":")" + id + R"(","name":")"
                  + name + R"(","arguments":)" + arguments + '}';
          };
    row("text with escapes",
        {wire::added(0, message), wire::delta("output_text", 0, R"("a\u00e9\/\ud83d")"),
         wire::delta("output_text", 0, R"("\ude00\n\"")")},
        1);
    row("two messages",
        {wire::done(0, R"({"type":"message","content":[{"type":"output_text","text":"one"}]})"),
         wire::done(1, R"({"type":"message","content":[{"type":"output_text","text":"two"}]})")},
        2);
    row("message without text", {wire::done(0, message)}, 0);
    row("reasoning, several parts, text",
        {wire::added(0, reasoning),
         wire::delta("reasoning_summary_text", 0, R"("é\n\nx")", R"(,"summary_index":0)"),
         wire::delta("reasoning_summary_text", 0, R"("\ud83d")", R"(,"summary_index":1)"),
         wire::delta("reasoning_summary_text", 0, R"("\ude00")", R"(,"summary_index":1)"),
         wire::done(0, reasoning),
         wire::done(1, R"({"type":"message","content":[{"type":"output_text","text":"x"}]})")},
        2);
    row("reasoning without summary, call",
        {wire::done(0, reasoning),
         wire::done(1, call("c1", "Read", R"("{\"file_path\":\"/a\"}")"))},
        2);
    row("reasoning alone", {wire::done(0, reasoning)}, 0);
    row("parallel calls",
        {wire::added(0, call("c1", "Read", "\"\"")), wire::added(1, call("c2", "Read", "\"\"")),
         wire::delta("function_call_arguments", 1, R"("{\"file_path\":\"/b\"}")"),
         wire::delta("function_call_arguments", 0, R"("{\"file_path\":\"/a\"}")"),
         wire::done(1, call("c2", "Read", R"("{\"file_path\":\"/b\"}")")),
         wire::done(0, call("c1", "Read", R"("{\"file_path\":\"/a\"}")"))},
        2);
    row("filler",
        {wire::done(
            0,
            call("c1", "Read",
                 R"("{\"pages\":\"\",\"file_path\":\"/a\",\"limit\":null,\"tags\":[ ]}")"))},
        1);
    row("numbers and escapes in arguments",
        {wire::done(0, call("c1", "Read", R"("{\"file_path\":\"\\u00e9\\/\",\"limit\":1.50}")"))},
        1);
    row("no arguments", {wire::done(0, call("c1", "Read", "\"\""))}, 1);
    row("aliased name", {wire::done(0, call("c1", "ALIAS", "\"{}\""))}, 1);
    row("refusal", {wire::added(0, message), wire::delta("refusal", 0, "\"no\"")}, 1);
}

namespace {

const std::string more
    = R"("thinking":{"type":"adaptive"},"tools":[{"name":"Read","input_schema":{"type":"object","properties":{"file_path":{"type":"string"},"pages":{"type":"string"},"limit":{"type":"number"},"tags":{"type":"array"}},"required":["file_path"]}},{"name":"server.tool","input_schema":{}}])";

// The name under which upstream knows the second tool.
std::string withAlias(QString frame, const TurnRequest &request)
{
    const QJsonArray tools = wire::fields(request)[QLatin1String("tools")].toArray();
    return frame.replace(QLatin1String("ALIAS"), tools[1][QLatin1String("name")].toString())
        .toStdString();
}

void compareEcho(const ReplyWriter &writer, const QJsonObject &assistant, int expectedItems)
{
    QJsonArray messages{wire::object(R"({"role":"user","content":"hi"})"), assistant};
    QJsonArray results;
    for (const QJsonValue block : assistant[QLatin1String("content")].toArray()) {
        if (block[QLatin1String("type")] == QLatin1String("tool_use"))
            results.append(QJsonObject{{QLatin1String("type"), QLatin1String("tool_result")},
                                       {QLatin1String("tool_use_id"), block[QLatin1String("id")]},
                                       {QLatin1String("content"), QLatin1String("r")}});
    }
    if (!results.isEmpty())
        messages.append(QJsonObject{{QLatin1String("role"), QLatin1String("user")},
                                    {QLatin1String("content"), results}});
    const auto next = wire::read(wire::messagesBody(
        more, QJsonDocument(messages).toJson(QJsonDocument::Compact).toStdString()));
    QVERIFY2(next, next ? "" : next.error().message.c_str());
    const std::vector<std::string> echoed = writer.echoedItems();
    QCOMPARE(static_cast<int>(echoed.size()), expectedItems);
    QVERIFY(next->input.size() >= 1 + echoed.size());
    for (std::size_t i = 0; i < echoed.size(); ++i)
        QCOMPARE(comparable(wire::object(next->input[i + 1])), comparable(wire::object(echoed[i])));
    const std::size_t rest = next->input.size() - 1 - echoed.size();
    QCOMPARE(static_cast<qsizetype>(rest), results.size()); // nothing between
}

} // namespace

void RoundTripTest::theEchoIsWhatWasExpected()
{
    QFETCH(const QStringList, frames);
    QFETCH(const int, items);
    const auto request = wire::read(wire::messagesBody(more));
    QVERIFY2(request, request ? "" : request.error().message.c_str());
    const auto writer = makeReplyWriter(*request, base::TurnId(1));
    wire::Upstream upstream;
    std::string out;
    for (const QString &frame : frames)
        upstream.send(*writer, withAlias(frame, *request), out);
    compareEcho(*writer, wire::assembled(out).echo(), items);
}

void RoundTripTest::aWholeAnswerIsEchoedLikeAStream()
{
    QFETCH(const QStringList, frames);
    QFETCH(const int, items);
    const auto request = wire::read(R"({"model":"m","max_tokens":9,"stream":false,)" + more
                                    + R"(,"messages":[{"role":"user","content":"hi"}]})");
    QVERIFY2(request, request ? "" : request.error().message.c_str());
    const auto writer = makeReplyWriter(*request, base::TurnId(1));
    wire::Upstream upstream;
    std::string out;
    for (const QString &frame : frames)
        upstream.send(*writer, withAlias(frame, *request), out);
    QCOMPARE(out, std::string());
    const QJsonObject answer = wire::object(writer->answer().body);
    QCOMPARE(answer[QLatin1String("type")].toString(), QLatin1String("message"));
    QCOMPARE(answer[QLatin1String("model")].toString(), QLatin1String("m"));
    compareEcho(*writer,
                {{QLatin1String("role"), QLatin1String("assistant")},
                 {QLatin1String("content"), answer[QLatin1String("content")]}},
                items);
}

QTEST_APPLESS_MAIN(RoundTripTest)
#include "tst_roundtrip.moc"
