// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/lab/workload.h"

#include <algorithm>
#include <cmath>

namespace headway::lab {

namespace {

// Field measurements (spec/heads.md, introduction).
constexpr NumberRange cachedOnSameSocket{0.85, 0.86};
constexpr NumberRange cachedOnNewSocket{0.0, 0.4};

PlannedTurn planTurn(const Scenario &scenario, const SessionPlan &session, bool first,
                     base::Random random)
{
    PlannedTurn turn;
    const base::Nanoseconds think = draw(random, session.think);
    turn.think = first ? base::Nanoseconds{0} : think;
    turn.length = draw(random, scenario.provider.turn);
    turn.firstToken = std::min(draw(random, scenario.provider.firstToken), turn.length);
    const double coin = random.uniform(0, 1);
    turn.fresh = first || (session.newRatio && coin < *session.newRatio);
    turn.inputTokens
        = std::floor(random.uniform(session.inputTokens.low, session.inputTokens.high));
    turn.cachedWhenContinued = random.uniform(cachedOnSameSocket.low, cachedOnSameSocket.high);
    turn.cachedWhenNew = random.uniform(cachedOnNewSocket.low, cachedOnNewSocket.high);
    turn.random = random;
    return turn;
}

} // namespace

base::Random randomFor(std::uint64_t seed, Chance chance, std::uint64_t a, std::uint64_t b)
{
    std::uint64_t state = base::Random(seed).next();
    for (const std::uint64_t part : {static_cast<std::uint64_t>(chance), a, b})
        state = base::Random(state ^ (part + 1)).next();
    return base::Random(state);
}

base::Nanoseconds draw(base::Random &random, const DurationRange &range)
{
    const auto low = static_cast<double>(range.low.count());
    const auto high = static_cast<double>(range.high.count());
    return base::Nanoseconds(static_cast<std::int64_t>(random.uniform(low, high)));
}

std::vector<PlannedAgent> planAgents(const Scenario &scenario, std::uint64_t seed)
{
    std::vector<PlannedAgent> agents;
    for (std::size_t s = 0; s < scenario.sessions.size(); ++s) {
        const SessionPlan &session = scenario.sessions[s];
        for (std::size_t i = 0; i < session.agents; ++i) {
            const std::uint64_t number = agents.size();
            base::Random random = randomFor(seed, Chance::Agent, number);
            PlannedAgent agent;
            agent.session = s;
            agent.indexInSession = i;
            agent.interactive = session.interactive && i == 0;
            agent.start = draw(random, session.start);
            agent.turns.reserve(session.turns);
            for (std::size_t t = 0; t < session.turns; ++t) {
                agent.turns.push_back(
                    planTurn(scenario, session, t == 0, randomFor(seed, Chance::Turn, number, t)));
            }
            agents.push_back(std::move(agent));
        }
    }
    return agents;
}

} // namespace headway::lab
