// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/dialects/wire.h"

#include <QTest>

using namespace headway;
using namespace headway::dialects;

namespace {

constexpr base::TurnId turn{0x2a};

const std::string textMessage
    = R"({"type":"message","id":"msg_a","role":"assistant","content":[]})";
const std::string thinking = R"("thinking":{"type":"adaptive"})";

std::string call(const std::string &id, const std::string &arguments = "\"\"",
                 const std::string &name = "Read")
{
    return R"({"type":"function_call","id":"fc_)" + id + R"(","call_id":")" + id + R"(","name":")"
        + name + R"(","arguments":)" + arguments + '}';
}

std::string textDone(const std::string &literal)
{
    return R"({"type":"message","id":"msg_a","role":"assistant","content":[{"type":"output_text","text":)"
        + literal + "}]}";
}

struct Reply
{
    std::string stream;
    wire::ClientMessage message;
    std::unique_ptr<ReplyWriter> writer;

    QString stopReason() const { return message.message[QLatin1String("stop_reason")].toString(); }
    QString text(int block) const
    {
        return message.blocks.value(block)[QLatin1String("text")].toString();
    }
};

Reply reply(const std::string &requestMore, const std::vector<std::string> &frames)
{
    Reply result;
    const auto request = wire::read(wire::messagesBody(requestMore));
    if (!request)
        return result;
    result.writer = makeReplyWriter(*request, turn);
    wire::Upstream upstream;
    result.stream = upstream.sendAll(*result.writer, frames);
    result.message = wire::assembled(result.stream);
    return result;
}

QStringList strings(const QList<QByteArray> &bytes)
{
    QStringList list;
    for (const QByteArray &one : bytes)
        list.append(QString::fromUtf8(one));
    return list;
}

int count(const std::string &stream, const QByteArray &type)
{
    int found = 0;
    for (const wire::Record &record : wire::records(stream))
        found += record.type == type ? 1 : 0;
    return found;
}

} // namespace

class MessagesReplyTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesBothLinesOfEachRecord();
    void holdsTheStartUntilThereIsOutput();
    void showsOnlyTheIdsOfTheLastAttempt();
    void namesTheModelThatWasAskedFor();
    void splicesTextDeltas();
    void keepsTheHalvesOfAPairTogether();
    void showsTextThatCameWithoutDeltas();
    void addsTheTailThatDeltasMissed();
    void opensABlockForEachPart();
    void streamsAToolCall();
    void startsEmptyArgumentsAsAnObject();
    void keepsParallelCallsApart();
    void keepsBlocksSequentialHoweverItemsInterleave();
    void correlatesByItemIdWithoutAnIndex();
    void carriesReasoningInTheSignature();
    void showsAnEmptyThinkingBlockWithoutSummary();
    void showsNoThinkingToAClientThatDidNotAsk();
    void showsSearches();
    void sendsARefusalAsText();
    void tellsWhyItStopped_data();
    void tellsWhyItStopped();
    void neverCompletesACutCall();
    void hidesACallThatWasCutBeforeItsArguments();
    void countsCachedTokensApart_data();
    void countsCachedTokensApart();
    void cutsAtAStopSequence_data();
    void cutsAtAStopSequence();
    void remembersWhatUpstreamSaidBehindAStop();
    void sendsAnErrorEventMidStream();
    void ignoresEventsWithoutAWord();
    void takesTheOutputOfTheEndWhenNoItemCame();
    void pingsWithData();
};

// B33
void MessagesReplyTest::writesBothLinesOfEachRecord()
{
    const Reply r = reply({},
                          {wire::created(), wire::added(0, textMessage),
                           wire::delta("output_text", 0, R"("ok\n\nevent: x")"),
                           wire::done(0, textDone(R"("ok\n\nevent: x")")), wire::completed()});
    bool wellFormed = false;
    const auto records = wire::records(r.stream, &wellFormed);
    QVERIFY(wellFormed);
    QList<QByteArray> types;
    for (const wire::Record &record : records) {
        types.append(record.type);
        QCOMPARE(record.data[QLatin1String("type")].toString().toUtf8(), record.type);
    }
    QCOMPARE(types,
             (QList<QByteArray>{"message_start", "content_block_start", "content_block_delta",
                                "content_block_stop", "message_delta", "message_stop"}));
    const auto headers = streamHeaders(Door::Messages, turn);
    const auto has = [&headers](const char *name, const char *value) {
        return std::find(headers.begin(), headers.end(),
                         std::pair<std::string, std::string>(name, value))
            != headers.end();
    };
    QVERIFY(has("request-id", "req_000000000000002a"));
    QVERIFY(has("Content-Type", "text/event-stream; charset=utf-8"));
}

