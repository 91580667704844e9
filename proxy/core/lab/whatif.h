// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/lab/arrivals.h"
#include "proxy/core/lab/replay.h"
#include "proxy/core/lab/scenario.h"

#include <vector>

namespace headway::lab {

// One replay as curves over the span: value i belongs to [i * step, (i + 1) * step).
struct ReplayCurves
{
    std::vector<double> admissionsPerSecond; // by departure
    std::vector<double> meanWaitSeconds; // of those who departed; 0 where nobody did
    std::vector<double> refusals; // by the instant of refusal
    ReplaySummary summary;
};

// The same arrivals under two settings, on the same axis: both have as many values.
struct WhatIf
{
    base::Nanoseconds step{0};
    ReplayCurves before;
    ReplayCurves after;
};

// For the window's What-if view. `step` is raised where the span would give more than 4096 values;
// at least 1 ms. The longer of the two replays sets the length.
[[nodiscard]] WhatIf whatIf(const std::vector<Arrival> &arrivals, const PacingSetup &before,
                            const PacingSetup &after, base::Nanoseconds step);

// The arrivals of a scenario's agents with nothing in their way: no pacing, no limit, no fault.
[[nodiscard]] std::vector<Arrival> arrivalsOf(Scenario scenario);

} // namespace headway::lab
