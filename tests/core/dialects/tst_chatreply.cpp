// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/dialects/chatclient.h"

#include <QTest>

using namespace headway;
using namespace headway::dialects;

// What a client of chat completions gets of a reply, put together as the SDKs do it.
class ChatReplyTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void streamsTextAsChunks();
    void answersWithOneCompletion();
    void holdsTheStartUntilThereIsOutput();
    void tellsWhyItFinished_data();
    void tellsWhyItFinished();
    void sendsUsageOnlyWhenAsked();
    void sendsToolCallsByIndex();
    void keepsInterleavedCallsInOrder();
    void startsEmptyArgumentsAsAnObject();
    void sendsACustomCall();
    void neverCompletesACutCall();
    void joinsMessagesIntoOneContent();
    void addsTheTailThatDeltasMissed();
    void keepsSurrogatePairsWhole();
    void sendsARefusalInItsField();
    void showsReasoning_data();
    void showsReasoning();
    void hidesReasoningWhereTheClientWantsNone();
    void anItemStaysWhatItIs();
    void cutsAtAStopSequence();
    void failsAStreamWithAnErrorRecord();
    void pingsHarmlessly();
    void answersErrorsInTheDialectsForm();
    void theEchoIsWhatWasExpected_data();
    void theEchoIsWhatWasExpected();
};

namespace {

using chatclient::chunks;
using chatclient::ClientCompletion;

const std::string tools
    = R"("tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{}}}},{"type":"function","function":{"name":"server.tool"}},{"type":"custom","custom":{"name":"c"}}])";

TurnRequest request(const std::string &more = {},
                    const std::string &messages = R"([{"role":"user","content":"hi"}])")
{
    const auto read
        = readChatCompletions(std::make_shared<const std::string>(
                                  R"({"model":"m","stream":true)" + (more.empty() ? "" : "," + more)
                                  + ",\"messages\":" + messages + "}"),
                              {});
    if (!read)
        qFatal("%s", read.error().message.c_str());
    return *read;
}

std::string streamOf(const TurnRequest &request, const std::vector<std::string> &frames)
{
    const auto writer = makeReplyWriter(request, base::TurnId(1));
    wire::Upstream upstream;
    return upstream.sendAll(*writer, frames);
}

QJsonObject bodyOf(TurnRequest request, const std::vector<std::string> &frames)
{
    request.stream = false;
    const auto writer = makeReplyWriter(request, base::TurnId(1));
    wire::Upstream upstream;
    if (!upstream.sendAll(*writer, frames).empty())
        qFatal("bytes before the answer");
    return wire::object(writer->answer().body);
}

const std::string message = R"({"type":"message","id":"msg_1","role":"assistant","content":[]})";

std::string call(const std::string &id, const std::string &name, const std::string &arguments)
{
    return R"({"type":"function_call","id":"fc","call_id":")" + id + R"(","name":")" + name
        + R"(","arguments":)" + arguments + '}';
}

std::string created()
{
    return R"({"type":"response.created","response":{"id":"resp_1","created_at":1700000000,"status":"in_progress","output":[]}})";
}

std::vector<std::string> textReply(const std::string &literal)
{
    return {created(), wire::added(0, message), wire::delta("output_text", 0, literal),
            wire::completed()};
}

} // namespace