void MessagesReplyTest::holdsTheStartUntilThereIsOutput()
{
    const auto request = wire::read(wire::messagesBody());
    QVERIFY(request);
    const auto writer = makeReplyWriter(*request, turn);
    wire::Upstream upstream;
    std::string out;
    upstream.send(*writer, wire::created(), out);
    upstream.send(*writer, R"({"type":"response.in_progress","response":{"id":"resp_1"}})", out);
    upstream.send(*writer, R"({"type":"codex.rate_limits"})", out);
    upstream.send(*writer, wire::added(0, textMessage), out);
    QCOMPARE(out, std::string());
    upstream.send(*writer, wire::delta("output_text", 0, "\"a\""), out);
    QCOMPARE(count(out, "message_start"), 1);
}

void MessagesReplyTest::showsOnlyTheIdsOfTheLastAttempt()
{
    const auto request = wire::read(wire::messagesBody());
    QVERIFY(request);
    const auto writer = makeReplyWriter(*request, turn);
    wire::Upstream upstream;
    std::string out;
    upstream.send(*writer, wire::created("resp_first"), out);
    upstream.send(*writer, wire::added(0, textMessage), out);
    writer->restart();
    upstream.send(*writer, wire::created("resp_second"), out);
    upstream.send(*writer, wire::delta("output_text", 0, "\"a\""), out);
    upstream.send(*writer, wire::done(0, textDone("\"a\"")), out);
    upstream.send(*writer, wire::completed(), out);
    const auto message = wire::assembled(out);
    QCOMPARE(message.message[QLatin1String("id")].toString(), QLatin1String("msg_second"));
    QCOMPARE(message.blocks.size(), 1);
    QVERIFY(message.stopped);
}

void MessagesReplyTest::namesTheModelThatWasAskedFor()
{
    auto request = wire::read(
        R"({"model":"claude-x[1m]","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"hi"}]})");
    QVERIFY(request);
    setModel(*request, "gpt-9");
    const auto writer = makeReplyWriter(*request, turn);
    wire::Upstream upstream;
    const auto message
        = wire::assembled(upstream.sendAll(*writer, {wire::created(), wire::completed()}));
    QCOMPARE(message.message[QLatin1String("model")].toString(), QLatin1String("claude-x[1m]"));
}

void MessagesReplyTest::splicesTextDeltas()
{
    // Split inside a surrogate pair, with escapes of every kind.
    const Reply r = reply({},
                          {wire::created(), wire::added(0, textMessage),
                           wire::delta("output_text", 0, R"("\u00e9\/\ud83d")"),
                           wire::delta("output_text", 0, R"("\ude00\\")"),
                           wire::delta("output_text", 0, R"("n\t")"), wire::completed()});
    QCOMPARE(r.text(0), QString::fromUtf8("é/😀\\n\t"));
    QVERIFY(r.stream.find(R"("text":"\u00e9\/")") != std::string::npos);
    QCOMPARE(r.stopReason(), QLatin1String("end_turn"));
    QVERIFY(r.message.sequential && r.message.stopped);
}

// Python makes two code points of two halves, and cannot encode them.
void MessagesReplyTest::keepsTheHalvesOfAPairTogether()
{
    const auto deltasOf = [](const std::vector<std::string> &literals) {
        const auto request = wire::read(wire::messagesBody());
        const auto writer = makeReplyWriter(*request, base::TurnId(1));
        std::vector<std::string> frames{
            wire::created(), wire::added(0, R"({"type":"message","id":"m","content":[]})")};
        for (const std::string &literal : literals)
            frames.push_back(wire::delta("output_text", 0, literal));
        frames.push_back(wire::completed());
        wire::Upstream upstream;
        const std::string out = upstream.sendAll(*writer, frames);
        QStringList list; // as they stand on the wire
        for (const QByteArray &line : QByteArray::fromStdString(out).split('\n')) {
            const qsizetype at = line.indexOf("\"text_delta\",\"text\":");
            if (at >= 0)
                list.append(QString::fromLatin1(line.mid(at + 20).chopped(2)));
        }
        return list;
    };
    QCOMPARE(deltasOf({R"("a\ud83d")", R"("\ude00b")"}),
             (QStringList{QStringLiteral(R"("a")"), QStringLiteral(R"("\ud83d\ude00b")")}));
    QCOMPARE(deltasOf({R"("\uD83D")", R"("\uDE00")"}),
             (QStringList{QStringLiteral(R"("\uD83D\uDE00")")}));
    // What only looks like a half goes out at once.
    QCOMPARE(deltasOf({R"("\\ud83d")", R"("x")"}),
             (QStringList{QStringLiteral(R"("\\ud83d")"), QStringLiteral(R"("x")")}));
    // Its other half never comes: what upstream said is still shown.
    QCOMPARE(deltasOf({R"("a\ud83d")"}),
             (QStringList{QStringLiteral(R"("a")"), QStringLiteral(R"("\ud83d")")}));
}

