// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/lab/agentstate.h"
#include "proxy/core/lab/eventqueue.h"
#include "proxy/core/lab/policyrun.h"
#include "proxy/core/lab/provider.h"
#include "proxy/core/pacing/rejectionschedule.h"
#include "proxy/core/pacing/tokenbudget.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace headway::lab {

// The event loop of one run: what TurnRun does in the engine, on the virtual clock.
class PolicySimulation final
{
public:
    PolicySimulation(const Scenario &scenario, const std::vector<PlannedAgent> &agents,
                     const RunSetup &setup);
    [[nodiscard]] RunResult run();

private:
    enum class Kind : std::uint8_t {
        Request, // the client asks, for the first time or again
        Retry, // a step of the inner ladder is over
        Send, // the gate opens for a turn that has its connection
        UpgradeAnswer,
        FirstOutput,
        TurnEnd,
        Deadline,
        Sweep, // a head may have expired
        SocketAge, // the provider's limit on a connection's age
    };
    struct Event
    {
        Kind kind;
        std::uint32_t subject; // agent, or connection
        std::uint32_t request; // of that agent when the event was planned
    };

    // policysimulation.cpp: clock and clients
    void handle(const Event &event);
    void handleAgent(const Event &event, AgentState &agent);
    void servePacer();
    void plan(base::SteadyTime at, Kind kind, const AgentState &agent);
    void planNextTurn(AgentState &agent);
    void beginRequest(AgentState &agent);
    void checkDeadline(AgentState &agent);
    void succeed(AgentState &agent);
    void fail(AgentState &agent, const dialects::TurnError &error);
    void trace(std::string_view event, const AgentState &agent, base::Nanoseconds delay = {});
    [[nodiscard]] base::Now now() const;

    // policyplacing.cpp: heads, admission, sockets
    [[nodiscard]] heads::ScanRequest scanRequest(const AgentState &agent) const;
    void attempt(AgentState &agent);
    void place(AgentState &agent);
    void continueOn(AgentState &agent, const heads::ScanResult &scan);
    void askAdmission(AgentState &agent);
    void decided(AgentState &agent, const pacing::AdmissionDecision &decision);
    void depart(const pacing::Departure &departure);
    void admitted(AgentState &agent, const pacing::Admitted &admitted);
    void refused(AgentState &agent, const pacing::Refused &refusal);
    void dial(AgentState &agent);
    void dropHead(AgentState &agent);
    void shedTo(std::size_t sockets);
    void closeEvicted(const std::vector<heads::Eviction> &evictions);
    void closeSocket(base::ConnectionId connection);
    void setBusy(base::ConnectionId connection, bool busy);
    void socketsChanged();
    void planSweep();
    void expireSocket(base::ConnectionId connection);

    // policyupstream.cpp: what comes back
    void answered(AgentState &agent); // the upgrade
    void rejected(AgentState &agent);
    void send(AgentState &agent);
    void fault(AgentState &agent, const turn::Fault &fault);
    void backOff(AgentState &agent, base::Nanoseconds delay);
    [[nodiscard]] bool passesGate(AgentState &agent, AgentState::Phase phase, Kind resume);
    void leaveGate(AgentState &agent);
    void readTokenHeaders();

    struct Socket
    {
        bool accepted = false; // by the provider, and not closed since
        bool open = false; // the answer has arrived
        bool busy = false; // a turn runs on it
        bool old = false; // past the provider's limit: goes when its turn is over
    };
    [[nodiscard]] Socket &socket(base::ConnectionId id) { return m_sockets[id.value() - 1]; }

    const Scenario &m_scenario;
    const RunSetup &m_setup;
    Provider m_provider;
    std::unique_ptr<pacing::Pacer> m_pacer;
    pacing::RejectionSchedule m_schedule;
    pacing::TokenBudget m_tokens;
    std::size_t m_gated = 0; // turns in the gate
    heads::HeadPool m_pool;
    base::Random m_random; // of the proxy
    std::vector<AgentState> m_agents;
    std::vector<Socket> m_sockets;
    std::vector<std::uint32_t> m_waiters; // agent of each waiter id, from 1
    EventQueue<Event> m_events;
    base::SteadyTime m_clock;
    base::SteadyTime m_earliestDue; // the pacer is not asked again before
    base::SteadyTime m_nextSweep = base::SteadyTime::max();
    std::size_t m_open = 0; // sockets whose upgrade was answered
    std::size_t m_busy = 0; // of these
    pacing::SocketLevel m_told; // what the pacer knows of that
    Measure m_measure;
};

} // namespace headway::lab