void ChatReplyTest::streamsTextAsChunks()
{
    bool done = false;
    const QList<QJsonObject> list
        = chunks(streamOf(request(), textReply(R"("hel\u006co")")), &done);
    QVERIFY(done);
    QCOMPARE(list.size(), 3);
    for (const QJsonObject &chunk : list) {
        QCOMPARE(chunk[QLatin1String("object")].toString(), QLatin1String("chat.completion.chunk"));
        QCOMPARE(chunk[QLatin1String("model")].toString(), QLatin1String("m"));
        QCOMPARE(chunk[QLatin1String("created")].toInt(), 1700000000);
        QCOMPARE(chunk[QLatin1String("id")], list[0][QLatin1String("id")]);
        QVERIFY(!chunk.contains(QLatin1String("usage")));
    }
    QVERIFY(list[0][QLatin1String("id")].toString().startsWith(QLatin1String("chatcmpl-")));
    const auto choice = [&list](int i) { return list[i][QLatin1String("choices")][0].toObject(); };
    QCOMPARE(choice(0)[QLatin1String("delta")][QLatin1String("role")].toString(),
             QLatin1String("assistant"));
    QCOMPARE(choice(1)[QLatin1String("delta")][QLatin1String("content")].toString(),
             QLatin1String("hello"));
    QVERIFY(choice(1)[QLatin1String("finish_reason")].isNull());
    QCOMPARE(choice(2)[QLatin1String("delta")].toObject(), QJsonObject());
    QCOMPARE(choice(2)[QLatin1String("finish_reason")].toString(), QLatin1String("stop"));
}

void ChatReplyTest::answersWithOneCompletion()
{
    std::vector<std::string> frames = textReply("\"hello\"");
    frames.back() = wire::completed(
        R"({"input_tokens":30,"input_tokens_details":{"cached_tokens":20},"output_tokens":7,"output_tokens_details":{"reasoning_tokens":5}})");
    const QJsonObject body = bodyOf(request(), frames);
    QCOMPARE(body[QLatin1String("object")].toString(), QLatin1String("chat.completion"));
    QCOMPARE(body[QLatin1String("created")].toInt(), 1700000000);
    QCOMPARE(body[QLatin1String("choices")].toArray().size(), 1);
    const QJsonObject choice = body[QLatin1String("choices")][0].toObject();
    QCOMPARE(choice[QLatin1String("message")].toObject(),
             wire::object(R"({"role":"assistant","content":"hello","refusal":null})"));
    QCOMPARE(choice[QLatin1String("finish_reason")].toString(), QLatin1String("stop"));
    QCOMPARE(
        body[QLatin1String("usage")].toObject(),
        wire::object(
            R"({"prompt_tokens":30,"completion_tokens":7,"total_tokens":37,"prompt_tokens_details":{"cached_tokens":20},"completion_tokens_details":{"reasoning_tokens":5}})"));
}

void ChatReplyTest::holdsTheStartUntilThereIsOutput()
{
    const auto writer = makeReplyWriter(request(), base::TurnId(1));
    wire::Upstream upstream;
    std::string out;
    upstream.send(*writer, created(), out);
    upstream.send(*writer, wire::added(0, message), out);
    QCOMPARE(out, std::string());
    writer->restart();
    out = upstream.sendAll(*writer, textReply("\"b\""));
    QCOMPARE(ClientCompletion(out).message[QLatin1String("content")].toString(),
             QLatin1String("b"));
}

void ChatReplyTest::tellsWhyItFinished_data()
{
    QTest::addColumn<QStringList>("frames");
    QTest::addColumn<QString>("reason");
    const auto row
        = [](const char *title, const std::vector<std::string> &frames, const char *reason) {
              QStringList list;
              for (const std::string &frame : frames)
                  list.append(QString::fromStdString(frame));
              QTest::newRow(title) << list << QString::fromUtf8(reason);
          };
    const std::string text
        = wire::done(0, R"({"type":"message","content":[{"type":"output_text","text":"one"}]})");
    row("done", {text, wire::completed()}, "stop");
    row("tool", {wire::done(0, call("c", "f", "\"{}\"")), wire::completed()}, "tool_calls");
    row("limit", {text, wire::incomplete("max_output_tokens")}, "length");
    row("filter", {text, wire::incomplete("content_filter")}, "content_filter");
}

void ChatReplyTest::tellsWhyItFinished()
{
    QFETCH(const QStringList, frames);
    QFETCH(const QString, reason);
    std::vector<std::string> list;
    for (const QString &frame : frames)
        list.push_back(frame.toStdString());
    QCOMPARE(ClientCompletion(streamOf(request(tools), list)).finishReason, reason);
    QCOMPARE(
        bodyOf(request(tools), list)[QLatin1String("choices")][0][QLatin1String("finish_reason")]
            .toString(),
        reason);
}