void MessagesReplyTest::showsTextThatCameWithoutDeltas()
{
    const Reply r
        = reply({}, {wire::created(), wire::done(0, textDone("\"whole\"")), wire::completed()});
    QCOMPARE(r.message.blocks.size(), 1);
    QCOMPARE(r.text(0), QLatin1String("whole"));
}

void MessagesReplyTest::addsTheTailThatDeltasMissed()
{
    const Reply r = reply({},
                          {wire::created(), wire::added(0, textMessage),
                           wire::delta("output_text", 0, R"("a\u00e9")", R"(,"content_index":0)"),
                           wire::done(0, textDone("\"aéb\"")), wire::added(1, call("c1")),
                           wire::delta("function_call_arguments", 1, R"("{\"a\"")"),
                           wire::done(1, call("c1", R"("{\"a\":1}")")), wire::completed()});
    QCOMPARE(r.text(0), QString::fromUtf8("aéb"));
    QCOMPARE(r.message.inputs.value(1), QLatin1String(R"({"a":1})"));
}

void MessagesReplyTest::opensABlockForEachPart()
{
    const Reply r = reply({},
                          {wire::created(), wire::added(0, textMessage),
                           wire::delta("output_text", 0, "\"a\"", R"(,"content_index":0)"),
                           wire::delta("output_text", 0, "\"b\"", R"(,"content_index":1)"),
                           wire::completed()});
    QCOMPARE(r.message.blocks.size(), 2);
    QCOMPARE(r.text(0) + r.text(1), QLatin1String("ab"));
}

// B38
void MessagesReplyTest::streamsAToolCall()
{
    const Reply r = reply(
        {},
        {wire::created(), wire::added(0, call("call_1")),
         wire::delta("function_call_arguments", 0, R"("{\"f\":\"\\ud8")"),
         wire::delta("function_call_arguments", 0, R"("3d\\ude00\",\"n\":1.50e400,")"),
         wire::delta("function_call_arguments", 0, R"("\"t\":\"\ud83d")"),
         wire::delta("function_call_arguments", 0, R"("\ude00\"}")"),
         wire::done(0,
                    call("call_1", R"("{\"f\":\"\\ud83d\\ude00\",\"n\":1.50e400,\"t\":\"😀\"}")")),
         wire::completed()});
    QCOMPARE(count(r.stream, "message_delta"), 1);
    QCOMPARE(r.stopReason(), QLatin1String("tool_use"));
    QCOMPARE(r.message.blocks.size(), 1);
    QCOMPARE(r.message.blocks[0][QLatin1String("type")].toString(), QLatin1String("tool_use"));
    QCOMPARE(r.message.blocks[0][QLatin1String("id")].toString(), QLatin1String("call_1"));
    QCOMPARE(r.message.blocks[0][QLatin1String("name")].toString(), QLatin1String("Read"));
    QCOMPARE(r.message.inputs[0],
             QString::fromUtf8(R"({"f":"\ud83d\ude00","n":1.50e400,"t":"😀"})"));
}

void MessagesReplyTest::startsEmptyArgumentsAsAnObject()
{
    const Reply r = reply(
        {},
        {wire::created(), wire::added(0, call("c")), wire::done(0, call("c")), wire::completed()});
    QCOMPARE(r.message.inputs.value(0), QLatin1String("{}"));
}

void MessagesReplyTest::keepsParallelCallsApart()
{
    const Reply r = reply({},
                          {wire::created(), wire::added(0, call("c1")), wire::added(1, call("c2")),
                           wire::delta("function_call_arguments", 1, R"("{\"b\"")"),
                           wire::delta("function_call_arguments", 0, R"("{\"a\"")"),
                           wire::delta("function_call_arguments", 1, R"(":2}")"),
                           wire::done(1, call("c2", R"("{\"b\":2}")")),
                           wire::delta("function_call_arguments", 0, R"(":1}")"),
                           wire::done(0, call("c1", R"("{\"a\":1}")")), wire::completed()});
    QVERIFY(r.message.sequential);
    QCOMPARE(r.message.blocks.size(), 2);
    QCOMPARE(r.message.blocks[0][QLatin1String("id")].toString(), QLatin1String("c1"));
    QCOMPARE(r.message.inputs, (strings({R"({"a":1})", R"({"b":2})"})));
}

void MessagesReplyTest::keepsBlocksSequentialHoweverItemsInterleave()
{
    // A late end of the reasoning, a call that ends before the text in front of it.
    const std::string reasoning
        = R"({"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"E"})";
    const Reply r
        = reply(thinking,
                {wire::created(), wire::added(0, reasoning),
                 wire::delta("reasoning_summary_text", 0, "\"why\"", R"(,"summary_index":0)"),
                 wire::added(1, textMessage), wire::delta("output_text", 1, "\"te\""),
                 wire::added(2, call("c")), wire::delta("function_call_arguments", 2, "\"{\""),
                 wire::done(2, call("c", "\"{}\"")), wire::delta("output_text", 1, "\"xt\""),
                 wire::done(0, reasoning), wire::done(1, textDone("\"text\"")), wire::completed()});
    QVERIFY(r.message.sequential);
    QStringList types;
    for (const QJsonObject &block : r.message.blocks)
        types.append(block[QLatin1String("type")].toString());
    QCOMPARE(types, (strings({"thinking", "text", "tool_use"})));
    QCOMPARE(r.text(1), QLatin1String("text"));
    QCOMPARE(r.message.inputs[2], QLatin1String("{}"));
}

void MessagesReplyTest::correlatesByItemIdWithoutAnIndex()
{
    const Reply r = reply(
        {},
        {wire::created(), R"({"type":"response.output_item.added","item":)" + call("c1") + '}',
         R"({"type":"response.output_item.added","item":)" + call("c2") + '}',
         R"({"type":"response.function_call_arguments.delta","item_id":"fc_c2","delta":"{\"b\":2}"})",
         R"({"type":"response.function_call_arguments.delta","item_id":"fc_c1","delta":"{\"a\":1}"})",
         wire::completed()});
    QCOMPARE(r.message.inputs, (strings({R"({"a":1})", R"({"b":2})"})));
}

void MessagesReplyTest::carriesReasoningInTheSignature()
{
    const std::string added
        = R"({"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"par"})";
    const std::string done
        = R"({"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"é"},{"type":"summary_text","text":"two"}],"encrypted_content":"gAAA.b=="})";
    const Reply r
        = reply(thinking,
                {wire::created(), wire::added(0, added),
                 wire::delta("reasoning_summary_text", 0, R"("\u00e9")", R"(,"summary_index":0)"),
                 wire::delta("reasoning_summary_text", 0, R"("two")", R"(,"summary_index":1)"),
                 wire::done(0, done), wire::done(1, textDone("\"x\"")), wire::completed()});
    QCOMPARE(r.message.blocks.size(), 2);
    QCOMPARE(r.message.blocks[0][QLatin1String("thinking")].toString(),
             QString::fromUtf8("é\n\ntwo"));
    QCOMPARE(r.message.blocks[0][QLatin1String("signature")].toString(),
             QLatin1String("hw.v1.rs_1.2-3.gAAA.b=="));
}

void MessagesReplyTest::showsAnEmptyThinkingBlockWithoutSummary()
{
    const std::string item
        = R"({"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"E"})";
    const Reply r = reply(R"("thinking":{"type":"adaptive","display":"omitted"})",
                          {wire::created(), wire::added(0, item), wire::done(0, item),
                           wire::done(1, textDone("\"x\"")), wire::completed()});
    QCOMPARE(r.message.blocks.size(), 2);
    QCOMPARE(r.message.blocks[0][QLatin1String("thinking")].toString(), QString());
    QCOMPARE(r.message.blocks[0][QLatin1String("signature")].toString(),
             QLatin1String("hw.v1.rs_1..E"));
}

void MessagesReplyTest::showsNoThinkingToAClientThatDidNotAsk()
{
    const std::string item
        = R"({"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"s"}],"encrypted_content":"E"})";
    const Reply r = reply({},
                          {wire::created(), wire::added(0, item), wire::done(0, item),
                           wire::done(1, textDone("\"x\"")), wire::completed()});
    QCOMPARE(r.message.blocks.size(), 1);
    QCOMPARE(r.text(0), QLatin1String("x"));
    QCOMPARE(r.writer->echoedItems().size(), std::size_t{1});
}

