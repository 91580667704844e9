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
        fault(agent, failed);
}

void PolicySimulation::send(AgentState &agent)
{
    const PlannedTurn &planned = agent.plannedTurn();
    setBusy(agent.connection, true);
    socketsChanged();
    if (!passesGate(agent, Phase::Holding, Kind::Send))
        return;
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
        fault(agent, limited);
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
    const turn::Circumstances around{.remaining = agent.deadline->remaining(m_clock),
                                     .policy = m_setup.pacer.policy,
                                     .schedule = m_schedule,
                                     .random = m_random,
                                     .now = now()};
    const turn::Action action = turn::recover(fault, facts, agent.remedies, m_setup.budget, around);
    if (const auto *later = std::get_if<turn::RetryLater>(&action))
        backOff(agent, later->delay);
    else if (const auto *up = std::get_if<turn::GiveUp>(&action))
        fail(agent, up->error);
    else
        fail(agent, fault.error);
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

// Token budget and cool-down; the seconds the gate still owes are paid in the same place. False:
// the turn waits in `phase` until `resume`, with its idle deadline standing still.
bool PolicySimulation::passesGate(AgentState &agent, Phase phase, Kind resume)
{
    leaveGate(agent);
    if (!agent.clearAt)
        agent.clearAt = m_schedule.clearAt(now());
    const pacing::TokenBudget::Gate gate = m_tokens.ask(m_gated, agent.plan->interactive, now());
    const base::SteadyTime opens = std::max(*agent.clearAt, m_clock + gate.wait + gate.owed);
    if (opens <= m_clock)
        return true;
    ++m_gated;
    agent.gated = true;
    agent.phase = phase;
    agent.deadline->hold(m_clock);
    if (phase == Phase::Holding)
        agent.placedAt += opens - m_clock; // the client waits for this as well
    trace("gated", agent, opens - m_clock);
    plan(opens, resume, agent);
    return false;
}

void PolicySimulation::leaveGate(AgentState &agent)
{
    if (!agent.gated)
        return;
    agent.gated = false;
    --m_gated;
    agent.deadline->release(m_clock);
    plan(agent.deadline->next(), Kind::Deadline, agent);
}

} // namespace headway::lab
