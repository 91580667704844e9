// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/ids.h"
#include "proxy/core/base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace headway::ledger {

// Plain values of spec/ledger.md. Enumerations stand as the spec's words; session and agent as 12
// hex digits of an HMAC; never conversation text. Durations in milliseconds.
using Ms = double;

struct TurnStarted
{
    std::string dialect;
    std::string modelAsked;
    std::string model;
    std::string effort;
    std::uint64_t bytesIn = 0;
};

struct TurnEnded
{
    std::string dialect;
    std::string modelAsked;
    std::string model;
    std::string effort;
    std::string decision;
    std::string place; // same, lane, spare, dialled, https
    std::uint64_t connection = 0;
    std::string generation;
    Ms gateMs = 0;
    Ms queuedMs = 0;
    Ms dialledMs = 0; // time spent opening connections
    std::optional<Ms> firstByteMs; // from the last send to the first model event
    std::optional<Ms> streamedMs; // first output to end
    Ms totalMs = 0;
    std::uint32_t attempts = 0;
    std::uint32_t refusals = 0;
    std::string admission; // none, at_once, queued, refused
    std::uint64_t inputTokens = 0;
    std::uint64_t cachedTokens = 0;
    std::uint64_t cacheWriteTokens = 0;
    std::uint64_t outputTokens = 0;
    std::uint64_t reasoningTokens = 0;
    std::uint64_t expectedCachedTokens = 0;
    std::uint64_t bytesIn = 0;
    std::uint64_t bytesOut = 0;
    std::string stopReason;
    std::string end; // completed, client_gone, refused, failed, process_died
    std::string errorType; // when failed or refused
    std::string reason; // plain words
};

struct HeadDecided
{
    std::string decision;
    std::string place;
    std::string partition; // 12 hex
    std::uint64_t connection = 0;
    std::uint64_t candidates = 0;
    std::uint64_t idle = 0;
    std::uint64_t matching = 0;
    std::string matchMode;
    std::uint64_t deltaItems = 0;
    std::uint64_t inputItems = 0;
    bool promoted = false;
    bool createdConnection = false;
    std::optional<std::uint64_t> diffIndex;
    std::string diffKind;
    std::string expectedHash; // keyed
    std::string foundHash;
    std::string promptChanges; // comma separated
    std::string rescanOutcome; // only when it ran
    Ms waitedMs = 0;
    std::uint64_t isolatedBy = 0;
    std::string lane; // stream_id; empty: the connection's default lane
    std::uint64_t expectedTokens = 0; // what continuing saves: of the head, or the one waited for
    std::string lostReason; // a head that would have been continued had gone, for this reason
    std::uint64_t lostTokens = 0; // of it
    std::uint64_t suppressedWarnings = 0; // raised on arrival, dropped because nothing was lost
};

struct Admission
{
    std::string outcome; // admitted, queued, refused, cancelled, returned, process_died
    std::uint64_t request = 0; // one admission request; every one ends exactly once
    Ms waitedMs = 0;
    Ms requiredMs = 0;
    std::optional<std::uint64_t> hintS;
    std::string policy;
    std::uint64_t place = 0; // queue place on arrival; 0 = did not queue
};

struct Connection
{
    std::string event; // dialled, opened, rejected, failed, closed, evicted, abandoned
    std::uint64_t connection = 0;
    std::uint64_t request = 0; // the admission it was dialled on; 0 = recovery or none
    std::optional<std::uint64_t> status;
    std::optional<Ms> retryAfterMs;
    std::string reason;
    std::optional<std::uint64_t> closeCode;
    Ms ageMs = 0;
    std::uint64_t turns = 0;
    std::uint64_t bytesUp = 0;
    std::uint64_t bytesDown = 0;
    bool recovery = false;
    std::string upstreamRequestId; // cf-ray or x-request-id of a rejection
    std::string lane; // of one lane, while the connection stays
    std::string detail; // of `closed`: the peer's own words, or the system's
};

// What the pacer keeps between two openings, as it changes; 0: not spaced.
struct SpacingChanged
{
    std::string policy;
    Ms oldMs = 0;
    Ms newMs = 0;
};

// What policy `auto` has learned, as it changes: an estimate, never the provider's word.
struct CeilingChanged
{
    std::string oldShape; // unknown, window, rate, cap
    std::string shape;
    std::optional<double> oldPerMinute; // openings in any 60 s
    std::optional<double> perMinute;
    std::optional<Ms> spacingMs; // shape rate
    std::optional<std::uint64_t> oldSocketCap; // open sockets
    std::optional<std::uint64_t> socketCap;
    double confidence = 0; // 0 to 1
};

// One header family of the provider's token budget.
struct TokenBudget
{
    std::string family; // tokens, requests, project-tokens
    std::optional<std::uint64_t> limit;
    std::uint64_t remaining = 0; // as last read
    std::uint64_t left = 0; // less what was sent since
    std::uint64_t floor = 0; // under it calls wait for the reset
    std::optional<Ms> resetMs; // until it resets
    bool holding = false; // calls wait now
};

// One allowance of the account, as the provider told it.
struct QuotaWindow
{
    std::string meter; // "codex", or another limit's id
    std::string window; // by its length: "5 h", "7 d"
    Ms lengthMs = 0;
    double usedPercent = 0;
    std::optional<base::WallTime> resetsAt;
};

struct SettingsChanged
{
    std::string who; // window, feed, file, command_line, environment
    std::string key;
    std::string oldValue;
    std::string newValue;
};

struct Retry
{
    std::uint64_t attempt = 0; // the one that failed, from 1
    std::string cause;
    std::string action; // same_socket_full, new_socket_full, backoff …
    Ms delayMs = 0;
};

struct Warning
{
    std::string key;
    std::string text;
    std::string severity = {}; // info: as it should be, and worth knowing; nothing: a warning
};

struct Process
{
    std::string event; // started, stopped
    std::string version;
    std::uint64_t pid = 0;
};

using Body = std::variant<TurnStarted, TurnEnded, HeadDecided, Admission, Connection,
                          SpacingChanged, CeilingChanged, TokenBudget, QuotaWindow, SettingsChanged,
                          Retry, Warning, Process>;

struct Record
{
    base::WallTime at;
    base::TurnId turn; // zero: none
    std::string session;
    std::string agent;
    Body body;
};

} // namespace headway::ledger
