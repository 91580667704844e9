// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/heads/pool.h"
#include "proxy/core/lab/arrivals.h"
#include "proxy/core/lab/measure.h"
#include "proxy/core/lab/scenario.h"
#include "proxy/core/lab/trace.h"
#include "proxy/core/lab/workload.h"
#include "proxy/core/pacing/pacer.h"

#include <cstdint>
#include <vector>

namespace headway::lab {

struct RunSetup
{
    pacing::PacerSettings pacer;
    pacing::RequestBudget budget;
    heads::PoolSettings pool;
    std::uint64_t tokenFloor = 35'000;
    std::uint64_t seed = 1;
    Trace *trace = nullptr;
    std::vector<Arrival> *arrivals = nullptr; // gets every turn that asks for a connection, once
};

// What the settings say, without a trace.
[[nodiscard]] RunSetup runSetup(const settings::Settings &settings, std::uint64_t seed);

// One run of the shipped pacer, head pool and recovery against the modelled provider and agents, as
// the engine puts them together (proxy/engine/turnplacing.cpp, turnupstream.cpp).
[[nodiscard]] RunResult runPolicy(const Scenario &scenario, const std::vector<PlannedAgent> &agents,
                                  const RunSetup &setup);

} // namespace headway::lab