void ChatReplyTest::sendsUsageOnlyWhenAsked()
{
    const QList<QJsonObject> list = chunks(
        streamOf(request(R"("stream_options":{"include_usage":true})"), textReply("\"x\"")));
    QVERIFY(list[0].contains(QLatin1String("usage")));
    QVERIFY(list[0][QLatin1String("usage")].isNull());
    const QJsonObject last = list.last();
    QCOMPARE(last[QLatin1String("choices")].toArray().size(), 0);
    QCOMPARE(last[QLatin1String("usage")][QLatin1String("prompt_tokens")].toInt(), 10);
    QCOMPARE(last[QLatin1String("usage")][QLatin1String("total_tokens")].toInt(), 11);
}

void ChatReplyTest::sendsToolCallsByIndex()
{
    const TurnRequest asked = request(tools);
    const QString alias
        = wire::fields(asked)[QLatin1String("tools")][1][QLatin1String("name")].toString();
    const std::vector<std::string> frames{created(),
                                          wire::added(0, call("c1", "f", "\"\"")),
                                          wire::delta("function_call_arguments", 0, R"("{\"a\":")"),
                                          wire::delta("function_call_arguments", 0, R"("1}")"),
                                          wire::done(0, call("c1", "f", R"("{\"a\":1}")")),
                                          wire::done(1, call("c2", alias.toStdString(), "\"{}\"")),
                                          wire::completed()};
    const ClientCompletion client(streamOf(asked, frames));
    const QJsonArray expected
        = QJsonDocument::fromJson(
              R"([{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}},{"id":"c2","type":"function","function":{"name":"server.tool","arguments":"{}"}}])")
              .array();
    QCOMPARE(client.calls, expected);
    QVERIFY(!client.message.contains(QLatin1String("content")));
    const QJsonObject whole
        = bodyOf(asked, frames)[QLatin1String("choices")][0][QLatin1String("message")].toObject();
    QCOMPARE(whole[QLatin1String("tool_calls")].toArray(), expected);
    QVERIFY(whole[QLatin1String("content")].isNull());
}

void ChatReplyTest::keepsInterleavedCallsInOrder()
{
    const std::string stream
        = streamOf(request(tools),
                   {created(), wire::added(0, call("c1", "f", "\"\"")),
                    wire::added(1, call("c2", "f", "\"\"")),
                    wire::delta("function_call_arguments", 1, R"("{\"b\":2}")"),
                    wire::delta("function_call_arguments", 0, R"("{\"a\":1}")"),
                    wire::done(1, call("c2", "f", R"("{\"b\":2}")")),
                    wire::done(0, call("c1", "f", R"("{\"a\":1}")")), wire::completed()});
    const QJsonArray calls = ClientCompletion(stream).calls;
    QCOMPARE(calls.size(), 2);
    QCOMPARE(calls[0][QLatin1String("id")].toString(), QLatin1String("c1"));
    QCOMPARE(calls[0][QLatin1String("function")][QLatin1String("arguments")].toString(),
             QLatin1String("{\"a\":1}"));
    QCOMPARE(calls[1][QLatin1String("function")][QLatin1String("arguments")].toString(),
             QLatin1String("{\"b\":2}"));
}

void ChatReplyTest::startsEmptyArgumentsAsAnObject()
{
    const std::string stream = streamOf(
        request(tools), {created(), wire::done(0, call("c1", "f", "\"\"")), wire::completed()});
    QCOMPARE(ClientCompletion(stream)
                 .calls[0][QLatin1String("function")][QLatin1String("arguments")]
                 .toString(),
             QLatin1String("{}"));
}

void ChatReplyTest::sendsACustomCall()
{
    const std::vector<std::string> frames{
        created(),
        wire::done(
            0, R"({"type":"custom_tool_call","id":"x","call_id":"c1","name":"c","input":"a\nb"})"),
        wire::done(1,
                   R"({"type":"custom_tool_call","id":"y","call_id":"c2","name":"c","input":""})"),
        wire::completed()};
    const QJsonArray expected
        = QJsonDocument::fromJson(
              R"([{"id":"c1","type":"custom","custom":{"name":"c","input":"a\nb"}},{"id":"c2","type":"custom","custom":{"name":"c","input":""}}])")
              .array();
    QCOMPARE(ClientCompletion(streamOf(request(tools), frames)).calls, expected);
    QCOMPARE(bodyOf(request(tools), frames)[QLatin1String("choices")][0][QLatin1String("message")]
                                           [QLatin1String("tool_calls")]
                                               .toArray(),
             expected);
}

void ChatReplyTest::neverCompletesACutCall()
{
    const std::vector<std::string> cut{created(), wire::added(0, call("c1", "f", "\"\"")),
                                       wire::delta("function_call_arguments", 0, R"("{\"a\":")"),
                                       wire::incomplete("max_output_tokens")};
    const ClientCompletion client(streamOf(request(tools), cut));
    QCOMPARE(client.finishReason, QLatin1String("length"));
    QCOMPARE(client.calls[0][QLatin1String("function")][QLatin1String("arguments")].toString(),
             QLatin1String("{\"a\":"));
    QVERIFY(!bodyOf(request(tools), cut)[QLatin1String("choices")][0][QLatin1String("message")]
                 .toObject()
                 .contains(QLatin1String("tool_calls")));
    const std::vector<std::string> early{created(), wire::added(0, call("c1", "f", "\"\"")),
                                         wire::incomplete("max_output_tokens")};
    QVERIFY(ClientCompletion(streamOf(request(tools), early)).calls.isEmpty());
}

void ChatReplyTest::joinsMessagesIntoOneContent()
{
    const std::string one = R"({"type":"message","content":[{"type":"output_text","text":"one"}]})";
    const std::string two
        = R"({"type":"message","content":[{"type":"output_text","text":"t"},{"type":"output_text","text":"wo"}]})";
    const std::vector<std::string> frames{created(), wire::done(0, one), wire::done(1, two),
                                          wire::completed()};
    QCOMPARE(
        ClientCompletion(streamOf(request(), frames)).message[QLatin1String("content")].toString(),
        QLatin1String("one\n\ntwo"));
    QCOMPARE(bodyOf(request(), frames)[QLatin1String("choices")][0][QLatin1String("message")]
                                      [QLatin1String("content")]
                                          .toString(),
             QLatin1String("one\n\ntwo"));
}

void ChatReplyTest::addsTheTailThatDeltasMissed()
{
    const std::string stream = streamOf(
        request(),
        {created(), wire::added(0, message), wire::delta("output_text", 0, "\"on\""),
         wire::done(0, R"({"type":"message","content":[{"type":"output_text","text":"one"}]})"),
         wire::completed()});
    QCOMPARE(ClientCompletion(stream).message[QLatin1String("content")].toString(),
             QLatin1String("one"));
}

// Python joins two halves to two code points that cannot be encoded.
void ChatReplyTest::keepsSurrogatePairsWhole()
{
    const std::string stream = streamOf(
        request(),
        {created(), wire::added(0, message), wire::delta("output_text", 0, R"("a\ud83d")"),
         wire::delta("output_text", 0, R"("\ude00b")"),
         wire::delta("output_text", 0, R"("\ud83d")"), wire::completed()});
    QVERIFY(stream.find("\\ud") == std::string::npos);
    QCOMPARE(ClientCompletion(stream).message[QLatin1String("content")].toString(),
             QString::fromUtf8("a\xF0\x9F\x98\x80"
                               "b\xEF\xBF\xBD"));
}

void ChatReplyTest::sendsARefusalInItsField()
{
    const std::vector<std::string> frames{created(), wire::added(0, message),
                                          wire::delta("refusal", 0, "\"no\""), wire::completed()};
    const ClientCompletion client(streamOf(request(), frames));
    QCOMPARE(client.message[QLatin1String("refusal")].toString(), QLatin1String("no"));
    QVERIFY(!client.message.contains(QLatin1String("content")));
    QCOMPARE(client.finishReason, QLatin1String("stop"));
    const QJsonObject whole
        = bodyOf(request(), frames)[QLatin1String("choices")][0][QLatin1String("message")]
              .toObject();
    QCOMPARE(whole, wire::object(R"({"role":"assistant","content":null,"refusal":"no"})"));
}

void ChatReplyTest::showsReasoning_data()
{
    QTest::addColumn<QByteArrayList>("frames");
    QTest::addColumn<QString>("shown");
    const auto row
        = [](const char *name, const std::vector<std::string> &frames, const QString &shown) {
              QByteArrayList list;
              for (const std::string &frame : frames)
                  list.append(QByteArray::fromStdString(frame));
              QTest::newRow(name) << list << shown;
          };
    const auto item = [](const std::string &summary, const std::string &more = {}) {
        return R"({"type":"reasoning","id":"rs_1","summary":[)" + summary + "]" + more + '}';
    };
    const auto part = [](const std::string &text, const std::string &type = "summary_text") {
        return R"({"type":")" + type + R"(","text":)" + text + '}';
    };
    const auto delta = [](const std::string &literal, int at) {
        return wire::delta("reasoning_summary_text", 0, literal,
                           ",\"summary_index\":" + std::to_string(at));
    };
    row("none", {wire::done(0, item("", R"(,"encrypted_content":"b")"))}, {});
    row("in pieces", {wire::added(0, item("")), delta("\"a \"", 0), delta("\"b\"", 0)},
        QStringLiteral("a b"));
    row("two parts",
        {wire::added(0, item("")), delta("\"a\"", 0), delta("\"b\"", 1),
         wire::done(0, item(part("\"a\"") + "," + part("\"b\"")))},
        QStringLiteral("a\n\nb"));
    row("at its end only", {wire::done(0, item(part("\"a\"") + "," + part("\"b\"")))},
        QStringLiteral("a\n\nb"));
    row("the tail that deltas missed",
        {wire::added(0, item("")), delta("\"a\"", 0), wire::done(0, item(part("\"abc\"")))},
        QStringLiteral("abc"));
    row("halves of a pair",
        {wire::added(0, item("")), delta(R"("\ud83d")", 0), delta(R"("\ude00")", 0)},
        QString::fromUtf8("😀"));
    row("its own words",
        {wire::added(0, item("")),
         wire::delta("reasoning_text", 0, "\"mm\"", ",\"content_index\":0"),
         wire::done(0, item("", R"(,"content":[)" + part("\"mm\"", "reasoning_text") + "]"))},
        QStringLiteral("mm"));
    row("its own words at its end only",
        {wire::done(0, item("", R"(,"content":[)" + part("\"mm\"", "reasoning_text") + "]"))},
        QStringLiteral("mm"));
    row("of two items", {wire::done(0, item(part("\"a\""))), wire::done(1, item(part("\"b\"")))},
        QStringLiteral("a\n\nb"));
}

// In the field that gateways made usual.
void ChatReplyTest::showsReasoning()
{
    QFETCH(const QByteArrayList, frames);
    QFETCH(const QString, shown);
    std::vector<std::string> all{created()};
    for (const QByteArray &frame : frames)
        all.push_back(frame.toStdString());
    all.push_back(wire::added(9, message));
    all.push_back(wire::delta("output_text", 9, "\"said\""));
    all.push_back(wire::completed());
    const ClientCompletion completion(streamOf(request(), all));
    QCOMPARE(completion.reasoning, shown);
    QCOMPARE(completion.message[QLatin1String("content")].toString(), QLatin1String("said"));
    const QJsonValue whole
        = bodyOf(request(), all)[QLatin1String("choices")][0][QLatin1String("message")];
    QCOMPARE(whole[QLatin1String("reasoning_content")].toString(), shown);
    QCOMPARE(whole.toObject().contains(QLatin1String("reasoning_content")), !shown.isEmpty());
    QCOMPARE(whole[QLatin1String("content")].toString(), QLatin1String("said"));
}

void ChatReplyTest::hidesReasoningWhereTheClientWantsNone()
{
    for (const char *wish : {R"("reasoning":{"exclude":true})", R"("include_reasoning":false)"}) {
        const ClientCompletion completion(streamOf(
            request(wish),
            {created(),
             wire::done(0,
                        R"({"type":"reasoning","summary":[{"type":"summary_text","text":"a"}]})"),
             wire::completed()}));
        QVERIFY(completion.done);
        QCOMPARE(completion.reasoning, QString());
    }
}

// Words for a call, and an item that becomes another: neither is said, and the call is whole.
void ChatReplyTest::anItemStaysWhatItIs()
{
    const std::string call
        = R"({"type":"function_call","id":"fc_1","call_id":"c1","name":"f","arguments":"{}"})";
    const ClientCompletion completion(
        streamOf(request(),
                 {created(), wire::added(0, call), wire::delta("output_text", 0, "\"words\""),
                  wire::added(0, R"({"type":"message","id":"m","role":"assistant","content":[]})"),
                  wire::delta("function_call_arguments", 0, "\"{}\""), wire::done(0, call),
                  wire::completed()}));
    QVERIFY(completion.done);
    QCOMPARE(completion.calls.size(), 1);
    QCOMPARE(completion.calls[0][QLatin1String("function")][QLatin1String("arguments")].toString(),
             QStringLiteral("{}"));
    QVERIFY(
        !completion.message[QLatin1String("content")].toString().contains(QLatin1String("words")));
}

void ChatReplyTest::cutsAtAStopSequence()
{
    const TurnRequest asked = request(R"("stop":["END"])");
    const std::vector<std::string> frames{
        created(), wire::added(0, message), wire::delta("output_text", 0, "\"one E\""),
        wire::delta("output_text", 0, "\"ND two\""), wire::completed()};
    const ClientCompletion client(streamOf(asked, frames));
    QCOMPARE(client.message[QLatin1String("content")].toString(), QLatin1String("one "));
    QCOMPARE(client.finishReason, QLatin1String("stop"));
    // What only looks like one is shown at the end.
    QCOMPARE(ClientCompletion(streamOf(asked, textReply("\"one EN\"")))
                 .message[QLatin1String("content")]
                 .toString(),
             QLatin1String("one EN"));
}

void ChatReplyTest::failsAStreamWithAnErrorRecord()
{
    const auto writer = makeReplyWriter(request(), base::TurnId(1));
    TurnError error;
    error.kind = ErrorKind::UpstreamFailed;
    error.message = "lost";
    std::string out;
    writer->fail(error, out);
    bool done = true;
    const QList<QJsonObject> list = chunks(out, &done);
    QCOMPARE(list.size(), 1);
    QVERIFY(!done); // an end would look like success
    QCOMPARE(list[0][QLatin1String("error")][QLatin1String("message")].toString(),
             QLatin1String("lost"));
    QCOMPARE(list[0][QLatin1String("error")][QLatin1String("type")].toString(),
             QLatin1String("server_error"));
}

void ChatReplyTest::pingsHarmlessly()
{
    const auto writer = makeReplyWriter(request(), base::TurnId(1));
    std::string out;
    writer->ping(out);
    QCOMPARE(out, std::string(": ping\n\n")); // nothing is known of the reply yet
    wire::Upstream upstream;
    out.clear();
    upstream.send(*writer, created(), out);
    writer->ping(out);
    const QList<QJsonObject> list = chunks(out);
    QCOMPARE(list.size(), 1);
    QCOMPARE(list[0][QLatin1String("choices")][0][QLatin1String("delta")].toObject(),
             QJsonObject());
    QVERIFY(list[0][QLatin1String("choices")][0][QLatin1String("finish_reason")].isNull());
}

void ChatReplyTest::answersErrorsInTheDialectsForm()
{
    TurnError error;
    error.kind = ErrorKind::Throttled;
    error.message = "Slow down.";
    error.retryAfter = std::chrono::seconds{90};
    const Answer answer = errorAnswer(Door::ChatCompletions, error, base::TurnId(1));
    QCOMPARE(answer.status, 429);
    const QJsonObject object = wire::object(answer.body)[QLatin1String("error")].toObject();
    QCOMPARE(object[QLatin1String("code")].toString(), QLatin1String("rate_limit_exceeded"));
    QVERIFY(object[QLatin1String("message")].toString().contains(
        QLatin1String("Please try again in 60s.")));
    // The SDKs take more than a minute for no delay at all.
    const auto header
        = std::find_if(answer.headers.begin(), answer.headers.end(),
                       [](const auto &field) { return field.first == "Retry-After"; });
    QVERIFY(header != answer.headers.end());
    QCOMPARE(header->second, std::string("60"));
}

void ChatReplyTest::theEchoIsWhatWasExpected_data()
{
    QTest::addColumn<QStringList>("frames");
    QTest::addColumn<int>("items");
    const auto row = [](const char *name, const std::vector<std::string> &frames, int items) {
        QStringList list{QString::fromStdString(created())};
        for (const std::string &frame : frames)
            list.append(QString::fromStdString(frame));
        list.append(QString::fromStdString(wire::completed()));
        QTest::newRow(name) << list << items;
    };
    const auto text = [](const std::string &literal) {
        return R"({"type":"message","content":[{"type":"output_text","text":)" + literal + "}]}";
    };
    row("text", {wire::done(0, text(R"("a\u00e9\/\ud83d\ude00\n\"")"))}, 1);
    row("call, text",
        {wire::done(0, call("c1", "f", R"("{\"n\":1.50,\"s\":\"\\u00e9\"}")")),
         wire::done(1, text("\"and\""))},
        2);
    row("two messages", {wire::done(0, text("\"a\"")), wire::done(1, text("\"b\""))}, 1);
    row("parallel calls",
        {wire::done(0, call("c1", "f", "\"{}\"")), wire::done(1, call("c2", "f", "\"\""))}, 2);
    row("custom call",
        {wire::done(
            0, R"({"type":"custom_tool_call","id":"x","call_id":"c1","name":"c","input":"a\nb"})")},
        1);
    row("refusal", {wire::added(0, message), wire::delta("refusal", 0, "\"no\"")}, 1);
    row("reasoning is not echoed",
        {wire::done(0, R"({"type":"reasoning","id":"r","summary":[],"encrypted_content":"b"})"),
         wire::done(1, text("\"x\""))},
        1);
    row("half a pair", {wire::done(0, text(R"("a\ud83d")"))}, 1);
}

void ChatReplyTest::theEchoIsWhatWasExpected()
{
    QFETCH(const QStringList, frames);
    QFETCH(const int, items);
    for (const bool stream : {true, false}) {
        TurnRequest asked = request(tools);
        asked.stream = stream;
        const auto writer = makeReplyWriter(asked, base::TurnId(1));
        wire::Upstream upstream;
        std::string out;
        for (const QString &frame : frames)
            upstream.send(*writer, frame.toStdString(), out);
        const QJsonObject assistant = stream
            ? ClientCompletion(out).message
            : wire::object(
                  writer->answer().body)[QLatin1String("choices")][0][QLatin1String("message")]
                  .toObject();
        QJsonArray messages{wire::object(R"({"role":"user","content":"hi"})"), assistant};
        for (const QJsonValue call : assistant[QLatin1String("tool_calls")].toArray())
            messages.append(QJsonObject{{QLatin1String("role"), QLatin1String("tool")},
                                        {QLatin1String("tool_call_id"), call[QLatin1String("id")]},
                                        {QLatin1String("content"), QLatin1String("r")}});
        const TurnRequest next
            = request(tools, QJsonDocument(messages).toJson(QJsonDocument::Compact).toStdString());
        const std::vector<std::string> echoed = writer->echoedItems();
        QCOMPARE(static_cast<int>(echoed.size()), items);
        QVERIFY(next.input.size() >= 1 + echoed.size());
        for (std::size_t i = 0; i < echoed.size(); ++i)
            QCOMPARE(wire::object(next.input[i + 1]), wire::object(echoed[i]));
    }
}

QTEST_APPLESS_MAIN(ChatReplyTest)
#include "tst_chatreply.moc"
