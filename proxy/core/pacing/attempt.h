// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/core/pacing/admission.h"
#include "proxy/core/pacing/bucketrules.h"

#include <algorithm>
#include <cstdint>

namespace headway::pacing {

// One attempt in a queue: what a policy must know of it, and what the next policy is given when
// the user changes the policy while it waits (spec/pacing.md section 8).
struct Attempt
{
    WaiterId id;
    base::SteadyTime arrivedAt;
    WaitBudget budget;
    base::Milliseconds idle{0};
    base::SteadyTime idleDeadline; // never later than arrivedAt + idle
    std::uint64_t session = 0;
    std::uint64_t agent = 0;
    std::uint64_t ticketKey = 0;
    bool interactive = false;
};

[[nodiscard]] inline Attempt attemptOf(const AdmissionRequest &request, base::SteadyTime now)
{
    return {.id = request.id,
            .arrivedAt = now,
            .budget = waitBudget(request.budget),
            .idle = request.budget.idle,
            .idleDeadline = std::min(request.idleDeadline, now + request.budget.idle),
            .session = request.session,
            .agent = request.agent,
            .ticketKey = request.ticketKey,
            .interactive = request.interactive};
}

} // namespace headway::pacing
