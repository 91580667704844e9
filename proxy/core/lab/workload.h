// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/random.h"
#include "proxy/core/base/time.h"
#include "proxy/core/lab/scenario.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headway::lab {

// A generator of its own for each use of chance, so that what one part draws does not move what
// another one gets.
enum class Chance : std::uint64_t {
    Agent = 1,
    Turn,
    Provider,
    Others,
    Proxy,
    Pool,
    Pacer,
    Schedule,
    Gate
};
[[nodiscard]] base::Random randomFor(std::uint64_t seed, Chance chance, std::uint64_t a = 0,
                                     std::uint64_t b = 0);

[[nodiscard]] base::Nanoseconds draw(base::Random &random, const DurationRange &range);

// What one turn will be like, whoever paces it.
struct PlannedTurn
{
    base::Nanoseconds think{0}; // after the turn before it; zero for the first
    base::Nanoseconds firstToken{0}; // after it was sent
    base::Nanoseconds length{0}; // from being sent to its end
    bool fresh = true; // begins another conversation: cannot continue a head
    double inputTokens = 0;
    double cachedWhenContinued = 0; // share of the input
    double cachedWhenNew = 0;
    base::Random random{0}; // of its client and its dials
};

struct PlannedAgent
{
    std::size_t session = 0;
    std::size_t indexInSession = 0; // 0: the main agent
    bool interactive = false;
    base::Nanoseconds start{0};
    std::vector<PlannedTurn> turns;
};

// All that chance decides about the agents: the same for every policy and for the oracle, so that
// a difference between two of them is their own.
[[nodiscard]] std::vector<PlannedAgent> planAgents(const Scenario &scenario, std::uint64_t seed);

} // namespace headway::lab
