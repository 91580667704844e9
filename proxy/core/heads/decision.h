// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace headway::heads {

// spec/heads.md section 4.
enum class Decision : std::uint8_t {
    Continuation,
    ExpectedHead,
    Fork,
    ParallelIsolated,
    HistoryMismatchNewHead,
    NewPartitionHead,
    Unpartitioned,
};

// Where the turn runs. Https: a request of its own, on a new connection or a kept one.
enum class Place : std::uint8_t { Same, Lane, Spare, Dialled, Https };

enum class Generation : std::uint8_t { Nursery, Established, Isolated };

// Exact too when the client left out what many leave out: hosted calls, messages without text.
enum class MatchMode : std::uint8_t { None, Exact, ReasoningOmitted };

enum class RescanOutcome : std::uint8_t {
    NotRun,
    Continuation,
    ParallelIsolated,
    Reinstated,
    NoChange
};

enum class EvictionReason : std::uint8_t {
    HardTtl,
    IdleTtl,
    NurseryIdleTtl,
    EstablishedLruCap,
    NurseryLruCap,
    SocketCap,
    PeerClosed,
    ProbeFailed,
    FailedTurn,
    CredentialRejected,
    Settings,
    User,
    IsolatedDone, // an isolated head whose turn is over and that is not kept
};

// Section 5: what a second scan changed. A fork goes on from a kept conversation without a new
// connection, like a continuation; so both hand the admission back.
[[nodiscard]] RescanOutcome rescanOutcome(Decision before, Decision after);

// The words of the spec, as they stand in the ledger ("continuation", "hard_ttl" …).
[[nodiscard]] std::string_view name(Decision value);
[[nodiscard]] std::string_view name(Place value);
[[nodiscard]] std::string_view name(Generation value);
[[nodiscard]] std::string_view name(MatchMode value);
[[nodiscard]] std::string_view name(RescanOutcome value);
[[nodiscard]] std::string_view name(EvictionReason value);

} // namespace headway::heads
