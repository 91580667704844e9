// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/lab/policysimulation.h"

#include "proxy/core/dialects/clienterror.h"
#include "proxy/core/heads/partition.h"
#include "proxy/core/lab/arrivals.h"
#include "proxy/core/lab/clock.h"
#include "proxy/core/lab/tuning.h"
#include "proxy/core/settings/terms.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace headway::lab {

namespace {

using namespace std::chrono_literals;

// A pacer that names a time and then lets nobody go would hold the clock still.
constexpr base::Nanoseconds nudge = 1ms;
// spec/lab.md: the client's own ladder.
constexpr base::Nanoseconds firstClientDelay = 500ms;
constexpr base::Nanoseconds longestClientDelay = 32s;
constexpr double mostClientJitter = 1.25;

std::string sessionName(const PlannedAgent &agent)
{
    return "session-" + std::to_string(agent.session);
}

std::string agentName(const PlannedAgent &agent)
{
    return agent.indexInSession == 0 ? std::string()
                                     : "agent-" + std::to_string(agent.indexInSession);
}

AgentState makeAgent(const PlannedAgent &plan, std::size_t number)
{
    AgentState agent;
    agent.plan = &plan;
    agent.number = number;
    const std::string session = sessionName(plan);
    const std::string name = agentName(plan);
    agent.session = hashedName(session);
    agent.agent = hashedName(name);
    heads::PartitionInput partition;
    partition.endpoint = "wss://provider.invalid/v1/responses";
    partition.model = "model";
    partition.session = session;
    partition.agent = name;
    agent.partition = heads::partitionKey(partition);
    return agent;
}

base::Nanoseconds clientDelay(std::optional<std::int64_t> retryAfter, int retry,
                              base::Random &random)
{
    base::Nanoseconds ladder = firstClientDelay;
    for (int i = 0; i < retry && ladder < longestClientDelay; ++i)
        ladder *= 2;
    ladder = std::min(ladder, longestClientDelay);
    const base::Nanoseconds stated = base::Seconds{retryAfter.value_or(0)};
    const auto delay = static_cast<double>(std::max(ladder, stated).count());
    return base::Nanoseconds(std::llround(delay * random.uniform(1, mostClientJitter)));
}

} // namespace

PolicySimulation::PolicySimulation(const Scenario &scenario,
                                   const std::vector<PlannedAgent> &agents, const RunSetup &setup)
    : m_scenario(scenario)
    , m_setup(setup)
    , m_provider(scenario.provider, setup.seed)
    , m_pacer(pacing::makePacer(setup.pacer, at(startOfRun),
                                randomFor(setup.seed, Chance::Pacer).next()))
    , m_schedule(randomFor(setup.seed, Chance::Schedule).next())
    , m_tokens(randomFor(setup.seed, Chance::Gate).next(), setup.tokenFloor)
    , m_pool(setup.pool, randomFor(setup.seed, Chance::Pool).next())
    , m_random(randomFor(setup.seed, Chance::Proxy))
    , m_clock(startOfRun)
    , m_earliestDue(startOfRun)
{
    m_agents.reserve(agents.size());
    for (const PlannedAgent &agent : agents) {
        m_agents.push_back(makeAgent(agent, m_agents.size()));
        plan(startOfRun + agent.start, Kind::Request, m_agents.back());
    }
}

base::Now PolicySimulation::now() const
{
    return at(m_clock);
}

RunResult PolicySimulation::run()
{
    const base::SteadyTime end = startOfRun + m_scenario.duration;
    for (;;) {
        const auto due = m_pacer->nextDue();
        const base::SteadyTime dueAt
            = due ? std::max(*due, m_earliestDue) : base::SteadyTime::max();
        const base::SteadyTime eventAt
            = m_events.empty() ? base::SteadyTime::max() : m_events.nextAt();
        if (std::min(dueAt, eventAt) > end)
            break;
        m_clock = std::max(m_clock, std::min(dueAt, eventAt));
        if (dueAt <= eventAt)
            servePacer();
        else
            handle(m_events.take());
    }
    return m_measure.result(m_scenario.offered(), m_scenario.duration);
}

void PolicySimulation::servePacer()
{
    const auto departures = m_pacer->due(now());
    if (departures.empty())
        m_earliestDue = m_clock + nudge;
    for (const pacing::Departure &departure : departures)
        depart(departure);
}

void PolicySimulation::handle(const Event &event)
{
    if (event.kind == Kind::Sweep) {
        m_nextSweep = base::SteadyTime::max();
        closeEvicted(m_pool.sweep(now()));
        planSweep();
    } else if (event.kind == Kind::SocketAge) {
        expireSocket(base::ConnectionId{event.subject});
    } else if (AgentState &agent = m_agents[event.subject]; agent.request == event.request) {
        handleAgent(event, agent);
    }
}

void PolicySimulation::handleAgent(const Event &event, AgentState &agent)
{
    switch (event.kind) {
    case Kind::Request:
        beginRequest(agent);
        break;
    case Kind::Retry:
        if (agent.phase == AgentState::Phase::Gated)
            place(agent);
        else
            attempt(agent);
        break;
    case Kind::Send:
        send(agent);
        break;
    case Kind::UpgradeAnswer:
        answered(agent);
        break;
    case Kind::FirstOutput:
        agent.hadOutput = true;
        agent.deadline->modelEvent(m_clock);
        agent.deadline->output();
        m_pacer->firstOutput(m_clock - agent.sentAt);
        break;
    case Kind::TurnEnd:
        succeed(agent);
        break;
    case Kind::Deadline:
        checkDeadline(agent);
        break;
    case Kind::Sweep:
    case Kind::SocketAge:
        break; // of no agent
    }
}

