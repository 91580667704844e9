// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/dialects/wire.h"

#include <QTest>

using namespace headway;
using namespace headway::dialects;

namespace {

constexpr base::TurnId turn{7};

std::unique_ptr<ReplyWriter> writerFor(Door door, bool stream = true)
{
    TurnRequest request;
    request.door = door;
    request.stream = stream;
    request.modelAsked = "m";
    return makeReplyWriter(request, turn);
}

const std::string item
    = R"({"type":"message","id":"msg_1","content":[{"type":"output_text","text":"ok"}]})";

TurnError throttled()
{
    TurnError error;
    error.kind = ErrorKind::Throttled;
    error.message = "Slow down.";
    error.retryAfter = base::Milliseconds(2500);
    return error;
}

} // namespace

class ResponsesReplyTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void passesFramesAsRecords();
    void holdsTheEnvelopeUntilThereIsOutput();
    void keepsAPrettyPrintedFrameOnOneLine();
    void passesFramesAsMessages();
    void passesAWarmUpThrough();
    void assemblesTheOutputOfOneBody_data();
    void assemblesTheOutputOfOneBody();
    void expectsTheItemsThatWereDone();
    void forgetsAnAttemptBeforeOutput();
    void failsAStreamWithTheWordsCodexReads();
    void failsASocketWithStatusAndHeaders();
    void pingsWithData();
};

void ResponsesReplyTest::passesFramesAsRecords()
{
    const auto writer = writerFor(Door::Responses);
    wire::Upstream upstream;
    const std::string frame = wire::delta("output_text", 0, R"("a\n\n\u00e9")");
    const std::string out = upstream.sendAll(
        *writer,
        {wire::created(), wire::added(0, item), frame, wire::done(0, item), wire::completed()});
    bool wellFormed = false;
    const auto records = wire::records(out, &wellFormed);
    QVERIFY(wellFormed);
    QCOMPARE(records.size(), 5);
    QVERIFY(out.find("event: response.output_text.delta\ndata: " + frame + "\n\n")
            != std::string::npos);
    QCOMPARE(records.last().type, QByteArray("response.completed"));
    QCOMPARE(writer->stopReason(), std::string("completed"));
}

void ResponsesReplyTest::holdsTheEnvelopeUntilThereIsOutput()
{
    const auto writer = writerFor(Door::Responses);
    wire::Upstream upstream;
    std::string out;
    upstream.send(*writer, wire::created(), out);
    upstream.send(*writer, R"({"type":"codex.rate_limits"})", out);
    upstream.send(*writer, R"({"type":"response.in_progress","response":{"id":"resp_1"}})", out);
    QCOMPARE(out, std::string());
    upstream.send(*writer, wire::added(0, item), out);
    QList<QByteArray> types;
    for (const wire::Record &record : wire::records(out))
        types.append(record.type);
    QCOMPARE(types,
             (QList<QByteArray>{"response.created", "codex.rate_limits", "response.in_progress",
                                "response.output_item.added"}));
}

void ResponsesReplyTest::keepsAPrettyPrintedFrameOnOneLine()
{
    const auto writer = writerFor(Door::Responses);
    wire::Upstream upstream;
    const std::string out = upstream.sendAll(
        *writer, {"{\n  \"type\": \"response.output_text.delta\",\r\n  \"delta\": \"a\"\n}"});
    bool wellFormed = false;
    QCOMPARE(wire::records(out, &wellFormed).size(), 1);
    QVERIFY(wellFormed);
}

void ResponsesReplyTest::passesFramesAsMessages()
{
    const auto writer = writerFor(Door::ResponsesSocket);
    wire::Upstream upstream;
    const std::string out
        = upstream.sendAll(*writer, {wire::created(), wire::added(0, item), wire::completed()});
    QCOMPARE(out,
             wire::created() + messageEnd + wire::added(0, item) + messageEnd + wire::completed()
                 + messageEnd);
}

void ResponsesReplyTest::passesAWarmUpThrough()
{
    const auto writer = writerFor(Door::ResponsesSocket);
    wire::Upstream upstream;
    const std::string out = upstream.sendAll(*writer, {wire::created(), wire::completed()});
    QCOMPARE(out, wire::created() + messageEnd + wire::completed() + messageEnd);
    QVERIFY(writer->echoedItems().empty());
}

