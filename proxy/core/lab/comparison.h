// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/lab/measure.h"
#include "proxy/core/lab/scenario.h"
#include "proxy/core/lab/trace.h"
#include "proxy/core/pacing/pacer.h"

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace headway::lab {

// Several policies and the oracle on the same scenario: means over the seeds.
struct Comparison
{
    std::string scenario;
    std::size_t seeds = 1;
    std::vector<std::pair<pacing::Policy, RunResult>> policies; // in the order asked for
    RunResult oracle;
};

// `settings` stand in for those of the scenario but for the policy; seeds are scenario.seed,
// scenario.seed + 1, …; every event goes to `trace` where there is one.
[[nodiscard]] Comparison compare(const Scenario &scenario, const settings::Settings &settings,
                                 std::span<const pacing::Policy> policies, std::size_t seeds,
                                 const Trace::Sink &trace = {});

[[nodiscard]] std::string comparisonJson(const Comparison &comparison); // one line
[[nodiscard]] std::string comparisonTable(const Comparison &comparison); // for a terminal

// cost + 0.5, its geometric mean over the scenarios, and that mean's ratio to the oracle's
// (spec/pacing.md section 7), as a table in Markdown: a row per scenario, a column per policy.
[[nodiscard]] std::string comparisonMarkdown(std::span<const Comparison> comparisons);

} // namespace headway::lab
