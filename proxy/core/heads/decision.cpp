// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/decision.h"

namespace headway::heads {

RescanOutcome rescanOutcome(Decision before, Decision after)
{
    if (after == Decision::Continuation || after == Decision::Fork)
        return RescanOutcome::Continuation;
    const bool isolatedBefore = before == Decision::ParallelIsolated;
    const bool isolatedAfter = after == Decision::ParallelIsolated;
    if (isolatedBefore == isolatedAfter)
        return RescanOutcome::NoChange;
    return isolatedAfter ? RescanOutcome::ParallelIsolated : RescanOutcome::Reinstated;
}

std::string_view name(Decision value)
{
    switch (value) {
    case Decision::Continuation:
        return "continuation";
    case Decision::ExpectedHead:
        return "expected_head";
    case Decision::Fork:
        return "fork";
    case Decision::ParallelIsolated:
        return "parallel_isolated";
    case Decision::HistoryMismatchNewHead:
        return "history_mismatch_new_head";
    case Decision::NewPartitionHead:
        return "new_partition_head";
    case Decision::Unpartitioned:
        return "unpartitioned";
    }
    return {};
}

std::string_view name(Place value)
{
    switch (value) {
    case Place::Same:
        return "same";
    case Place::Lane:
        return "lane";
    case Place::Spare:
        return "spare";
    case Place::Dialled:
        return "dialled";
    case Place::Https:
        return "https";
    }
    return {};
}

std::string_view name(Generation value)
{
    switch (value) {
    case Generation::Nursery:
        return "nursery";
    case Generation::Established:
        return "established";
    case Generation::Isolated:
        return "isolated";
    }
    return {};
}

std::string_view name(MatchMode value)
{
    switch (value) {
    case MatchMode::None:
        return "none";
    case MatchMode::Exact:
        return "exact";
    case MatchMode::ReasoningOmitted:
        return "reasoning_omitted";
    }
    return {};
}

std::string_view name(RescanOutcome value)
{
    switch (value) {
    case RescanOutcome::NotRun:
        return {};
    case RescanOutcome::Continuation:
        return "continuation";
    case RescanOutcome::ParallelIsolated:
        return "parallel_isolated";
    case RescanOutcome::Reinstated:
        return "reinstated";
    case RescanOutcome::NoChange:
        return "no_change";
    }
    return {};
}

std::string_view name(EvictionReason value)
{
    switch (value) {
    case EvictionReason::HardTtl:
        return "hard_ttl";
    case EvictionReason::IdleTtl:
        return "idle_ttl";
    case EvictionReason::NurseryIdleTtl:
        return "nursery_idle_ttl";
    case EvictionReason::EstablishedLruCap:
        return "established_lru_cap";
    case EvictionReason::NurseryLruCap:
        return "nursery_lru_cap";
    case EvictionReason::SocketCap:
        return "socket_cap";
    case EvictionReason::PeerClosed:
        return "peer_closed";
    case EvictionReason::ProbeFailed:
        return "probe_failed";
    case EvictionReason::FailedTurn:
        return "failed_turn";
    case EvictionReason::CredentialRejected:
        return "credential_rejected";
    case EvictionReason::Settings:
        return "settings";
    case EvictionReason::User:
        return "user";
    case EvictionReason::IsolatedDone:
        return "isolated_done";
    }
    return {};
}

} // namespace headway::heads
