// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/translate/upstreamerror.h"
#include "tests/core/dialects/wire.h"

#include <QTest>

using namespace headway;
using namespace headway::dialects;

namespace {

// 2026-11-29 12:00:00 UTC
constexpr base::WallTime noon{std::chrono::seconds(1795953600)};

// Keeps the frame: the views of an event point into it.
struct KeepingReader
{
    EventReader reader;
    std::string frame;
};

std::optional<UpstreamEvent> read(KeepingReader &keeping, std::string frame)
{
    keeping.frame = std::move(frame);
    return keeping.reader.read(keeping.frame, keeping.frame.size(), noon);
}

} // namespace

class EventReaderTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void slicesADeltaWithoutUnescaping();
    void readsMembersInAnyOrder();
    void readsUsageOfATerminalEvent();
    void takesImpossibleUsageForUnknown_data();
    void takesImpossibleUsageForUnknown();
    void namesWhyAResponseIsIncomplete();
    void knowsOutputFromBookkeeping_data();
    void knowsOutputFromBookkeeping();
    void ignoresFramesThatAreNotEvents_data();
    void ignoresFramesThatAreNotEvents();
    void judgesErrors_data();
    void judgesErrors();
    void carriesDelays_data();
    void carriesDelays();
    void readsTheCountsOfAContextOverflow_data();
    void readsTheCountsOfAContextOverflow();
    void readsARefusedUpgradeWithItsHeader();
    void tellsWhenThePlanResets();
};

void EventReaderTest::slicesADeltaWithoutUnescaping()
{
    KeepingReader reader;
    const std::string frame = R"({"type":"response.output_text.delta","item_id":"msg_1",)"
                              R"("output_index":2,"content_index":1,"delta":"a\n\ud83d"})";
    const auto event = read(reader, frame);
    QVERIFY(event);
    QCOMPARE(event->type, EventType::OutputTextDelta);
    QCOMPARE(std::string(event->delta), std::string(R"("a\n\ud83d")"));
    QCOMPARE(event->outputIndex, 2);
    QCOMPARE(event->partIndex, 1);
    QCOMPARE(std::string(event->itemId), std::string("msg_1"));
    QCOMPARE(event->raw, std::string_view(frame));
    // A slice, not a copy.
    QCOMPARE(event->delta.data(), reader.frame.data() + frame.find("\"a"));
}

void EventReaderTest::readsMembersInAnyOrder()
{
    KeepingReader reader;
    const auto event = read(
        reader,
        R"({"item":{"type":"message"},"output_index":0,"type":"response.output_item.done"})");
    QVERIFY(event);
    QCOMPARE(event->type, EventType::OutputItemDone);
    QCOMPARE(std::string(event->item), std::string(R"({"type":"message"})"));
}

void EventReaderTest::readsUsageOfATerminalEvent()
{
    KeepingReader reader;
    const auto event = read(
        reader,
        R"({"type":"response.completed","response":{"id":"resp_9","usage":{"input_tokens":3936,)"
        R"("input_tokens_details":{"cached_tokens":3712,"cache_write_tokens":5},"output_tokens":7,)"
        R"("output_tokens_details":{"reasoning_tokens":3},"total_tokens":3943}}})");
    QVERIFY(event && event->usage);
    QCOMPARE(event->responseId, std::string_view("resp_9"));
    QCOMPARE(*event->usage,
             (Usage{.inputTokens = 3936,
                    .cachedTokens = 3712,
                    .cacheWriteTokens = 5,
                    .outputTokens = 7,
                    .reasoningTokens = 3}));
}

void EventReaderTest::takesImpossibleUsageForUnknown_data()
{
    QTest::addColumn<QByteArray>("usage");
    QTest::addColumn<bool>("known");
    const auto row = [](const char *title, const char *usage, bool known) {
        QTest::newRow(title) << QByteArray(usage) << known;
    };
    row("negative", R"({"input_tokens":-1,"output_tokens":7})", false);
    row("negative detail",
        R"({"input_tokens":9,"input_tokens_details":{"cached_tokens":-3},"output_tokens":7})",
        false);
    row("fraction", R"({"input_tokens":9.5,"output_tokens":7})", false);
    row("words", R"({"input_tokens":"9","output_tokens":7})", false);
    row("missing details", R"({"input_tokens":9,"output_tokens":7})", true);
    row("null details", R"({"input_tokens":9,"input_tokens_details":null,"output_tokens":7})",
        true);
    row("null", "null", false);
}

