// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/lab/measure.h"
#include "proxy/core/lab/scenario.h"
#include "proxy/core/lab/trace.h"
#include "proxy/core/lab/workload.h"

#include <cstdint>
#include <vector>

namespace headway::lab {

// The yardstick (spec/lab.md): a greedy scheduler that knows the limits and the outage times, not
// the random draws. It serves first come, first served, dials the moment nothing is certain to
// reject, closes its oldest idle sockets where they are in the way, sends a turn when its tokens
// are there, and dials again at once where chance turned it away. It shares nothing with what
// paces.
[[nodiscard]] RunResult runOracle(const Scenario &scenario, const std::vector<PlannedAgent> &agents,
                                  std::uint64_t seed, Trace *trace = nullptr);

} // namespace headway::lab
