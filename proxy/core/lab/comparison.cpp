// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/lab/comparison.h"

#include "proxy/core/lab/oracle.h"
#include "proxy/core/lab/policyrun.h"
#include "proxy/core/lab/workload.h"
#include "proxy/core/pacing/policynames.h"

#include <optional>

namespace headway::lab {

Comparison compare(const Scenario &scenario, const settings::Settings &settings,
                   std::span<const pacing::Policy> policiesAsked, std::size_t seeds,
                   const Trace::Sink &traceSink)
{
    std::vector<std::vector<RunResult>> results(policiesAsked.size());
    std::vector<RunResult> oracle;
    for (std::size_t i = 0; i < seeds; ++i) {
        RunSetup setup = runSetup(settings, scenario.seed + i);
        const std::vector<PlannedAgent> agents = planAgents(scenario, setup.seed);
        for (std::size_t p = 0; p < policiesAsked.size(); ++p) {
            setup.pacer.policy = policiesAsked[p];
            std::optional<Trace> trace;
            if (traceSink)
                trace.emplace(traceSink, name(policiesAsked[p]), setup.seed);
            setup.trace = trace ? &*trace : nullptr;
            results[p].push_back(runPolicy(scenario, agents, setup));
        }
        std::optional<Trace> trace;
        if (traceSink)
            trace.emplace(traceSink, "oracle", setup.seed);
        oracle.push_back(runOracle(scenario, agents, setup.seed, trace ? &*trace : nullptr));
    }
    Comparison comparison;
    comparison.scenario = scenario.name;
    comparison.seeds = seeds;
    for (std::size_t p = 0; p < policiesAsked.size(); ++p)
        comparison.policies.emplace_back(policiesAsked[p], meanOf(results[p]));
    comparison.oracle = meanOf(oracle);
    return comparison;
}

} // namespace headway::lab
