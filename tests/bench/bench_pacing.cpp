// SPDX-License-Identifier: GPL-3.0-or-later
// CPU time of the pacing alone (bench/contract.md): an admission decision with 10 000 waiting, a
// lab run of 200 agents over ten virtual minutes, and the decisions of a million replayed arrivals,
// reading and writing apart. Prints `name value unit` lines. `--quick`: a hundredth of it.
#include "proxy/core/base/overloaded.h"
#include "proxy/core/lab/policyrun.h"
#include "proxy/core/lab/replay.h"
#include "proxy/core/pacing/policynames.h"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>
#include <string_view>
#include <variant>

namespace {

using namespace headway;
using namespace std::chrono_literals;
using pacing::WaiterId;

double cpuUs()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

void print(const char *figure, pacing::Policy policy, double value, const char *unit)
{
    std::printf("%s_%s %.4g %s\n", figure, std::string(name(policy)).c_str(), value, unit);
}

// A queue that never empties: whoever leaves makes room for one who arrives.
class Crowd final
{
public:
    Crowd(pacing::Policy policy, std::size_t waiting)
        : m_pacer(pacing::makePacer({.policy = policy,
                                     .ratePerMinute = 600,
                                     .spacingFloor = 100ms, // without one `adaptive` never queues
                                     .ratePinned = true},
                                    m_now))
        , m_wanted(waiting)
    {
        // Nobody's time is up during the measurement, and nobody is refused for a full queue.
        m_budget.idle = 24h;
        m_budget.bound = 12h;
        m_budget.hintCap = m_budget.bound;
        for (std::size_t i = 0; i < m_wanted + 1'000 && this->waiting() < m_wanted; ++i)
            arrive();
    }

    // Departures with their arrivals: each is a decision.
    std::size_t decide(std::size_t departures)
    {
        std::size_t decisions = 0;
        for (std::size_t left = 0; left < departures;) {
            const auto next = m_pacer->nextDue();
            if (!next)
                return 0;
            m_now.steady = std::max(m_now.steady, *next);
            const auto gone = m_pacer->due(m_now);
            if (gone.empty())
                m_now.steady += 1ms; // as the event loop does
            for (const pacing::Departure &departure : gone) {
                m_pacer->settle(departure.id);
                m_pacer->opened(departure.id, m_now);
                arrive();
            }
            left += gone.size();
            decisions += 2 * gone.size();
        }
        return decisions;
    }

    [[nodiscard]] std::size_t waiting() const { return m_pacer->level(m_now).waiting; }

private:
    void arrive()
    {
        pacing::AdmissionRequest request{WaiterId{++m_arrivals}, m_budget};
        request.session = 1 + m_arrivals % 200;
        request.agent = m_arrivals % 7;
        request.interactive = m_arrivals % 5 == 0;
        request.ticketKey = m_arrivals;
        if (std::holds_alternative<pacing::Admitted>(m_pacer->request(request, m_now))) {
            m_pacer->settle(request.id);
            m_pacer->opened(request.id, m_now);
        }
    }

    base::Now m_now;
    pacing::RequestBudget m_budget;
    std::unique_ptr<pacing::Pacer> m_pacer;
    std::size_t m_wanted;
    std::uint64_t m_arrivals = 0;
};

bool measureDecision(pacing::Policy policy, std::size_t waiting, std::size_t departures)
{
    Crowd crowd(policy, waiting);
    const double from = cpuUs();
    const std::size_t decisions = crowd.decide(departures);
    const double took = cpuUs() - from;
    if (decisions == 0 || crowd.waiting() < waiting / 2) {
        std::fputs("bench_pacing: the queue did not stay full\n", stderr);
        return false;
    }
    print("decision_with_10000_waiting", policy, took / static_cast<double>(decisions), "us");
    return true;
}

void measureLab(pacing::Policy policy, std::size_t agents)
{
    lab::Scenario scenario;
    scenario.duration = 10min;
    lab::UpgradeLimit limit;
    limit.max = {120};
    scenario.provider.upgradeLimits = {limit};
    lab::SessionPlan session;
    session.agents = agents;
    session.turns = 100; // more than fit
    scenario.sessions = {session};
    const lab::RunSetup setup = [&] {
        lab::RunSetup made = lab::runSetup(scenario.settings, 1);
        made.pacer.policy = policy;
        return made;
    }();
    const double from = cpuUs();
    const auto plans = lab::planAgents(scenario, setup.seed);
    const lab::RunResult result = lab::runPolicy(scenario, plans, setup);
    print("lab_200_agents_10_min", policy, (cpuUs() - from) / 1e3, "ms");
    print("lab_turns_completed", policy, result.completed, "turns");
}

// Waves of arrivals around the rate, from 40 sessions, one in fifty cancelled while it waits.
lab::Arrivals manyArrivals(std::size_t count)
{
    lab::Arrivals input;
    input.arrivals.reserve(count);
    base::Random random(1);
    base::Nanoseconds at{0};
    for (std::size_t i = 0; i < count; ++i) {
        const bool busy = i / 500 % 2 == 0;
        at += base::Nanoseconds(static_cast<std::int64_t>(random.uniform(0, busy ? 1.2e9 : 2.6e9)));
        lab::Arrival arrival{.at = at, .session = 1 + i % 40, .agent = i % 3};
        if (i % 50 == 0)
            arrival.cancelAfter = 2s;
        input.arrivals.push_back(arrival);
    }
    return input;
}

void measureReplay(pacing::Policy policy, const lab::Arrivals &input)
{
    lab::PacingSetup setup = lab::pacingSetup(settings::Settings{});
    setup.pacer.policy = policy;
    const double from = cpuUs();
    const auto result = lab::replay(input, setup);
    print("replay_1000000_arrivals", policy, (cpuUs() - from) / 1e3, "ms");
    print("replay_admitted", policy, static_cast<double>(lab::summarize(result).admitted),
          "arrivals");
}

} // namespace

int main(int argc, char **argv)
{
    const bool quick = argc > 1 && std::string_view(argv[1]) == "--quick";
    const std::size_t share = quick ? 100 : 1;
    const lab::Arrivals arrivals = manyArrivals(1'000'000 / share);
    for (const pacing::Policy policy : pacing::policies) {
        const bool queues = policy != pacing::Policy::Off;
        if (queues && !measureDecision(policy, 10'000, 200'000 / share))
            return 1;
        measureLab(policy, quick ? 20 : 200);
        measureReplay(policy, arrivals);
    }
    return 0;
}
