// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/lab/oracle.h"

#include "proxy/core/lab/clock.h"
#include "proxy/core/lab/eventqueue.h"
#include "proxy/core/lab/provider.h"

#include <cstddef>
#include <deque>
#include <set>
#include <utility>

namespace headway::lab {

namespace {

class Oracle final
{
public:
    Oracle(const Scenario &scenario, const std::vector<PlannedAgent> &agents, std::uint64_t seed,
           Trace *trace)
        : m_scenario(scenario)
        , m_provider(scenario.provider, seed)
        , m_trace(trace)
    {
        m_agents.reserve(agents.size());
        for (const PlannedAgent &plan : agents) {
            m_events.add(startOfRun + plan.start, {Kind::Request, m_agents.size()});
            m_agents.push_back({&plan});
        }
    }

    RunResult run()
    {
        const base::SteadyTime end = startOfRun + m_scenario.duration;
        while (!m_events.empty() && m_events.nextAt() <= end) {
            m_clock = m_events.nextAt();
            handle(m_events.take());
        }
        return m_measure.result(m_scenario.offered(), m_scenario.duration);
    }

private:
    enum class Kind : std::uint8_t { Request, Tokens, Door, Answer, End };
    struct Event
    {
        Kind kind;
        std::size_t agent;
    };
    struct Agent
    {
        const PlannedAgent *plan;
        std::size_t turn = 0;
        base::SteadyTime firstRequest{};
        base::SteadyTime placedAt{};
        base::Random random{0};
        bool hasSocket = false; // one that holds the conversation
        base::SteadyTime openedAt{};
        std::size_t socket = 0;
        bool continued = false;
        bool accepted = false; // answer to the upgrade under way
    };
    using InOrder = std::set<std::pair<base::SteadyTime, std::size_t>>;

    static const PlannedTurn &turnOf(const Agent &agent) { return agent.plan->turns[agent.turn]; }

    void handle(const Event &event)
    {
        switch (event.kind) {
        case Kind::Request:
            begin(event.agent);
            break;
        case Kind::Tokens:
            serveTokens();
            break;
        case Kind::Door:
            m_doorPlanned = base::SteadyTime::max();
            serveDoor();
            break;
        case Kind::Answer:
            answered(event.agent);
            break;
        case Kind::End:
            ended(event.agent);
            break;
        }
    }

    void begin(std::size_t number)
    {
        Agent &agent = m_agents[number];
        agent.firstRequest = m_clock;
        agent.random = turnOf(agent).random;
        trace("requested", number);
        m_tokenQueue.push_back(number);
        if (m_tokenQueue.size() == 1)
            serveTokens();
    }

    // Whoever is first takes its tokens when they are there, then looks for its socket.
    void serveTokens()
    {
        while (!m_tokenQueue.empty()) {
            const std::size_t number = m_tokenQueue.front();
            const double tokens = turnOf(m_agents[number]).inputTokens;
            const base::SteadyTime when = m_provider.earliestSend(tokens, m_clock);
            if (when > m_clock) {
                m_events.add(when, {Kind::Tokens, number});
                return;
            }
            (void)m_provider.send(tokens, m_clock);
            m_tokenQueue.pop_front();
            place(number);
        }
    }

    void place(std::size_t number)
    {
        Agent &agent = m_agents[number];
        const bool tooOld = m_clock - agent.openedAt >= m_scenario.provider.connectionMaxAge;
        agent.continued = agent.hasSocket && !turnOf(agent).fresh && !tooOld;
        if (agent.continued) {
            m_idle.erase({m_idleSince[agent.socket], agent.socket});
            agent.placedAt = m_clock;
            trace("continued", number);
            stream(number);
            return;
        }
        if (agent.hasSocket && tooOld)
            closeIdle(agent.socket);
        m_door.emplace(agent.firstRequest, number);
        serveDoor();
    }

