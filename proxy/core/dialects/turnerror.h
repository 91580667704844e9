// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headway::dialects {

enum class ErrorKind : std::uint8_t {
    InvalidRequest, // 400, the client's fault
    ContextOverflow, // 400, "prompt is too long: N tokens > M maximum"
    Authentication, // 401
    Billing, // 402
    Permission, // 403
    NotFound, // 404
    TooLarge, // 413
    RefusedByUs, // 429, our pacing
    Throttled, // 429, the provider's throttle
    PlanLimit, // 429, resets in hours: no quick retry
    Overloaded, // 529/503, real overload upstream
    UpstreamFailed, // 500: connection lost, broken reply, server_error
    Unreachable, // 502: no connection to the upstream, or it refuses the upgrade for no limit's
                 // sake
    Timeout, // 504: our deadlines
    Unavailable, // 503 with Retry-After: we are out of memory, connections, or draining
};

// An error in the proxy's own terms; each dialect's encoder turns it into its client's terms
// (tables 5.4 of the protocol notes). Never holds a secret.
struct TurnError
{
    ErrorKind kind = ErrorKind::UpstreamFailed;
    std::string message; // what happened and what to do
    std::string code; // upstream code, when there was one
    std::string type; // upstream type, when there was one
    std::string param; // member of the request at fault, when known
    std::optional<base::Milliseconds> retryAfter; // what the retry schedule or provider says
    std::optional<base::WallTime> resetsAt; // PlanLimit: when the plan resets
    std::optional<int> upstreamStatus;
    std::optional<std::uint64_t> tokens; // ContextOverflow
    std::optional<std::uint64_t> maximumTokens;

    friend bool operator==(const TurnError &, const TurnError &) = default;
};

[[nodiscard]] std::string_view name(ErrorKind kind);

} // namespace headway::dialects
