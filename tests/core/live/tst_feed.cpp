// SPDX-License-Identifier: GPL-3.0-or-later
// The feed's text, version 1, held to a literal text and to an independent JSON reader, and that
// every snapshot comes back as it went.
#include "feedsamples.h"
#include "proxy/core/ledger/jsonl.h"
#include "proxy/core/live/feed.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using tests::Draw;

class FeedTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyMemberStandsUnderItsName();
    void whatIsZeroIsLeftOut();
    void aPopulatedSnapshotComesBack();
    void randomSnapshotsComeBack();
    void recordsOfEveryKindComeBack();
    void anAnswerComesBack();
    void secretsStayOut();
    void brokenUtf8IsMended();
    void numbersBeyondTheFormatBecomeTheNearest();
};

namespace {

const char *const populatedText = R"json({
  "feed": 1, "kind": "snapshot",
  "at": "2026-09-21T14:13:20.123Z", "listening": "127.0.0.1:17421", "upstream": "openai",
  "upstream_state": "rejecting (403)",
  "turns": [{
    "turn": "req_000000000000001f", "session": "0123456789ab", "agent": "agent 3",
    "model": "gpt-5.5", "dialect": "messages", "phase": "queued", "decision": "continuation",
    "place": "lane", "age_ms": 1, "in_phase_ms": 2, "remaining_ms": 3, "queue_place": 4,
    "held": true, "refused_then": true,
    "lacks_opening": true, "lacked_opening_ms": 15, "spent_ms": [5, 6, 7, 8, 9, 10], "attempt": 11, "output_events": 12,
    "output_tokens": 14,
    "bytes_out": 13, "why": "the minute's 60 were \"used\""}],
  "heads": [{
    "head": 21, "connection": 22, "lane": "lane-1", "partition": "aaaabbbbcccc", "session": "s",
    "agent": "a", "model": "m", "generation": "established", "in_flight": true, "pinned": true,
    "spare": true, "last_match": "reasoning_omitted", "age_ms": 23, "idle_ms": 24, "turns": 25,
    "items": 26, "context_tokens": 27, "bytes_saved": 28, "tokens_saved": 29}],
  "seconds": [{
    "second": 1790000000, "continued": 31, "lane_or_spare": 32, "opened_at_once": 33,
    "opened_after_wait": 34, "refused": 35, "rejections": 36, "completed": 37, "failed": 38, "turns_refused": 48,
    "wait_p50_ms": 39.5, "wait_p95_ms": 40.25, "wait_max_ms": 41.5, "waits": 42,
    "queue_length": 43, "bucket_level": -44.5, "input_tokens": 45, "cached_tokens": 46,
    "warnings": 47}],
  "changes": [{"at": "2026-09-21T14:13:20.001Z", "key": "burst", "old_value": "10",
    "new_value": "20", "who": "window"}],
  "records": [{"kind": "warning", "time": "2026-09-21T14:13:20.002Z",
    "turn": "req_000000000000002f", "session": "abc", "agent": "def", "key": "notice",
    "text": "a text"}],
  "settings": {"burst": {"value": "20", "source": "window", "locked": true}},
  "unpaced": "too short", "wait_bound_ms": 51, "ladder_ms": 52, "hint_cap_ms": 53, "effective_retries": 54,
  "overrides": {"pause_all": true, "pass_through": true,
    "held_sessions": ["0123456789ab", "x"]},
  "effective_idle_ms": 55, "notices": ["a notice"],
  "totals": {"turns_started": 61, "turns_completed": 62, "turns_failed": 63,
    "turns_refused": 64, "client_gone": 65, "continued": 66, "opened": 67, "rejections": 68,
    "records": 69, "input_tokens": 70, "cached_tokens": 71},
  "ledger_state": "ok", "policy": "auto", "bucket_level": -1.5, "waiting": 72, "gated": 73,
  "door": "probing", "door_for_ms": 74, "spacing_ms": 75,
  "estimate": {"shape": "rate", "per_min": 76.5, "spacing_ns": 77, "socket_cap": 78,
    "confidence": 0.79, "measured_at": "2026-09-21T14:13:20.003Z"},
  "quota": [{"meter": "codex", "name": "5 h", "length_s": 18000, "used_percent": 41.5,
    "resets_at": "2026-09-21T14:13:20.004Z"}],
  "sign_in": {"state": "lacking", "who": "me@example.com", "plan": "pro", "is_of_codex": true,
    "trouble": "it has ended"}
})json";

QJsonObject parsed(const std::string &text)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromStdString(text), &error);
    return error.error == QJsonParseError::NoError ? document.object() : QJsonObject();
}

live::Snapshot back(const live::Snapshot &snapshot)
{
    const auto message = live::readFeed(live::writeFeed(snapshot));
    if (!message) {
        qWarning("%s", message.error().text.c_str());
        return {};
    }
    return std::get<live::Snapshot>(*message);
}

