// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/lab/measure.h"

#include <array>
#include <string_view>

namespace headway::lab {

// The figures of a run with their names and the decimals that mean something, in the order they are
// printed in (spec/lab.md). Means over several runs and all output are derived from it.
struct ResultField
{
    std::string_view name;
    double RunResult::*member;
    int decimals;
};

inline constexpr std::array resultFields{
    ResultField{"offered", &RunResult::offered, 1},
    ResultField{"completed", &RunResult::completed, 1},
    ResultField{"lost", &RunResult::lost, 1},
    ResultField{"refusals", &RunResult::refusals, 1},
    ResultField{"refused_to_client", &RunResult::refusedToClient, 1},
    ResultField{"rejections", &RunResult::rejections, 1},
    ResultField{"opened", &RunResult::opened, 1},
    ResultField{"wait_p50_s", &RunResult::waitP50, 3},
    ResultField{"wait_p95_s", &RunResult::waitP95, 3},
    ResultField{"wait_max_s", &RunResult::waitMax, 3},
    ResultField{"turn_p50_s", &RunResult::turnP50, 3},
    ResultField{"turn_p95_s", &RunResult::turnP95, 3},
    ResultField{"max_openings_per_min", &RunResult::maxOpeningsPerMinute, 1},
    ResultField{"finish_s", &RunResult::finish, 3},
    ResultField{"reuse_ratio", &RunResult::reuseRatio, 4},
    ResultField{"cached_ratio", &RunResult::cachedRatio, 4},
    ResultField{"cost", &RunResult::cost, 4},
};

} // namespace headway::lab