void MessagesReplyTest::showsSearches()
{
    const std::string item
        = R"({"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"q","sources":[{"type":"url","url":"https://a.b"}]}})";
    const Reply r
        = reply({},
                {wire::created(), wire::added(0, R"({"type":"web_search_call","id":"ws_1"})"),
                 wire::done(0, item), wire::done(1, textDone("\"x\"")), wire::completed()});
    QVERIFY(r.message.sequential);
    QCOMPARE(r.message.blocks.size(), 3);
    QCOMPARE(r.message.blocks[0][QLatin1String("type")].toString(),
             QLatin1String("server_tool_use"));
    QCOMPARE(r.message.inputs[0], QLatin1String(R"({"query":"q"})"));
    QCOMPARE(r.message.blocks[1][QLatin1String("type")].toString(),
             QLatin1String("web_search_tool_result"));
    QCOMPARE(r.message.blocks[1][QLatin1String("tool_use_id")],
             r.message.blocks[0][QLatin1String("id")]);
    QCOMPARE(r.message.blocks[1][QLatin1String("content")].toArray().size(), 1);
    QCOMPARE(r.message.message[QLatin1String("usage")]
                 .toObject()[QLatin1String("server_tool_use")]
                 .toObject()[QLatin1String("web_search_requests")]
                 .toInt(),
             1);
    QCOMPARE(r.stopReason(), QLatin1String("end_turn"));
}