std::string jsonLines(const std::vector<ledger::Record> &records)
{
    std::string lines;
    for (const ledger::Record &record : records) {
        const ledger::Kind &kind = ledger::kindOf(record);
        std::vector<ledger::Value> cells;
        for (const ledger::Column &column : kind.columns)
            cells.push_back(column.get(record));
        ledger::appendJsonLine(lines, kind, cells);
    }
    return lines;
}

// Names the first member that differs; the list is apart from the feed's own.
const char *difference(const live::Snapshot &a, const live::Snapshot &b)
{
#define HEADWAY_SAME(member)                                                                       \
    if (!(a.member == b.member))                                                                   \
    return #member
    HEADWAY_SAME(at);
    HEADWAY_SAME(listening);
    HEADWAY_SAME(upstream);
    HEADWAY_SAME(upstreamState);
    HEADWAY_SAME(turns);
    HEADWAY_SAME(heads);
    HEADWAY_SAME(seconds);
    HEADWAY_SAME(changes);
    HEADWAY_SAME(settings);
    HEADWAY_SAME(unpaced);
    HEADWAY_SAME(waitBound);
    HEADWAY_SAME(ladder);
    HEADWAY_SAME(hintCap);
    HEADWAY_SAME(effectiveRetries);
    HEADWAY_SAME(overrides);
    HEADWAY_SAME(effectiveIdle);
    HEADWAY_SAME(notices);
    HEADWAY_SAME(totals);
    HEADWAY_SAME(ledgerState);
    HEADWAY_SAME(policy);
    HEADWAY_SAME(bucketLevel);
    HEADWAY_SAME(waiting);
    HEADWAY_SAME(gated);
    HEADWAY_SAME(door);
    HEADWAY_SAME(doorFor);
    HEADWAY_SAME(spacing);
    HEADWAY_SAME(estimate);
    HEADWAY_SAME(quota);
    HEADWAY_SAME(signIn);
#undef HEADWAY_SAME
    return jsonLines(a.records) == jsonLines(b.records) ? "" : "records";
}

live::TurnRow drawTurn(Draw &draw)
{
    live::TurnRow row;
    row.turn = base::TurnId{draw.number()};
    row.session = draw.text();
    row.agent = draw.text();
    row.model = draw.text();
    row.phase = static_cast<live::Phase>(draw.below(live::phaseCount));
    if (draw.flag())
        row.decision = static_cast<heads::Decision>(draw.below(7));
    if (draw.flag())
        row.place = static_cast<heads::Place>(draw.below(5));
    row.age = draw.ms();
    row.remaining = draw.ms();
    row.queuePlace = draw.number();
    row.held = draw.flag();
    row.refusedThen = draw.flag();
    row.lacksOpening = draw.flag();
    row.lackedOpening = draw.ms();
    for (base::Milliseconds &each : row.spent)
        each = draw.ms();
    row.attempt = static_cast<std::uint32_t>(draw.below(9));
    row.outputTokens = draw.number();
    row.bytesOut = draw.number();
    row.why = draw.text();
    return row;
}

live::HeadRow drawHead(Draw &draw)
{
    live::HeadRow row;
    row.head = draw.number();
    row.connection = base::ConnectionId{draw.number()};
    row.lane = draw.text();
    row.generation = static_cast<heads::Generation>(draw.below(3));
    row.lastMatch = static_cast<heads::MatchMode>(draw.below(3));
    row.inFlight = draw.flag();
    row.idle = draw.ms();
    row.tokensSaved = draw.number();
    return row;
}

