// SPDX-License-Identifier: GPL-3.0-or-later
// What is relayed and what is read beside it: spec/turns.md (claude-* models), case B78.
#include "proxy/core/turn/passthrough.h"

#include <QTest>

using namespace headway::turn;

class PassThroughTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void relaysAllButWhatBelongsToTheConnection();
    void takesTheFinalNumbersAndAddsNothing_data();
    void takesTheFinalNumbersAndAddsNothing();
    void readsAReplyInOnePiece();
    void recordsTheTypeOfAnErrorAndNotItsWords();
};

void PassThroughTest::relaysAllButWhatBelongsToTheConnection()
{
    const HeaderFields client{{"host", "127.0.0.1:17421"},  {"authorization", "Bearer theirs"},
                              {"anthropic-beta", "a,b"},    {"anthropic-beta", "c"},
                              {"connection", "keep-alive"}, {"content-length", "12"},
                              {"content-encoding", "gzip"}, {"transfer-encoding", "chunked"},
                              {"expect", "100-continue"},   {"accept-encoding", "gzip"}};
    QVERIFY(relayedRequest(client)
            == (HeaderFields{{"authorization", "Bearer theirs"},
                             {"anthropic-beta", "a,b"},
                             {"anthropic-beta", "c"},
                             {"accept-encoding", "gzip"}}));
    const HeaderFields provider{
        {"date", "x"},           {"request-id", "req_1"}, {"content-encoding", "gzip"},
        {"content-length", "9"}, {"set-cookie", "a=1"},   {"set-cookie", "b=2"}};
    QVERIFY(relayedAnswer(provider)
            == (HeaderFields{{"request-id", "req_1"},
                             {"content-encoding", "gzip"},
                             {"set-cookie", "a=1"},
                             {"set-cookie", "b=2"}}));
}

void PassThroughTest::takesTheFinalNumbersAndAddsNothing_data()
{
    QTest::addColumn<int>("piece");
    QTest::newRow("one byte at a time") << 1;
    QTest::newRow("all at once") << 100'000;
}

// Case B78: cache numbers in both events; the ledger holds the final ones only.
void PassThroughTest::takesTheFinalNumbersAndAddsNothing()
{
    QFETCH(const int, piece);
    const std::string stream
        = "event: message_start\n"
          "data: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":10,"
          "\"cache_read_input_tokens\":100,\"cache_creation_input_tokens\":7,"
          "\"output_tokens\":1}}}\n\n"
          "event: message_delta\n"
          "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"},"
          "\"usage\":{\"output_tokens\":42,\"cache_read_input_tokens\":100}}\n\n"
          "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
    RelayedUsage usage;
    const auto size = static_cast<std::size_t>(piece);
    for (std::size_t at = 0; at < stream.size(); at += size)
        usage.stream(std::string_view(stream).substr(at, size));
    QCOMPARE(usage.inputTokens, std::uint64_t{10});
    QCOMPARE(usage.cachedTokens, std::uint64_t{100});
    QCOMPARE(usage.writtenTokens, std::uint64_t{7});
    QCOMPARE(usage.outputTokens, std::uint64_t{42});
    QCOMPARE(usage.stopReason, std::string("tool_use"));
    QVERIFY(usage.stopped);
}

void PassThroughTest::readsAReplyInOnePiece()
{
    RelayedUsage usage;
    usage.whole(R"({"type":"message","stop_reason":"end_turn",)"
                R"("usage":{"input_tokens":3,"output_tokens":4}})");
    QCOMPARE(usage.inputTokens, std::uint64_t{3});
    QCOMPARE(usage.outputTokens, std::uint64_t{4});
    QCOMPARE(usage.stopReason, std::string("end_turn"));
    QVERIFY(usage.stopped);
    RelayedUsage nonsense;
    nonsense.whole("<html>");
    QVERIFY(!nonsense.stopped);
}

void PassThroughTest::recordsTheTypeOfAnErrorAndNotItsWords()
{
    RelayedUsage usage;
    usage.stream("event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\","
                 "\"message\":\"you said: a prompt\"}}\n\n");
    QCOMPARE(usage.errorType, std::string("overloaded_error"));
    QVERIFY(!usage.stopped);
}

QTEST_APPLESS_MAIN(PassThroughTest)
#include "tst_passthrough.moc"
