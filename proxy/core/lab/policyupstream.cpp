// SPDX-License-Identifier: GPL-3.0-or-later
// What comes back from the modelled provider for a turn of a run, and what is done when it goes
// wrong.
#include "proxy/core/lab/clock.h"
#include "proxy/core/lab/policysimulation.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <variant>

namespace headway::lab {

using Phase = AgentState::Phase;

void PolicySimulation::answered(AgentState &agent)
{
    if (!agent.reply.accepted) {
        trace("rejected", agent);
        rejected(agent);
        return;
    }
    trace("opened", agent);
    socket(agent.connection).open = true;
    ++m_open;
    m_events.add(m_clock + m_scenario.provider.connectionMaxAge,
                 {Kind::SocketAge, static_cast<std::uint32_t>(agent.connection.value()), 0});
    m_pacer->opened(agent.waiter, now());
    readTokenHeaders();
    send(agent);
}

void PolicySimulation::rejected(AgentState &agent)
{
    dropHead(agent);
    turn::UpgradeAnswer answer;
    answer.status = agent.reply.status;
    answer.retryAfter = agent.reply.retryAfter;
    const turn::Fault failed = turn::classifyUpgrade(answer);
    agent.phase = Phase::BackingOff;
    if (failed.kind != turn::FaultKind::Rejected) {
        m_pacer->dialFailed(agent.waiter, now());
        fault(agent, failed);
        return;
    }
    const pacing::Rejection rejection{agent.reply.status, agent.reply.retryAfter};
    if (const auto decision = m_pacer->rejected(agent.waiter, rejection, now()))
        decided(agent, *decision);
    else
        throttled(agent, pacing::Throttled::By::Upgrade, failed);
}

void PolicySimulation::send(AgentState &agent)
{
    const PlannedTurn &planned = agent.plannedTurn();
    setBusy(agent.connection, true);
    socketsChanged();
    if (const base::SteadyTime opens = gateOpensAt(agent); opens > m_clock) {
        agent.phase = Phase::Holding;
        ++m_gated;
        agent.placedAt += opens - m_clock; // the client waits for this as well
        trace("gated", agent, opens - m_clock);
        plan(opens, Kind::Send, agent);
        return;
    }
    agent.phase = Phase::Streaming;
    agent.sentAt = m_clock;
    agent.deadline->modelEvent(m_clock); // response.created, or an error
    m_tokens.sent(static_cast<std::uint64_t>(planned.inputTokens));
    if (const auto wait = m_provider.send(planned.inputTokens, m_clock)) {
        turn::Fault limited;
        limited.kind = turn::FaultKind::ErrorEvent;
        limited.error.kind = dialects::ErrorKind::Throttled;
        limited.error.code = "rate_limit_exceeded";
        limited.error.retryAfter = std::chrono::ceil<base::Milliseconds>(*wait);
        limited.stated = limited.error.retryAfter;
        trace("limited", agent, *wait);
        readTokenHeaders();
        throttled(agent, pacing::Throttled::By::Event, limited);
        return;
    }
    plan(m_clock + planned.firstToken, Kind::FirstOutput, agent);
    plan(m_clock + planned.length, Kind::TurnEnd, agent);
}

void PolicySimulation::fault(AgentState &agent, const turn::Fault &fault)
{
    turn::AttemptFacts facts;
    facts.outputReachedClient = agent.hadOutput;
    facts.continued = agent.continued;
    const turn::Action action = turn::recover(fault, facts, agent.remedies, m_setup.budget,
                                              agent.deadline->remaining(m_clock), m_random);
    if (const auto *later = std::get_if<turn::RetryLater>(&action))
        backOff(agent, later->delay);
    else
        fail(agent, fault.error);
}

// What the pacer did not take back (spec/pacing.md section 6).
void PolicySimulation::throttled(AgentState &agent, pacing::Throttled::By by,
                                 const turn::Fault &fault)
{
    const pacing::Throttled turn{by,
                                 m_setup.pacer.policy,
                                 agent.remedies.retries,
                                 agent.rejections,
                                 fault.stated,
                                 agent.deadline->remaining(m_clock)};
    const pacing::ThrottleAnswer answer = m_schedule.next(turn, m_setup.budget, now());
    agent.rejections += by == pacing::Throttled::By::Upgrade ? 1 : 0;
    if (const auto *retry = std::get_if<pacing::RetryIn>(&answer)) {
        ++agent.remedies.retries;
        backOff(agent, retry->delay);
        return;
    }
    dialects::TurnError error = fault.error;
    error.retryAfter = std::get<pacing::PassOn>(answer).retryAfter;
    fail(agent, error);
}

void PolicySimulation::backOff(AgentState &agent, base::Nanoseconds delay)
{
    dropHead(agent);
    agent.phase = Phase::BackingOff;
    trace("retrying", agent, delay);
    plan(m_clock + delay, Kind::Retry, agent);
}

void PolicySimulation::readTokenHeaders()
{
    const auto reading = m_provider.tokens(m_clock);
    if (!reading)
        return;
    m_tokens.read("x-ratelimit-limit-tokens", std::to_string(reading->limit), now());
    m_tokens.read("x-ratelimit-remaining-tokens", std::to_string(reading->remaining), now());
    m_tokens.read("x-ratelimit-reset-tokens", std::to_string(reading->reset.count()) + "ms", now());
}

// The seconds the gate still owes are paid in the same place.
base::SteadyTime PolicySimulation::gateOpensAt(const AgentState &agent)
{
    const pacing::TokenBudget::Gate gate = m_tokens.ask(m_gated, agent.plan->interactive, now());
    return std::max(m_schedule.clearAt(now()), m_clock + gate.wait + gate.owed);
}

} // namespace headway::lab