live::Snapshot drawSnapshot(Draw &draw)
{
    live::Snapshot snapshot;
    snapshot.at = draw.time();
    snapshot.listening = draw.text();
    snapshot.upstreamState = draw.text();
    for (auto n = draw.below(5); n > 0; --n)
        snapshot.turns.push_back(drawTurn(draw));
    for (auto n = draw.below(5); n > 0; --n)
        snapshot.heads.push_back(drawHead(draw));
    for (auto n = draw.below(5); n > 0; --n) {
        live::SecondStats second;
        second.second = static_cast<std::int64_t>(draw.below(4'000'000'000));
        second.waitP95Ms = draw.real();
        second.bucketLevel = draw.real();
        second.inputTokens = draw.number();
        snapshot.seconds.push_back(second);
        snapshot.changes.push_back({draw.time(), draw.text(), draw.text(), draw.text(), "feed"});
        snapshot.records.push_back(draw.record());
        snapshot.settings[draw.text()] = {draw.text(), draw.text(), draw.flag()};
        snapshot.notices.push_back(draw.text());
        snapshot.overrides.heldSessions.push_back(draw.text());
    }
    snapshot.effectiveRetries = static_cast<int>(draw.below(11));
    snapshot.overrides.pauseAll = draw.flag();
    snapshot.totals.records = draw.number();
    snapshot.bucketLevel = draw.real();
    snapshot.waiting = static_cast<std::uint32_t>(draw.below(99));
    snapshot.door = static_cast<pacing::DoorState>(draw.below(4));
    if (draw.flag())
        snapshot.doorFor = draw.ms();
    snapshot.estimate.shape = static_cast<pacing::CeilingShape>(draw.below(4));
    snapshot.estimate.perMinute = draw.real();
    snapshot.estimate.spacing = draw.ms();
    return snapshot;
}

} // namespace

void FeedTest::everyMemberStandsUnderItsName()
{
    const QJsonObject expected = parsed(populatedText);
    QVERIFY(!expected.isEmpty());
    QCOMPARE(parsed(live::writeFeed(tests::populated())), expected);
}

void FeedTest::whatIsZeroIsLeftOut()
{
    live::Snapshot snapshot;
    snapshot.turns.emplace_back();
    snapshot.turns.front().decision = heads::Decision::Continuation; // the first word is no zero
    snapshot.doorFor = 0ms;
    QCOMPARE(parsed(live::writeFeed(snapshot)), parsed(R"({"feed":1,"kind":"snapshot",
        "turns":[{"phase":"dialling","decision":"continuation","attempt":1}],"door_for_ms":0})"));
    QCOMPARE(difference(back(snapshot), snapshot), "");
}

void FeedTest::aPopulatedSnapshotComesBack()
{
    QCOMPARE(difference(back(tests::populated()), tests::populated()), "");
}

void FeedTest::randomSnapshotsComeBack()
{
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        Draw draw(seed);
        const live::Snapshot snapshot = drawSnapshot(draw);
        const std::string differs = difference(back(snapshot), snapshot);
        QVERIFY2(differs.empty(), (differs + ", seed " + std::to_string(seed)).c_str());
    }
}

void FeedTest::recordsOfEveryKindComeBack()
{
    Draw draw(1);
    live::Snapshot snapshot;
    for (int i = 0; i < 500; ++i)
        snapshot.records.push_back(draw.record());
    const std::string came = jsonLines(back(snapshot).records);
    QVERIFY(came == jsonLines(snapshot.records));
    for (const ledger::Kind &kind : ledger::kinds())
        QVERIFY(came.find("\"kind\":\"" + std::string(kind.name) + '"') != std::string::npos);
}

void FeedTest::anAnswerComesBack()
{
    const live::FeedAnswer refused{true, "change_setting", "This setting is read at start only."};
    const live::FeedAnswer error{false, "", "the command is no JSON"};
    QCOMPARE(parsed(live::writeFeed(refused)), parsed(R"({"feed":1,"kind":"refused",
        "about":"change_setting","reason":"This setting is read at start only."})"));
    QCOMPARE(std::get<live::FeedAnswer>(live::readFeed(live::writeFeed(refused)).value()), refused);
    QCOMPARE(std::get<live::FeedAnswer>(live::readFeed(live::writeFeed(error)).value()), error);
}

void FeedTest::secretsStayOut()
{
    live::Snapshot snapshot;
    for (const char *key : {"access_key", "control_key", "upstream_key"})
        snapshot.settings[key] = {"a-very-secret-value", "file", false};
    snapshot.settings["burst"] = {"5", "file", false};
    const std::string text = live::writeFeed(snapshot);
    QVERIFY(text.find("a-very-secret-value") == std::string::npos);
    QCOMPARE(parsed(text).value(QStringLiteral("settings")).toObject().keys(),
             QStringList{QStringLiteral("burst")});
}

void FeedTest::brokenUtf8IsMended()
{
    live::Snapshot snapshot;
    snapshot.policy = "a\xff\xc3";
    snapshot.notices = {"\xe2\x82 b"};
    const live::Snapshot read = back(snapshot);
    QCOMPARE(read.policy, std::string("a\xEF\xBF\xBD\xEF\xBF\xBD"));
    QVERIFY(read.notices.front().starts_with("\xEF\xBF\xBD"));
    QVERIFY(read.notices.front().ends_with(" b"));
}

void FeedTest::numbersBeyondTheFormatBecomeTheNearest()
{
    live::Snapshot snapshot;
    snapshot.totals.records = UINT64_MAX;
    snapshot.bucketLevel = std::numeric_limits<double>::infinity();
    const live::Snapshot read = back(snapshot);
    QCOMPARE(read.totals.records, std::uint64_t{INT64_MAX});
    QCOMPARE(read.bucketLevel, 0.0);
}

QTEST_GUILESS_MAIN(FeedTest)
#include "tst_feed.moc"