void PolicySimulation::plan(base::SteadyTime when, Kind kind, const AgentState &agent)
{
    m_events.add(when, {kind, static_cast<std::uint32_t>(agent.number), agent.request});
}

// One request of a client is one turn of the proxy, with a deadline and a ladder of its own.
void PolicySimulation::beginRequest(AgentState &agent)
{
    if (!agent.asked) {
        agent.asked = true;
        agent.needed = false;
        agent.firstRequest = m_clock;
        agent.clientRetries = 0;
        agent.random = agent.plannedTurn().random;
        if (agent.plannedTurn().fresh)
            agent.items.clear();
        const std::uint64_t item = ++agent.itemsMade;
        agent.items.push_back({{agent.number + 1, item}, heads::ItemKind::UserMessage});
    }
    trace("requested", agent);
    agent.deadline.emplace(m_setup.budget, m_clock);
    agent.remedies = {};
    agent.hadOutput = false;
    plan(agent.deadline->next(), Kind::Deadline, agent);
    attempt(agent);
}

void PolicySimulation::checkDeadline(AgentState &agent)
{
    // Deltas keep coming between the first output and the end.
    if (agent.phase == AgentState::Phase::Streaming && agent.hadOutput)
        agent.deadline->modelEvent(m_clock);
    if (!agent.deadline->expired(m_clock)) {
        plan(std::max(agent.deadline->next(), m_clock + nudge), Kind::Deadline, agent);
        return;
    }
    turn::Fault expired;
    expired.kind = turn::FaultKind::DeadlineExpired;
    expired.error.kind = dialects::ErrorKind::Timeout;
    fault(agent, expired);
}

void PolicySimulation::succeed(AgentState &agent)
{
    const PlannedTurn &planned = agent.plannedTurn();
    const std::uint64_t item = ++agent.itemsMade;
    const heads::ItemPrint reply{{agent.number + 1, item}, heads::ItemKind::AssistantMessage};
    agent.items.push_back(reply);
    const base::ConnectionId connection = agent.connection;
    setBusy(connection, false);
    heads::Completion completion;
    completion.responseId = "resp";
    completion.echoed = {reply};
    closeEvicted(m_pool.complete(agent.head, std::move(completion), now()));
    if (socket(connection).old)
        expireSocket(connection);
    CompletedTurn turn;
    turn.wait = agent.placedAt - agent.firstRequest;
    turn.length = m_clock - agent.firstRequest;
    turn.continued = agent.continued;
    turn.inputTokens = planned.inputTokens;
    turn.cachedTokens = planned.inputTokens
        * (agent.continued ? planned.cachedWhenContinued : planned.cachedWhenNew);
    m_measure.completed(turn, m_clock);
    trace("completed", agent);
    agent.head = {};
    agent.connection = {};
    socketsChanged();
    planSweep();
    planNextTurn(agent);
}

void PolicySimulation::planNextTurn(AgentState &agent)
{
    agent.phase = AgentState::Phase::Away;
    agent.asked = false;
    ++agent.request;
    if (++agent.turn < agent.plan->turns.size())
        plan(m_clock + agent.plannedTurn().think, Kind::Request, agent);
}

// The client gets an error: it comes back, or the turn is lost.
void PolicySimulation::fail(AgentState &agent, const dialects::TurnError &error)
{
    if (agent.phase == AgentState::Phase::Queued)
        m_pacer->cancel(agent.waiter, now());
    if (agent.phase == AgentState::Phase::Dialling)
        m_pacer->dialFailed(agent.waiter, now());
    leaveGate(agent);
    dropHead(agent);
    const dialects::ClientError told = clientError(dialects::Door::Messages, error);
    if (error.kind == dialects::ErrorKind::RefusedByUs)
        m_measure.refusedToClient();
    const bool comesBack = !told.isFinal && (told.status == 429 || told.status >= 500)
        && agent.clientRetries < m_scenario.clientRetries;
    if (!comesBack) {
        m_measure.lost(m_clock);
        trace("lost", agent);
        planNextTurn(agent);
        return;
    }
    const base::Nanoseconds delay
        = clientDelay(told.retrySeconds, agent.clientRetries, agent.random);
    ++agent.clientRetries;
    trace("answered", agent, delay);
    agent.phase = AgentState::Phase::Away;
    ++agent.request;
    plan(m_clock + delay, Kind::Request, agent);
}

void PolicySimulation::trace(std::string_view event, const AgentState &agent,
                             base::Nanoseconds delay)
{
    if (m_setup.trace != nullptr)
        m_setup.trace->add({event, agent.number, agent.turn, delay}, m_clock);
}

RunSetup runSetup(const settings::Settings &settings, std::uint64_t seed)
{
    RunSetup setup;
    setup.pacer = settings::pacerSettings(settings);
    setup.budget = settings::requestBudget(settings);
    setup.pool = settings::poolSettings(settings, {});
    setup.tokenFloor = static_cast<std::uint64_t>(settings.integer(settings::Key::TokenFloor));
    setup.seed = seed;
    return setup;
}

RunResult runPolicy(const Scenario &scenario, const std::vector<PlannedAgent> &agents,
                    const RunSetup &setup)
{
    return PolicySimulation(scenario, agents, setup).run();
}

} // namespace headway::lab