void MessagesReplyTest::sendsARefusalAsText()
{
    const Reply r = reply({},
                          {wire::created(), wire::added(0, textMessage),
                           wire::delta("refusal", 0, "\"I can\""),
                           wire::delta("refusal", 0, "\"not\""), wire::completed()});
    QCOMPARE(r.text(0), QLatin1String("I cannot"));
    QCOMPARE(r.stopReason(), QLatin1String("refusal"));
    QVERIFY(r.message.message[QLatin1String("stop_details")].isObject());
}

void MessagesReplyTest::tellsWhyItStopped_data()
{
    QTest::addColumn<QByteArray>("last");
    QTest::addColumn<bool>("withCall");
    QTest::addColumn<QByteArray>("reason");
    const auto row = [](const char *name, const std::string &last, bool withCall,
                        const char *reason) {
        QTest::newRow(name) << QByteArray::fromStdString(last) << withCall << QByteArray(reason);
    };
    row("completed", wire::completed(), false, "end_turn");
    row("completed with a call", wire::completed(), true, "tool_use");
    row("output limit", wire::incomplete("max_output_tokens"), false, "max_tokens");
    row("output limit behind a call", wire::incomplete("max_output_tokens"), true, "max_tokens");
    row("content filter", wire::incomplete("content_filter"), false, "refusal");
    row("another reason", wire::incomplete("max_messages"), false, "max_tokens");
}

void MessagesReplyTest::tellsWhyItStopped()
{
    QFETCH(const QByteArray, last);
    QFETCH(const bool, withCall);
    QFETCH(const QByteArray, reason);
    std::vector<std::string> frames{wire::created(), wire::done(0, textDone("\"x\""))};
    if (withCall)
        frames.push_back(wire::done(1, call("c", "\"{}\"")));
    frames.push_back(last.toStdString());
    const Reply r = reply({}, frames);
    QCOMPARE(r.stopReason().toUtf8(), reason);
    QCOMPARE(QByteArray::fromStdString(r.writer->stopReason()), reason);
    QCOMPARE(count(r.stream, "message_delta"), 1);
    QVERIFY(r.message.stopped);
}

