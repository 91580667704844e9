// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/lab/whatif.h"

#include "proxy/core/lab/policyrun.h"
#include "proxy/core/lab/workload.h"

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace headway::lab {

namespace {

constexpr std::size_t mostValues = 4'096;

base::Nanoseconds lastInstant(const std::vector<ReplayedArrival> &arrivals)
{
    base::Nanoseconds last{0};
    for (const ReplayedArrival &arrival : arrivals)
        last = std::max(last, arrival.at);
    return last;
}

ReplayCurves curvesOf(const std::vector<ReplayedArrival> &arrivals, base::Nanoseconds step,
                      std::size_t values)
{
    ReplayCurves curves;
    curves.admissionsPerSecond.resize(values);
    curves.meanWaitSeconds.resize(values);
    curves.refusals.resize(values);
    std::vector<double> admitted(values);
    for (const ReplayedArrival &arrival : arrivals) {
        const auto i = static_cast<std::size_t>(arrival.at / step);
        if (arrival.outcome == Outcome::Refused)
            curves.refusals[i] += 1;
        if (arrival.outcome != Outcome::Admitted)
            continue;
        admitted[i] += 1;
        curves.meanWaitSeconds[i] += std::chrono::duration<double>(arrival.wait).count();
    }
    const double stepSeconds = std::chrono::duration<double>(step).count();
    for (std::size_t i = 0; i < values; ++i) {
        curves.admissionsPerSecond[i] = admitted[i] / stepSeconds;
        if (admitted[i] > 0)
            curves.meanWaitSeconds[i] /= admitted[i];
    }
    curves.summary = summarize(arrivals);
    return curves;
}

} // namespace

WhatIf whatIf(const std::vector<Arrival> &arrivals, const PacingSetup &before,
              const PacingSetup &after, base::Nanoseconds step)
{
    const Arrivals input{arrivals, {}, {}};
    const auto replayedBefore = replay(input, before);
    const auto replayedAfter = replay(input, after);
    const base::Nanoseconds span
        = std::max(lastInstant(replayedBefore), lastInstant(replayedAfter));
    WhatIf result;
    result.step = std::max<base::Nanoseconds>(
        {step, base::Milliseconds{1},
         span / static_cast<std::int64_t>(mostValues) + base::Nanoseconds{1}});
    const auto values = static_cast<std::size_t>(span / result.step) + 1;
    result.before = curvesOf(replayedBefore, result.step, values);
    result.after = curvesOf(replayedAfter, result.step, values);
    return result;
}

std::vector<Arrival> arrivalsOf(Scenario scenario)
{
    scenario.provider.upgradeLimits.clear();
    scenario.provider.outages.clear();
    scenario.provider.tokensPerMinute.reset();
    RunSetup setup = runSetup(scenario.settings, scenario.seed);
    setup.pacer.policy = pacing::Policy::Off;
    std::vector<Arrival> arrivals;
    setup.arrivals = &arrivals;
    (void)runPolicy(scenario, planAgents(scenario, setup.seed), setup);
    return arrivals;
}

} // namespace headway::lab