void EventReaderTest::takesImpossibleUsageForUnknown()
{
    QFETCH(const QByteArray, usage);
    QFETCH(const bool, known);
    KeepingReader reader;
    const auto event = read(reader,
                            R"({"type":"response.completed","response":{"id":"r","usage":)"
                                + usage.toStdString() + "}}");
    QVERIFY(event);
    QCOMPARE(event->usage.has_value(), known);
}

void EventReaderTest::namesWhyAResponseIsIncomplete()
{
    KeepingReader reader;
    const std::string frame = wire::incomplete("max_output_tokens");
    const auto event = read(reader, frame);
    QVERIFY(event);
    QCOMPARE(event->type, EventType::Incomplete);
    QCOMPARE(event->incompleteReason, std::string_view("max_output_tokens"));
}

void EventReaderTest::knowsOutputFromBookkeeping_data()
{
    QTest::addColumn<QByteArray>("frame");
    QTest::addColumn<bool>("output");
    QTest::addColumn<bool>("model");
    QTest::addColumn<bool>("terminal");
    const auto row = [](const char *name, const char *more, bool output, bool model,
                        bool terminal) {
        QTest::newRow(name) << QByteArray(R"({"type":")" + QByteArray(name) + '"' + more + '}')
                            << output << model << terminal;
    };
    row("response.created", "", false, true, false);
    row("response.in_progress", "", false, true, false);
    row("response.queued", "", false, true, false);
    row("response.output_item.added", R"(,"output_index":0)", true, true, false);
    row("response.reasoning_summary_text.delta", R"(,"delta":"x")", true, true, false);
    row("response.web_search_call.searching", R"(,"output_index":0)", true, true, false);
    row("codex.rate_limits", "", false, false, false);
    row("keepalive", "", false, false, false);
    row("responsesapi.websocket_timing", "", false, false, false);
    row("response.metadata", "", false, false, false);
    row("response.completed", "", false, true, true);
    row("response.incomplete", "", false, true, true);
    row("response.failed", "", false, true, true);
    row("error", "", false, true, true);
}

void EventReaderTest::knowsOutputFromBookkeeping()
{
    QFETCH(const QByteArray, frame);
    KeepingReader reader;
    const std::string bytes = frame.toStdString();
    const auto event = read(reader, bytes);
    QVERIFY(event);
    QTEST(event->isOutput(), "output");
    QTEST(event->isModelEvent(), "model");
    QTEST(event->isTerminal(), "terminal");
}

void EventReaderTest::ignoresFramesThatAreNotEvents_data()
{
    QTest::addColumn<QByteArray>("frame");
    QTest::newRow("empty") << QByteArray("");
    QTest::newRow("prose") << QByteArray("upstream said hello");
    QTest::newRow("cut") << QByteArray(R"({"type":"response.created")");
    QTest::newRow("array") << QByteArray(R"(["response.created"])");
    QTest::newRow("no type") << QByteArray(R"({"delta":"x"})");
    QTest::newRow("type is no string") << QByteArray(R"({"type":7})");
    QTest::newRow("not UTF-8") << QByteArray("{\"type\":\"error\",\"x\":\"\xff\"}");
}

void EventReaderTest::ignoresFramesThatAreNotEvents()
{
    QFETCH(const QByteArray, frame);
    KeepingReader reader;
    QVERIFY(!read(reader, frame.toStdString()));
    QVERIFY(read(reader, R"({"type":"response.created"})")); // and goes on
}

