// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/random.h"
#include "proxy/core/pacing/backoff.h"
#include "proxy/core/pacing/pacer.h"
#include "tests/core/pacing/providermodel.h"

#include <queue>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace headway::pacing::test {

struct Workload
{
    int agents = 50;
    int sessions = 1;
    int turns = 12;
    double startFrom = 0, startTo = 2;
    double thinkFrom = 0.5, thinkTo = 4;
    double turnFrom = 2, turnTo = 15;
    double newRatio = 0.43;
    double duration = 900;
    int clientRetries = 10;
};

struct Outcome
{
    int offered = 0, completed = 0, lost = 0, rejections = 0, opened = 0, toClient = 0;
    double wait = 0;
    [[nodiscard]] double cost() const
    {
        return (wait + 60.0 * (offered - completed) + 2.0 * rejections) / offered;
    }
};

// Agents, a provider and a pacer (or, without one, an oracle that asks the provider's limits) on a
// virtual clock.
class Arena
{
public:
    Arena(const Limits &limits, const Workload &work, std::optional<Policy> policy,
          std::uint64_t seed)
        : m_limits(limits)
        , m_work(work)
        , m_provider(limits, seed * 7 + 1)
        , m_random(seed * 31 + 5)
        , m_oracle(!policy)
    {
        PacerSettings settings;
        settings.policy = policy.value_or(Policy::Off);
        m_pacer = makePacer(settings, now(), seed);
        m_agents.resize(static_cast<std::size_t>(work.agents));
        for (std::size_t i = 0; i < m_agents.size(); ++i)
            at(m_random.uniform(work.startFrom, work.startTo), [this, i] { startTurn(i); });
    }

    Outcome run()
    {
        m_outcome.offered = m_work.agents * m_work.turns;
        while (m_time < m_work.duration) {
            double next = m_events.empty() ? m_work.duration : m_events.top().at;
            if (const auto due = m_pacer->nextDue())
                next = std::min(next, std::max(m_time, seconds(*due)));
            if (m_oracle && !m_waiting.empty())
                next = std::min(next, m_time + 0.02);
            m_time = std::min(next, m_work.duration);
            if (m_time >= m_work.duration)
                break;
            while (!m_events.empty() && m_events.top().at <= m_time) {
                const auto action = m_events.top().action;
                m_events.pop();
                action();
            }
            pump();
        }
        return m_outcome;
    }

    [[nodiscard]] Pacer &pacer() { return *m_pacer; }
    [[nodiscard]] base::Now nowP() const { return now(); }
    std::function<void(double, bool, std::size_t)> onAnswer;

private:
    struct Agent
    {
        int done = 0;
        bool hasHead = false;
        double head = -1; // idle since, when it has one
        double asked = 0; // first request of the turn
        double deadline = 0; // idle deadline of this client request
        int inner = 0;
        int outer = 0;
        std::uint64_t waiter = 0;
        bool dialling = false;
    };
    struct Event
    {
        double at;
        std::uint64_t order;
        std::function<void()> action;
        bool operator<(const Event &other) const
        {
            return at != other.at ? at > other.at : order > other.order;
        }
    };

