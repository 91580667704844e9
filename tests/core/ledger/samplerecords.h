// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/record.h"

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

// One record of every kind with a different value in every member, and one with the extremes. The
// members are named here by hand, so that a column that reads or writes the wrong one is seen.
namespace samples {

using namespace headway;

inline constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
inline constexpr base::WallTime time{
    base::Milliseconds(1'772'355'907'042)}; // 2026-03-01T09:05:07.042Z

inline ledger::Record with(ledger::Body body)
{
    return {.at = time,
            .turn = base::TurnId(0x0123456789abcdef),
            .session = "0a1b2c3d4e5f",
            .agent = "f5e4d3c2b1a0",
            .body = std::move(body)};
}

inline ledger::TurnEnded turnEnded()
{
    return {.dialect = "messages",
            .modelAsked = "claude-opus",
            .model = "gpt-large",
            .effort = "high",
            .decision = "continuation",
            .place = "same",
            .connection = 11,
            .generation = "established",
            .gateMs = 1.25,
            .queuedMs = 2.5,
            .dialledMs = 3.75,
            .firstByteMs = 4.125,
            .streamedMs = 5.5,
            .totalMs = 6.0625,
            .attempts = 12,
            .refusals = 13,
            .admission = "queued",
            .inputTokens = 14,
            .cachedTokens = 15,
            .cacheWriteTokens = 16,
            .outputTokens = 17,
            .reasoningTokens = 18,
            .expectedCachedTokens = 19,
            .bytesIn = 20,
            .bytesOut = 21,
            .stopReason = "end_turn",
            .end = "failed",
            .errorType = "overloaded_error",
            .reason = "the provider gave up"};
}

inline ledger::HeadDecided headDecided()
{
    return {.decision = "history_mismatch_new_head",
            .place = "dialled",
            .partition = "00112233aabb",
            .connection = 31,
            .candidates = 32,
            .idle = 33,
            .matching = 34,
            .matchMode = "reasoning_omitted",
            .deltaItems = 35,
            .inputItems = 36,
            .promoted = true,
            .createdConnection = false,
            .diffIndex = 0, // a number, not "none"
            .diffKind = "message",
            .expectedHash = "aaaa",
            .foundHash = "bbbb",
            .promptChanges = "tools,instructions",
            .rescanOutcome = "no_change",
            .waitedMs = 7.5,
            .isolatedBy = 37,
            .lane = "lane-3",
            .expectedTokens = 38,
            .lostReason = "nursery_lru_cap",
            .lostTokens = 39,
            .suppressedWarnings = 40};
}

inline ledger::Connection connection()
{
    return {.event = "rejected",
            .connection = 41,
            .request = 42,
            .status = 403,
            .retryAfterMs = 1500.5,
            .reason = "the provider refused",
            .closeCode = 1008,
            .ageMs = 8.5,
            .turns = 43,
            .bytesUp = 44,
            .bytesDown = 45,
            .recovery = true,
            .upstreamRequestId = "cf-ray-1",
            .lane = "lane-4",
            .detail = "going away"};
}

inline ledger::CeilingChanged ceilingChanged()
{
    return {.oldShape = "window",
            .shape = "rate",
            .oldPerMinute = 70.5,
            .perMinute = 24.75,
            .spacingMs = 2424.25,
            .oldSocketCap = 67,
            .socketCap = 68,
            .confidence = 0.75};
}

inline std::vector<ledger::Record> everyKind()
{
    using namespace ledger;
    return {with(TurnStarted{"responses", "asked", "used", "low", 51}),
            with(turnEnded()),
            with(headDecided()),
            with(Admission{"refused", 61, 9.5, 10.25, 4, "bucket", 62}),
            with(connection()),
            with(SpacingChanged{"adaptive", 1000.5, 2000.25}),
            with(ceilingChanged()),
            with(TokenBudget{"project-tokens", 63, 64, 65, 66, 12.5, true}),
            with(QuotaWindow{"spark", "7 d", 604'800'000, 41.5, time + std::chrono::hours{3}}),
            with(SettingsChanged{"window", "rate_per_min", "60", "6"}),
            with(Retry{71, "socket closed", "new_socket_full", 11.5}),
            with(Warning{"pacing.disabled:off", "pacing is off", "info"}),
            with(Process{"started", "0.1.0", 81})};
}

// The same kinds at the edge of what a member can hold.
inline std::vector<ledger::Record> extremes()
{
    using namespace ledger;
    const std::string odd("a\0b\n\r\t\"';,=\\ \xcf\x80 \xf0\x9f\x9a\x82", 22);
    TurnEnded turn;
    turn.modelAsked = odd;
    turn.reason = std::string(100'000, 'x');
    turn.inputTokens = largest;
    turn.attempts = std::numeric_limits<std::uint32_t>::max();
    turn.gateMs = std::numeric_limits<double>::max();
    turn.queuedMs = std::numeric_limits<double>::denorm_min();
    turn.totalMs = 0.1 + 0.2;
    turn.firstByteMs = 0.0; // measured, not missing
    Admission admission{"queued", largest, 0, 0, 0, "", 0};
    Record bare{.at = base::WallTime(), .turn = {}, .session = {}, .agent = {}, .body = turn};
    Record late = with(admission);
    late.turn = base::TurnId(std::numeric_limits<std::uint64_t>::max());
    return {bare,
            late,
            with(TurnStarted{}),
            with(HeadDecided{}),
            with(Connection{}),
            with(Warning{odd, odd, odd}),
            with(Process{}),
            with(CeilingChanged{}),
            with(TokenBudget{}),
            with(QuotaWindow{})};
}

} // namespace samples