// B65
void MessagesReplyTest::neverCompletesACutCall()
{
    for (const bool ended : {false, true}) {
        std::vector<std::string> frames{
            wire::created(), wire::added(0, call("c")),
            wire::delta("function_call_arguments", 0, R"("{\"a\":\"b")")};
        if (ended)
            frames.push_back(wire::done(
                0,
                R"({"type":"function_call","id":"fc_c","call_id":"c","name":"Read","status":"incomplete","arguments":"{\"a\":\"b"})"));
        frames.push_back(wire::incomplete("max_output_tokens"));
        const Reply r = reply({}, frames);
        QCOMPARE(r.stopReason(), QLatin1String("max_tokens"));
        QVERIFY(r.message.sequential);
        QCOMPARE(r.message.open, -1); // closed
        QCOMPARE(r.message.inputs.value(0), QLatin1String(R"({"a":"b)"));
        QVERIFY(r.writer->echoedItems().empty());
    }
}

void MessagesReplyTest::hidesACallThatWasCutBeforeItsArguments()
{
    // Shown with an empty input it would look complete.
    const Reply r = reply(
        {}, {wire::created(), wire::added(0, call("c")), wire::incomplete("max_output_tokens")});
    QCOMPARE(r.message.blocks.size(), 0);
    QVERIFY(r.message.stopped);
}

void MessagesReplyTest::countsCachedTokensApart_data()
{
    QTest::addColumn<QByteArray>("usage");
    QTest::addColumn<QList<int>>("expected"); // input, cache read, cache write, output, thinking
    // B77
    QTest::newRow("cached") << QByteArray(
        R"({"input_tokens":3936,"input_tokens_details":{"cached_tokens":3712},"output_tokens":5})")
                            << QList<int>{224, 3712, 0, 5, 0};
    QTest::newRow("cached and written") << QByteArray(
        R"({"input_tokens":1000,"input_tokens_details":{"cached_tokens":600,"cache_write_tokens":300},"output_tokens":9,"output_tokens_details":{"reasoning_tokens":4}})")
                                        << QList<int>{100, 600, 300, 9, 4};
    QTest::newRow("never negative") << QByteArray(
        R"({"input_tokens":10,"input_tokens_details":{"cached_tokens":600},"output_tokens":1})")
                                    << QList<int>{0, 600, 0, 1, 0};
}

void MessagesReplyTest::countsCachedTokensApart()
{
    QFETCH(const QByteArray, usage);
    QFETCH(const QList<int>, expected);
    const Reply r = reply(
        {},
        {wire::created(), wire::done(0, textDone("\"x\"")), wire::completed(usage.toStdString())});
    const QJsonObject told = r.message.message[QLatin1String("usage")].toObject();
    QCOMPARE((QList<int>{told[QLatin1String("input_tokens")].toInt(-1),
                         told[QLatin1String("cache_read_input_tokens")].toInt(-1),
                         told[QLatin1String("cache_creation_input_tokens")].toInt(-1),
                         told[QLatin1String("output_tokens")].toInt(-1),
                         told[QLatin1String("output_tokens_details")]
                             .toObject()[QLatin1String("thinking_tokens")]
                             .toInt(-1)}),
             expected);
}

void MessagesReplyTest::cutsAtAStopSequence_data()
{
    QTest::addColumn<QByteArray>("stops");
    QTest::addColumn<QList<QByteArray>>("deltas");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("found"); // null: none
    const auto row = [](const char *name, const char *stops, const QList<QByteArray> &deltas,
                        const char *text, const char *found) {
        QTest::newRow(name) << QByteArray(stops) << deltas << QString::fromUtf8(text)
                            << QString::fromUtf8(found);
    };
    row("inside one delta", R"(["STOP"])", {R"("aSTOPb")"}, "a", "STOP");
    row("across deltas", R"(["STOP"])", {R"("aS")", R"("T")", R"("OPb")"}, "a", "STOP");
    row("false start", R"(["STOP"])", {R"("aST")", R"("xSTOP")"}, "aSTx", "STOP");
    row("start at the end", R"(["STOP"])", {R"("aSTO")"}, "aSTO", nullptr);
    row("overlapping start", R"(["aab"])", {R"("aa")", R"("ab!")"}, "a", "aab");
    row("earliest of two", R"(["late","ear"])", {R"("x ear late")"}, "x ", "ear");
    row("escaped", R"(["\n\n"])", {R"("a\n")", R"("\u000ab")"}, "a", "\n\n");
    row("a pair split", R"(["😀"])", {R"("a\ud83d")", R"("\ude00b")"}, "a", "😀");
    row("a pair split that does not stop", R"(["😁"])", {R"("a\ud83d")", R"("\ude00b")"}, "a😀b",
        nullptr);
    row("at the very start", R"(["a"])", {R"("abc")"}, "", "a");
}

void MessagesReplyTest::cutsAtAStopSequence()
{
    QFETCH(const QByteArray, stops);
    QFETCH(const QList<QByteArray>, deltas);
    QFETCH(const QString, text);
    QFETCH(const QString, found);
    std::vector<std::string> frames{wire::created(), wire::added(0, textMessage)};
    for (const QByteArray &delta : deltas)
        frames.push_back(wire::delta("output_text", 0, delta.toStdString()));
    frames.push_back(wire::added(1, call("c")));
    frames.push_back(wire::completed());
    const Reply r = reply("\"stop_sequences\":" + stops.toStdString(), frames);
    QCOMPARE(r.text(0), text);
    QVERIFY(r.message.sequential);
    QCOMPARE(r.stopReason(),
             found.isEmpty() ? QLatin1String("tool_use") : QLatin1String("stop_sequence"));
    QCOMPARE(r.message.message[QLatin1String("stop_sequence")].toString(), found);
    QCOMPARE(r.message.blocks.size(), found.isEmpty() ? 2 : 1);
}

void MessagesReplyTest::remembersWhatUpstreamSaidBehindAStop()
{
    // Upstream remembers more than the client saw: the head must not be taken for its history.
    const Reply r
        = reply(R"("stop_sequences":["STOP"])",
                {wire::created(), wire::done(0, textDone("\"aSTOPb\"")), wire::completed()});
    const auto items = r.writer->echoedItems();
    QCOMPARE(items.size(), std::size_t{1});
    QVERIFY(items[0].find("aSTOPb") != std::string::npos);
}

void MessagesReplyTest::sendsAnErrorEventMidStream()
{
    const auto request = wire::read(wire::messagesBody());
    QVERIFY(request);
    const auto writer = makeReplyWriter(*request, turn);
    wire::Upstream upstream;
    std::string out = upstream.sendAll(
        *writer,
        {wire::created(), wire::added(0, textMessage), wire::delta("output_text", 0, "\"a\"")});
    TurnError error;
    error.kind = ErrorKind::UpstreamFailed;
    error.message = "The connection was lost.";
    writer->fail(error, out);
    const wire::Record last = wire::records(out).last();
    QCOMPARE(last.type, QByteArray("error"));
    const QJsonObject told = last.data[QLatin1String("error")].toObject();
    QCOMPARE(told[QLatin1String("type")].toString(), QLatin1String("api_error"));
    QCOMPARE(told[QLatin1String("message")].toString(), QLatin1String("The connection was lost."));
    QCOMPARE(count(out, "message_stop"), 0); // never a clean-looking end
}

void MessagesReplyTest::ignoresEventsWithoutAWord()
{
    const Reply r
        = reply({},
                {wire::created(), R"({"type":"response.queued"})", R"({"type":"keepalive"})",
                 wire::added(0, R"({"type":"compaction","id":"cmp_1"})"),
                 wire::done(0, R"({"type":"compaction","id":"cmp_1","encrypted_content":"x"})"),
                 R"({"type":"response.some_new.delta","output_index":5,"delta":"x"})",
                 wire::done(1, textDone("\"x\"")), wire::completed()});
    QCOMPARE(r.message.blocks.size(), 1);
    QVERIFY(r.message.stopped);
}

void MessagesReplyTest::takesTheOutputOfTheEndWhenNoItemCame()
{
    const Reply r
        = reply({},
                {wire::created(),
                 wire::completed("{}", "[" + textDone("\"x\"") + "," + call("c", "\"{}\"") + "]")});
    QCOMPARE(r.message.blocks.size(), 2);
    QCOMPARE(r.stopReason(), QLatin1String("tool_use"));
}

void MessagesReplyTest::pingsWithData()
{
    const Reply r = reply({}, {});
    std::string out;
    r.writer->ping(out);
    QCOMPARE(out, std::string("event: ping\ndata: {\"type\":\"ping\"}\n\n"));
}

QTEST_APPLESS_MAIN(MessagesReplyTest)
#include "tst_messagesreply.moc"
