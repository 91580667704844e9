// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"

#include <concepts>
#include <string_view>
#include <type_traits>

// What the feed says of each value: one description for writing and reading. An archive is called
// with each member's name and the member. Structured bindings take all members of a value, so one
// that is added to it does not compile here until it has a name; what the text then looks like is
// held by tst_feed.
namespace headway::live {

[[nodiscard]] std::string_view name(Phase phase); // "gate", "queued" …
[[nodiscard]] std::string_view name(SignInState state); // "not_asked", "looking" …

// T or const T.
template <typename Row, typename T>
concept RowOf = std::same_as<std::remove_const_t<Row>, T>;

template <typename Archive, RowOf<TurnRow> Row>
void describe(Archive &archive, Row &row)
{
    auto &[turn, session, agent, model, dialect, phase, decision, place, age, inPhase, remaining,
           queuePlace, held, refusedThen, lacksOpening, lackedOpening, spent, attempt, outputEvents,
           outputTokens, bytesOut, why]
        = row;
    archive("turn", turn);
    archive("session", session);
    archive("agent", agent);
    archive("model", model);
    archive("dialect", dialect);
    archive("phase", phase);
    archive("decision", decision);
    archive("place", place);
    archive("age_ms", age);
    archive("in_phase_ms", inPhase);
    archive("remaining_ms", remaining);
    archive("queue_place", queuePlace);
    archive("held", held);
    archive("refused_then", refusedThen);
    archive("lacks_opening", lacksOpening);
    archive("lacked_opening_ms", lackedOpening);
    archive("spent_ms", spent);
    archive("attempt", attempt);
    archive("output_events", outputEvents);
    archive("output_tokens", outputTokens);
    archive("bytes_out", bytesOut);
    archive("why", why);
}

template <typename Archive, RowOf<HeadRow> Row>
void describe(Archive &archive, Row &row)
{
    auto &[head, connection, lane, partition, session, agent, model, generation, inFlight, pinned,
           spare, lastMatch, age, idle, turns, items, contextTokens, bytesSaved, tokensSaved]
        = row;
    archive("head", head);
    archive("connection", connection);
    archive("lane", lane);
    archive("partition", partition);
    archive("session", session);
    archive("agent", agent);
    archive("model", model);
    archive("generation", generation);
    archive("in_flight", inFlight);
    archive("pinned", pinned);
    archive("spare", spare);
    archive("last_match", lastMatch);
    archive("age_ms", age);
    archive("idle_ms", idle);
    archive("turns", turns);
    archive("items", items);
    archive("context_tokens", contextTokens);
    archive("bytes_saved", bytesSaved);
    archive("tokens_saved", tokensSaved);
}

template <typename Archive, RowOf<SecondStats> Row>
void describe(Archive &archive, Row &row)
{
    auto &[second, continued, laneOrSpare, openedAtOnce, openedAfterWait, refused, rejections,
           completed, failed, turnsRefused, waitP50, waitP95, waitMax, waits, queueLength,
           bucketLevel, inputTokens, cachedTokens, warnings]
        = row;
    archive("second", second);
    archive("continued", continued);
    archive("lane_or_spare", laneOrSpare);
    archive("opened_at_once", openedAtOnce);
    archive("opened_after_wait", openedAfterWait);
    archive("refused", refused);
    archive("rejections", rejections);
    archive("completed", completed);
    archive("failed", failed);
    archive("turns_refused", turnsRefused);
    archive("wait_p50_ms", waitP50);
    archive("wait_p95_ms", waitP95);
    archive("wait_max_ms", waitMax);
    archive("waits", waits);
    archive("queue_length", queueLength);
    archive("bucket_level", bucketLevel);
    archive("input_tokens", inputTokens);
    archive("cached_tokens", cachedTokens);
    archive("warnings", warnings);
}

template <typename Archive, RowOf<ChangeMark> Row>
void describe(Archive &archive, Row &row)
{
    auto &[at, key, oldValue, newValue, who] = row;
    archive("at", at);
    archive("key", key);
    archive("old_value", oldValue);
    archive("new_value", newValue);
    archive("who", who);
}

template <typename Archive, RowOf<Totals> Row>
void describe(Archive &archive, Row &row)
{
    auto &[started, completed, failed, refused, clientGone, continued, opened, rejections, records,
           inputTokens, cachedTokens]
        = row;
    archive("turns_started", started);
    archive("turns_completed", completed);
    archive("turns_failed", failed);
    archive("turns_refused", refused);
    archive("client_gone", clientGone);
    archive("continued", continued);
    archive("opened", opened);
    archive("rejections", rejections);
    archive("records", records);
    archive("input_tokens", inputTokens);
    archive("cached_tokens", cachedTokens);
}

template <typename Archive, RowOf<SettingValue> Row>
void describe(Archive &archive, Row &row)
{
    auto &[value, source, locked] = row;
    archive("value", value);
    archive("source", source);
    archive("locked", locked);
}

template <typename Archive, RowOf<Overrides> Row>
void describe(Archive &archive, Row &row)
{
    auto &[pauseAll, passThrough, heldSessions] = row;
    archive("pause_all", pauseAll);
    archive("pass_through", passThrough);
    archive("held_sessions", heldSessions);
}

template <typename Archive, RowOf<SignIn> Row>
void describe(Archive &archive, Row &row)
{
    auto &[state, who, plan, isOfCodex, trouble] = row;
    archive("state", state);
    archive("who", who);
    archive("plan", plan);
    archive("is_of_codex", isOfCodex);
    archive("trouble", trouble);
}

} // namespace headway::live