void EventReaderTest::judgesErrors_data()
{
    QTest::addColumn<QByteArray>("frame");
    QTest::addColumn<QByteArray>("kind");
    const auto nested = [](const char *error, const char *more = "") {
        return QByteArray(R"({"type":"error")" + QByteArray(more) + R"(,"error":)" + error + '}');
    };
    const auto failed = [](const char *error) {
        return QByteArray(
            R"({"type":"response.failed","response":{"id":"r","status":"failed","error":)"
            + QByteArray(error) + "}}");
    };
    const auto row = [](const char *name, const QByteArray &frame, const char *kind) {
        QTest::newRow(name) << frame << QByteArray(kind);
    };
    row("code", nested(R"({"code":"rate_limit_exceeded","message":"slow"})"), "throttled");
    row("type", nested(R"({"type":"rate_limit_error","message":"x"})"), "throttled");
    row("flat shape", QByteArray(R"({"type":"error","code":"rate_limit_exceeded","message":"x"})"),
        "throttled");
    row("status", nested(R"({"message":"x"})", R"(,"status":429)"), "throttled");
    row("status_code", nested(R"({"message":"x"})", R"(,"status_code":429)"), "throttled");
    row("slow_down", failed(R"({"code":"slow_down","message":"x"})"), "throttled");
    row("failed", failed(R"({"code":"server_error","message":"x"})"), "upstream_failed");
    row("usage limit in type",
        nested(R"({"type":"usage_limit_reached","message":"x"})", R"(,"status_code":429)"),
        "plan_limit");
    row("insufficient_quota", nested(R"({"code":"insufficient_quota"})", R"(,"status":429)"),
        "plan_limit");
    row("context",
        nested(R"({"code":"context_length_exceeded","message":"x"})", R"(,"status":400)"),
        "context_overflow");
    row("overloaded", failed(R"({"code":"server_is_overloaded","message":"x"})"), "overloaded");
    row("529", nested(R"({"message":"x"})", R"(,"status":529)"), "overloaded");
    row("503", nested(R"({"message":"x"})", R"(,"status":503)"), "overloaded");
    row("500", nested(R"({"message":"x"})", R"(,"status":500)"), "upstream_failed");
    row("401", nested(R"({"message":"x"})", R"(,"status":401)"), "authentication");
    row("402", nested(R"({"message":"x"})", R"(,"status":402)"), "billing");
    row("403", nested(R"({"message":"x"})", R"(,"status":403)"), "permission");
    row("404", nested(R"({"message":"x"})", R"(,"status":404)"), "not_found");
    row("413", nested(R"({"message":"x"})", R"(,"status":413)"), "too_large");
    row("504", nested(R"({"message":"x"})", R"(,"status":504)"), "timeout");
    row("422", nested(R"({"message":"x"})", R"(,"status":422)"), "invalid_request");
    row("image code", failed(R"({"code":"invalid_image_format","message":"x"})"),
        "invalid_request");
    row("policy", failed(R"({"code":"misalignment_policy_violation","message":"x"})"),
        "invalid_request");
    row("lifetime", nested(R"({"code":"websocket_connection_limit_reached"})", R"(,"status":400)"),
        "upstream_failed");
    row("prose: rate limit", nested(R"({"message":"Rate limit hit, wait"})"), "throttled");
    row("prose: status 429", nested(R"({"message":"upstream answered status 429."})"), "throttled");
    row("prose: request id", nested(R"({"message":"failed, request req_a429b2"})"),
        "upstream_failed");
    row("prose: byte count", nested(R"({"message":"read 429 bytes of 14290"})"), "upstream_failed");
    row("prose: part of a word", nested(R"({"message":"accelerate limits"})"), "upstream_failed");
    row("prose beside a type", nested(R"({"type":"invalid_request_error","message":"rate limit"})"),
        "invalid_request");
}

void EventReaderTest::judgesErrors()
{
    QFETCH(const QByteArray, frame);
    QFETCH(const QByteArray, kind);
    KeepingReader reader;
    const std::string bytes = frame.toStdString();
    const auto event = read(reader, bytes);
    QVERIFY(event && event->error);
    QCOMPARE(QByteArray::fromStdString(std::string(name(event->error->kind))), kind);
}