    void serveDoor()
    {
        while (!m_door.empty()) {
            const auto when = m_provider.earliestUpgrade(m_clock);
            if (!when)
                return;
            if (*when > m_clock) {
                if (*when < m_doorPlanned) {
                    m_doorPlanned = *when;
                    m_events.add(*when, {Kind::Door, 0});
                }
                return;
            }
            const std::size_t inTheWay = m_provider.socketsInTheWay(m_clock);
            if (inTheWay > m_idle.size())
                return; // the end of a turn brings us back
            for (std::size_t i = 0; i < inTheWay; ++i)
                closeIdle(m_idle.begin()->second);
            const std::size_t number = m_door.begin()->second;
            m_door.erase(m_door.begin());
            dial(number);
        }
    }

    void dial(std::size_t number)
    {
        Agent &agent = m_agents[number];
        agent.accepted = m_provider.upgrade(m_clock).accepted;
        if (agent.accepted)
            m_measure.opened(m_clock);
        else
            m_measure.rejected();
        agent.placedAt = m_clock;
        trace("dialled", number);
        m_events.add(m_clock + draw(agent.random, m_scenario.provider.connect),
                     {Kind::Answer, number});
    }

    void answered(std::size_t number)
    {
        Agent &agent = m_agents[number];
        trace(agent.accepted ? "opened" : "rejected", number);
        if (!agent.accepted) {
            m_door.emplace(agent.firstRequest, number);
            serveDoor();
            return;
        }
        agent.hasSocket = true;
        agent.openedAt = m_clock;
        agent.socket = m_idleSince.size();
        m_idleSince.push_back(m_clock);
        m_ownerOf.push_back(number);
        stream(number);
    }

    void stream(std::size_t number)
    {
        m_events.add(m_clock + turnOf(m_agents[number]).length, {Kind::End, number});
    }

    void ended(std::size_t number)
    {
        Agent &agent = m_agents[number];
        const PlannedTurn &planned = turnOf(agent);
        CompletedTurn turn;
        turn.wait = agent.placedAt - agent.firstRequest;
        turn.length = m_clock - agent.firstRequest;
        turn.continued = agent.continued;
        turn.inputTokens = planned.inputTokens;
        turn.cachedTokens = planned.inputTokens
            * (agent.continued ? planned.cachedWhenContinued : planned.cachedWhenNew);
        m_measure.completed(turn, m_clock);
        trace("completed", number);
        m_idleSince[agent.socket] = m_clock;
        m_idle.emplace(m_clock, agent.socket);
        if (++agent.turn < agent.plan->turns.size())
            m_events.add(m_clock + turnOf(agent).think, {Kind::Request, number});
        serveDoor();
    }

    void closeIdle(std::size_t socket)
    {
        m_idle.erase({m_idleSince[socket], socket});
        m_provider.closed();
        Agent &owner = m_agents[m_ownerOf[socket]];
        if (owner.hasSocket && owner.socket == socket)
            owner.hasSocket = false;
    }

    void trace(std::string_view event, std::size_t number)
    {
        if (m_trace != nullptr)
            m_trace->add({event, number, m_agents[number].turn, {}}, m_clock);
    }

    const Scenario &m_scenario;
    Provider m_provider;
    Trace *m_trace;
    std::vector<Agent> m_agents;
    EventQueue<Event> m_events;
    base::SteadyTime m_clock = startOfRun;
    std::deque<std::size_t> m_tokenQueue; // agents
    InOrder m_door; // agents that need a connection, by the time they asked
    base::SteadyTime m_doorPlanned = base::SteadyTime::max();
    InOrder m_idle; // sockets, by the time they became idle
    std::vector<base::SteadyTime> m_idleSince; // by socket
    std::vector<std::size_t> m_ownerOf;
    Measure m_measure;
};

} // namespace

RunResult runOracle(const Scenario &scenario, const std::vector<PlannedAgent> &agents,
                    std::uint64_t seed, Trace *trace)
{
    return Oracle(scenario, agents, seed, trace).run();
}

} // namespace headway::lab