    [[nodiscard]] base::Now now() const
    {
        const auto ns = base::Nanoseconds(std::llround(m_time * 1e9));
        return {base::SteadyTime(std::chrono::hours(1'000)) + ns,
                base::WallTime(std::chrono::floor<base::Milliseconds>(ns))};
    }
    static double seconds(base::SteadyTime time)
    {
        // Rounded up, as a timer fires: never before the instant asked for.
        return static_cast<double>((time - base::SteadyTime(std::chrono::hours(1'000))).count())
            / 1e9
            + 1e-7;
    }
    [[nodiscard]] base::SteadyTime steady(double t) const
    {
        return base::SteadyTime(std::chrono::hours(1'000))
            + base::Nanoseconds(std::llround(t * 1e9));
    }
    void at(double t, std::function<void()> action)
    {
        m_events.push({t, ++m_order, std::move(action)});
    }

    void startTurn(std::size_t i)
    {
        Agent &agent = m_agents[i];
        if (agent.done >= m_work.turns)
            return;
        agent.asked = m_time;
        agent.outer = 0;
        const bool fresh = m_random.uniform(0, 1) < m_work.newRatio;
        if (agent.hasHead && !fresh) {
            std::erase(m_idle, std::pair(agent.head, i));
            levels();
            serve(i, true);
            return;
        }
        agent.hasHead = false; // an old head stays idle in the pool until it is shed or expires
        clientRequest(i);
    }

    void clientRequest(std::size_t i)
    {
        m_agents[i].deadline = m_time + 120;
        m_agents[i].inner = 0;
        ask(i);
    }

    void ask(std::size_t i)
    {
        Agent &agent = m_agents[i];
        if (m_oracle) {
            m_waiting.push_back(i);
            return;
        }
        agent.waiter = ++m_ids;
        m_owner[agent.waiter] = i;
        AdmissionRequest request{.id = WaiterId(agent.waiter), .budget = {}};
        request.session = 1 + i % static_cast<std::size_t>(m_work.sessions);
        request.agent = i + 1;
        request.idleDeadline = steady(agent.deadline);
        request.ticketKey = i * 1'000 + static_cast<std::size_t>(agent.done) + 1;
        decided(i, m_pacer->request(request, now()));
    }

    void decided(std::size_t i, const AdmissionDecision &decision)
    {
        if (const auto *admitted = std::get_if<Admitted>(&decision))
            dial(i, *admitted);
        else if (const auto *refused = std::get_if<Refused>(&decision))
            sentBack(i, *refused);
    }

    void pump()
    {
        for (const Departure &departure : m_pacer->due(now())) {
            const std::size_t i = m_owner.at(departure.id.value());
            if (const auto *admitted = std::get_if<Admitted>(&departure.outcome))
                dial(i, *admitted);
            else
                sentBack(i, std::get<Refused>(departure.outcome));
        }
        while (m_oracle && !m_waiting.empty()) {
            if (m_limits.socketMax > 0 && m_open + m_dialling >= m_limits.socketMax)
                shed(m_limits.socketMax - 1 - m_dialling);
            if (!m_provider.wouldPass(m_time, m_open + m_dialling))
                break;
            const std::size_t i = m_waiting.front();
            m_waiting.pop_front();
            dial(i, {});
        }
    }

    void shed(std::size_t to)
    {
        while (m_open > to && !m_idle.empty()) {
            const auto oldest = std::min_element(m_idle.begin(), m_idle.end());
            Agent &owner = m_agents[oldest->second];
            if (owner.hasHead && owner.head == oldest->first)
                owner.hasHead = false;
            m_idle.erase(oldest);
            --m_open;
        }
        levels();
    }

    void dial(std::size_t i, const Admitted &admitted)
    {
        if (admitted.shedTo)
            shed(*admitted.shedTo);
        Agent &agent = m_agents[i];
        m_pacer->settle(WaiterId(agent.waiter));
        const double began = m_time;
        const bool passes = m_provider.upgrade(m_time, m_open + m_dialling);
        ++m_dialling;
        at(m_time + m_random.uniform(0.08, 0.25), [this, i, passes, began] {
            --m_dialling;
            if (onAnswer)
                onAnswer(m_time, passes, m_open);
            passes ? opened(i, began) : rejected(i);
        });
    }

    void opened(std::size_t i, double began)
    {
        Agent &agent = m_agents[i];
        ++m_outcome.opened;
        ++m_open;
        m_pacer->opened(WaiterId(agent.waiter), now());
        levels();
        m_outcome.wait += began - agent.asked;
        serve(i, false);
    }

    void serve(std::size_t i, bool)
    {
        at(m_time + m_random.uniform(m_work.turnFrom, m_work.turnTo), [this, i] {
            Agent &agent = m_agents[i];
            ++m_outcome.completed;
            agent.hasHead = true;
            agent.head = m_time + 1e-9 * static_cast<double>(i);
            const std::pair idle(agent.head, i);
            m_idle.push_back(idle);
            at(m_time + 300, [this, idle] { expire(idle); });
            levels();
            next(i);
        });
    }

    void expire(const std::pair<double, std::size_t> &idle)
    {
        if (std::erase(m_idle, idle) == 0)
            return;
        --m_open;
        Agent &owner = m_agents[idle.second];
        if (owner.hasHead && owner.head == idle.first)
            owner.hasHead = false;
        levels();
    }

    void next(std::size_t i)
    {
        ++m_agents[i].done;
        at(m_time + m_random.uniform(m_work.thinkFrom, m_work.thinkTo),
           [this, i] { startTurn(i); });
    }

    void rejected(std::size_t i)
    {
        Agent &agent = m_agents[i];
        ++m_outcome.rejections;
        if (m_oracle) {
            m_waiting.push_front(i);
            return;
        }
        Rejection rejection{429, std::nullopt};
        if (m_limits.retryAfter > 0)
            rejection.retryAfter = base::Milliseconds(std::llround(m_limits.retryAfter * 1'000));
        if (const auto decision = m_pacer->rejected(WaiterId(agent.waiter), rejection, now())) {
            decided(i, *decision);
            return;
        }
        const double stated = m_limits.retryAfter;
        innerRetry(i, stated);
    }

    void innerRetry(std::size_t i, double stated)
    {
        Agent &agent = m_agents[i];
        if (++agent.inner > 5) {
            toClient(i, stated);
            return;
        }
        const double delay = stated > 0
            ? stated
            : static_cast<double>(retryDelay(agent.inner, m_random).count()) / 1'000;
        if (m_time + delay + 5.833 > agent.deadline)
            toClient(i, stated);
        else
            at(m_time + delay, [this, i] { ask(i); });
    }

    void sentBack(std::size_t i, const Refused &refused)
    {
        const double hint = static_cast<double>(refused.hint.count());
        refused.final ? toClient(i, hint) : innerRetry(i, hint);
    }

    void toClient(std::size_t i, double retryAfter)
    {
        Agent &agent = m_agents[i];
        ++m_outcome.toClient;
        if (agent.outer >= m_work.clientRetries) {
            ++m_outcome.lost;
            next(i);
            return;
        }
        const double backoff = std::min(0.5 * std::pow(2.0, agent.outer), 32.0);
        ++agent.outer;
        at(m_time + std::max(retryAfter, backoff) * m_random.uniform(1, 1.25),
           [this, i] { clientRequest(i); });
    }

    void levels() { m_pacer->socketsChanged({m_open, m_idle.size()}, now()); }

    Limits m_limits;
    Workload m_work;
    ProviderModel m_provider;
    base::Random m_random;
    bool m_oracle;
    double m_time = 0;
    std::uint64_t m_order = 0;
    std::uint64_t m_ids = 0;
    std::size_t m_open = 0;
    std::size_t m_dialling = 0;
    std::vector<Agent> m_agents;
    std::vector<std::pair<double, std::size_t>> m_idle;
    std::map<std::uint64_t, std::size_t> m_owner;
    std::deque<std::size_t> m_waiting;
    std::priority_queue<Event> m_events;
    std::unique_ptr<Pacer> m_pacer;
    Outcome m_outcome;
};

} // namespace headway::pacing::test