void EventReaderTest::carriesDelays_data()
{
    QTest::addColumn<QByteArray>("frame");
    QTest::addColumn<int>("milliseconds"); // -1: none
    const auto row = [](const char *name, const char *inError, const char *beside, int ms) {
        QTest::newRow(name) << QByteArray(R"({"type":"error","status":429,"error":{)"
                                          R"("code":"rate_limit_exceeded")"
                                          + QByteArray(inError) + '}' + beside + '}')
                            << ms;
    };
    row("none", "", "", -1);
    row("header", "", R"(,"headers":{"retry-after":"4"})", 4000);
    row("header of any case", "", R"(,"headers":{"Retry-After":"4"})", 4000);
    row("header in milliseconds wins", "",
        R"(,"headers":{"retry-after":"4","retry-after-ms":"1500"})", 1500);
    row("header inside error", R"(,"headers":{"retry-after":"6"})", "", 6000);
    row("retry_after_seconds", R"(,"retry_after_seconds":7)", "", 7000);
    row("resets_in_seconds", R"(,"resets_in_seconds":9568)", "", 9568000);
    row("resets_at", R"(,"resets_at":1795953690)", "", 90000);
    row("resets_at in the past", R"(,"resets_at":1795953000)", "", 0);
    row("resets_at of nonsense", R"(,"resets_at":12)", "", -1);
    row("text", R"(,"message":"Please try again in 2.5s.")", "", 2500);
    row("text in milliseconds", R"(,"message":"try again in 500ms")", "", 500);
    row("text in words", R"(,"message":"Try again in 3 seconds please")", "", 3000);
    row("text, compound", R"(,"message":"try again in 1m30s")", "", 90000);
    row("text, retry after", R"(,"message":"retry after 12 s")", "", 12000);
    row("text, whole words only", R"(,"message":"retry inside 5 pages; entry again in 5s")", "",
        -1);
    row("header before text", R"(,"message":"try again in 9s")",
        R"(,"headers":{"retry-after":"4"})", 4000);
}

void EventReaderTest::carriesDelays()
{
    QFETCH(const QByteArray, frame);
    QFETCH(const int, milliseconds);
    KeepingReader reader;
    const std::string bytes = frame.toStdString();
    const auto event = read(reader, bytes);
    QVERIFY(event && event->error);
    const auto delay = event->error->retryAfter;
    QCOMPARE(delay ? static_cast<int>(delay->count()) : -1, milliseconds);
}

void EventReaderTest::readsTheCountsOfAContextOverflow_data()
{
    QTest::addColumn<QByteArray>("message");
    QTest::newRow("Anthropic's words")
        << QByteArray("prompt is too long: 201000 tokens > 200000 maximum");
    QTest::newRow("OpenAI's words") << QByteArray(
        "This model's maximum context length is 200000 tokens. However, your messages "
        "resulted in 201000 tokens.");
    QTest::newRow("with separators")
        << QByteArray("at most 200,000 tokens are allowed, 201,000 tokens were sent");
}

void EventReaderTest::readsTheCountsOfAContextOverflow()
{
    QFETCH(const QByteArray, message);
    KeepingReader reader;
    const std::string frame
        = R"({"type":"error","error":{"code":"context_length_exceeded","message":")"
        + message.toStdString() + "\"}}";
    const auto event = read(reader, frame);
    QVERIFY(event && event->error);
    QCOMPARE(event->error->tokens.value_or(0), std::uint64_t{201000});
    QCOMPARE(event->error->maximumTokens.value_or(0), std::uint64_t{200000});
}

void EventReaderTest::readsARefusedUpgradeWithItsHeader()
{
    const TurnError error = readHttpError(429, {{"Retry-After", "3"}},
                                          R"({"error":{"message":"slow","code":null}})", noon);
    QCOMPARE(error.kind, ErrorKind::Throttled);
    QCOMPARE(error.retryAfter.value_or(base::Milliseconds(0)), base::Milliseconds(3000));
    QCOMPARE(error.upstreamStatus.value_or(0), 429);
    QCOMPARE(error.message, std::string("slow"));
    QCOMPARE(readHttpError(403, {}, "<html>no</html>", noon).kind, ErrorKind::Permission);
}

void EventReaderTest::tellsWhenThePlanResets()
{
    KeepingReader reader;
    const auto event = read(reader,
                            R"({"type":"error","status_code":429,"error":{)"
                            R"("type":"usage_limit_reached","resets_in_seconds":9568}})");
    QVERIFY(event && event->error && event->error->resetsAt);
    QVERIFY(*event->error->resetsAt == noon + std::chrono::seconds(9568));
}

QTEST_APPLESS_MAIN(EventReaderTest)
#include "tst_eventreader.moc"
