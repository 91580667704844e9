// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/pacing/pacer.h"
#include "proxy/core/pacing/planlimit.h"
#include "proxy/core/pacing/quota.h"
#include "proxy/core/pacing/rejectionschedule.h"
#include "proxy/core/pacing/tokenbudget.h"

#include <cstddef>

namespace headway::engine {

// What the provider said about this endpoint and account that holds for every turn, whatever the
// pacer's policy (spec/pacing.md sections 5 and 6).
struct Throttles
{
    pacing::RejectionSchedule schedule;
    pacing::TokenBudget tokens;
    pacing::PlanLimit plan;
    pacing::Quota quota; // shown only
    std::size_t gated = 0; // turns that wait in front of an upstream call
};

} // namespace headway::engine