void ResponsesReplyTest::assemblesTheOutputOfOneBody_data()
{
    QTest::addColumn<QByteArray>("response");
    QTest::newRow("output is there")
        << QByteArray(R"({"id":"r","output":[)") + item.c_str() + R"(],"n":1.0})";
    QTest::newRow("output is empty") << QByteArray(R"({"id":"r","output":[ ],"n":1.0})");
    QTest::newRow("output is missing") << QByteArray(R"({"id":"r","n":1.0})");
}

void ResponsesReplyTest::assemblesTheOutputOfOneBody()
{
    QFETCH(const QByteArray, response);
    const auto writer = writerFor(Door::Responses, false);
    wire::Upstream upstream;
    const std::string out = upstream.sendAll(
        *writer,
        {wire::created("r"), wire::done(0, item),
         R"({"type":"response.completed","response":)" + response.toStdString() + "}"});
    QCOMPARE(out, std::string());
    const Answer answer = writer->answer();
    QCOMPARE(answer.status, 200);
    const QJsonObject body = wire::object(answer.body);
    QCOMPARE(body[QLatin1String("output")].toArray(), QJsonArray{wire::object(item)});
    QCOMPARE(body[QLatin1String("id")].toString(), QLatin1String("r"));
    QVERIFY(answer.body.find("\"n\":1.0") != std::string::npos);
}

void ResponsesReplyTest::expectsTheItemsThatWereDone()
{
    const auto writer = writerFor(Door::Responses);
    wire::Upstream upstream;
    upstream.sendAll(*writer,
                     {wire::created(), wire::done(1, R"({"type":"b"})"),
                      wire::done(0, R"({"type":"a"})"), wire::completed()});
    const std::vector<std::string> expected{R"({"type":"a"})", R"({"type":"b"})"};
    QVERIFY(writer->echoedItems() == expected);
}

void ResponsesReplyTest::forgetsAnAttemptBeforeOutput()
{
    const auto writer = writerFor(Door::Responses);
    wire::Upstream upstream;
    std::string out;
    upstream.send(*writer, wire::created("resp_first"), out);
    writer->restart();
    upstream.send(*writer, wire::created("resp_second"), out);
    upstream.send(*writer, wire::completed(), out);
    QVERIFY(out.find("resp_first") == std::string::npos);
    QVERIFY(out.find("resp_second") != std::string::npos);
}

void ResponsesReplyTest::failsAStreamWithTheWordsCodexReads()
{
    const auto writer = writerFor(Door::Responses);
    wire::Upstream upstream;
    std::string out = upstream.sendAll(*writer, {wire::created(), wire::added(0, item)});
    out.clear();
    writer->fail(throttled(), out);
    const auto records = wire::records(out);
    QCOMPARE(records.size(), 1);
    QCOMPARE(records[0].type, QByteArray("response.failed"));
    const QJsonObject response = records[0].data[QLatin1String("response")].toObject();
    QCOMPARE(response[QLatin1String("id")].toString(), QLatin1String("resp_1"));
    QCOMPARE(response[QLatin1String("status")].toString(), QLatin1String("failed"));
    const QJsonObject error = response[QLatin1String("error")].toObject();
    QCOMPARE(error[QLatin1String("code")].toString(), QLatin1String("rate_limit_exceeded"));
    QVERIFY(error[QLatin1String("message")].toString().contains(
        QLatin1String("Please try again in 3s")));
}

void ResponsesReplyTest::failsASocketWithStatusAndHeaders()
{
    const auto writer = writerFor(Door::ResponsesSocket);
    std::string out;
    writer->fail(throttled(), out);
    QVERIFY(out.ends_with(messageEnd));
    const QJsonObject frame = wire::object(out.substr(0, out.size() - 1));
    QCOMPARE(frame[QLatin1String("type")].toString(), QLatin1String("error"));
    QCOMPARE(frame[QLatin1String("status")].toInt(), 429);
    QCOMPARE(frame[QLatin1String("headers")].toObject()[QLatin1String("retry-after")].toString(),
             QLatin1String("3"));
}

void ResponsesReplyTest::pingsWithData()
{
    std::string out;
    writerFor(Door::Responses)->ping(out);
    QCOMPARE(out, std::string("event: ping\ndata: {\"type\":\"ping\"}\n\n"));
    out.clear();
    writerFor(Door::ResponsesSocket)->ping(out);
    QCOMPARE(out, R"({"type":"keepalive"})" + std::string(1, messageEnd));
    out.clear();
    writerFor(Door::Responses, false)->ping(out);
    QCOMPARE(out, std::string());
}

QTEST_APPLESS_MAIN(ResponsesReplyTest)
#include "tst_responsesreply.moc"