// Beside the value, so that archives find it.
namespace headway::pacing {

template <typename Archive, live::RowOf<CeilingEstimate> Row>
void describe(Archive &archive, Row &row)
{
    auto &[shape, perMinute, spacing, socketCap, confidence, measuredAt] = row;
    archive("shape", shape);
    archive("per_min", perMinute);
    archive("spacing_ns", spacing);
    archive("socket_cap", socketCap);
    archive("confidence", confidence);
    archive("measured_at", measuredAt);
}

template <typename Archive, live::RowOf<QuotaWindow> Row>
void describe(Archive &archive, Row &row)
{
    auto &[meter, name, length, usedPercent, resetsAt] = row;
    archive("meter", meter);
    archive("name", name);
    archive("length_s", length);
    archive("used_percent", usedPercent);
    archive("resets_at", resetsAt);
}

} // namespace headway::pacing

namespace headway::live {

template <typename Archive, RowOf<Snapshot> Row>
void describe(Archive &archive, Row &row)
{
    auto &[at, listening, upstream, upstreamState, turns, heads, seconds, changes, records,
           settings, unpaced, waitBound, ladder, hintCap, effectiveRetries, overrides,
           effectiveIdle, notices, totals, ledgerState, policy, bucketLevel, waiting, gated, door,
           doorFor, spacing, estimate, quota, signIn]
        = row;
    archive("at", at);
    archive("listening", listening);
    archive("upstream", upstream);
    archive("upstream_state", upstreamState);
    archive("turns", turns);
    archive("heads", heads);
    archive("seconds", seconds);
    archive("changes", changes);
    archive("records", records);
    archive("settings", settings);
    archive("unpaced", unpaced);
    archive("wait_bound_ms", waitBound);
    archive("ladder_ms", ladder);
    archive("hint_cap_ms", hintCap);
    archive("effective_retries", effectiveRetries);
    archive("overrides", overrides);
    archive("effective_idle_ms", effectiveIdle);
    archive("notices", notices);
    archive("totals", totals);
    archive("ledger_state", ledgerState);
    archive("policy", policy);
    archive("bucket_level", bucketLevel);
    archive("waiting", waiting);
    archive("gated", gated);
    archive("door", door);
    archive("door_for_ms", doorFor);
    archive("spacing_ms", spacing);
    archive("estimate", estimate);
    archive("quota", quota);
    archive("sign_in", signIn);
}

} // namespace headway::live
