// SPDX-License-Identifier: GPL-3.0-or-later
// Where a turn of a run takes place, as the engine does it: scan, admission, re-scan, claim or
// dial; and the sockets that come of it.
#include "proxy/core/base/overloaded.h"
#include "proxy/core/lab/clock.h"
#include "proxy/core/lab/policysimulation.h"

#include <algorithm>
#include <variant>

namespace headway::lab {

using Phase = AgentState::Phase;

heads::ScanRequest PolicySimulation::scanRequest(const AgentState &agent) const
{
    return {agent.partition, agent.items, {}};
}

void PolicySimulation::attempt(AgentState &agent)
{
    agent.clearAt.reset();
    place(agent);
}

// Order: the gate, then admission; the gate is looked at again before the turn is sent.
void PolicySimulation::place(AgentState &agent)
{
    if (!passesGate(agent, Phase::Gated, Kind::Retry))
        return;
    closeEvicted(m_pool.sweep(now()));
    agent.scan = m_pool.scan(scanRequest(agent), now());
    if (agent.scan.decision == heads::Decision::Continuation)
        continueOn(agent, agent.scan);
    else
        askAdmission(agent);
}

void PolicySimulation::continueOn(AgentState &agent, const heads::ScanResult &scan)
{
    const auto evicted = m_pool.claim(scan.head, scanRequest(agent), now());
    agent.head = scan.head;
    agent.connection = scan.connection;
    agent.continued = true;
    agent.placedAt = m_clock;
    closeEvicted(evicted);
    trace("continued", agent);
    send(agent);
}

void PolicySimulation::askAdmission(AgentState &agent)
{
    const pacing::WaiterId id{m_waiters.size() + 1};
    m_waiters.push_back(static_cast<std::uint32_t>(agent.number));
    agent.waiter = id;
    agent.continued = false;
    if (m_setup.arrivals != nullptr && !agent.needed)
        m_setup.arrivals->push_back({m_clock - startOfRun, agent.session, agent.agent});
    agent.needed = true;
    pacing::AdmissionRequest request{id, m_setup.budget};
    request.session = agent.session;
    request.agent = agent.agent;
    request.interactive = agent.plan->interactive;
    request.idleDeadline = agent.deadline->idleEnds();
    const base::Fingerprint &last = agent.items.back().print;
    request.ticketKey = base::Random(last.high ^ (last.low << 32U)).next();
    decided(agent, m_pacer->request(request, now()));
}

void PolicySimulation::decided(AgentState &agent, const pacing::AdmissionDecision &decision)
{
    std::visit(base::Overloaded{
                   [&](const pacing::Admitted &admission) { admitted(agent, admission); },
                   [&](const pacing::Queued &queued) {
                       agent.phase = Phase::Queued;
                       trace("queued", agent, queued.departsAt - m_clock);
                   },
                   [&](const pacing::Refused &refusal) { refused(agent, refusal); },
               },
               decision);
}

void PolicySimulation::depart(const pacing::Departure &departure)
{
    AgentState &agent = m_agents[m_waiters[departure.id.value() - 1]];
    if (agent.phase != Phase::Queued || agent.waiter != departure.id)
        return;
    std::visit(base::Overloaded{
                   [&](const pacing::Admitted &admission) { admitted(agent, admission); },
                   [&](const pacing::Refused &refusal) { refused(agent, refusal); },
               },
               departure.outcome);
}

// A turn that really waited looks again (spec/heads.md section 5).
void PolicySimulation::admitted(AgentState &agent, const pacing::Admitted &admission)
{
    trace("admitted", agent);
    if (admission.queued) {
        closeEvicted(m_pool.sweep(now()));
        const heads::ScanResult again = m_pool.scan(scanRequest(agent), now());
        if (again.decision == heads::Decision::Continuation) {
            m_pacer->giveBack(agent.waiter, now());
            continueOn(agent, again);
            return;
        }
        agent.scan = again;
    }
    if (admission.shedTo)
        shedTo(*admission.shedTo);
    dial(agent);
}

void PolicySimulation::refused(AgentState &agent, const pacing::Refused &refusal)
{
    m_measure.refused();
    trace("refused", agent, refusal.hint);
    agent.phase = Phase::BackingOff;
    turn::Fault refusedFault;
    refusedFault.kind = turn::FaultKind::Refused;
    refusedFault.stated = refusal.hint;
    refusedFault.error.kind = dialects::ErrorKind::RefusedByUs;
    refusedFault.error.retryAfter = refusal.hint;
    if (refusal.final)
        fail(agent, refusedFault.error);
    else
        fault(agent, refusedFault);
}

void PolicySimulation::dial(AgentState &agent)
{
    m_pacer->settle(agent.waiter);
    m_sockets.emplace_back();
    agent.connection = base::ConnectionId{m_sockets.size()};
    const auto opened
        = m_pool.open(scanRequest(agent), agent.scan.decision, agent.connection, now());
    agent.head = opened.head;
    closeEvicted(opened.evictions);
    agent.placedAt = m_clock;
    agent.reply = m_provider.upgrade(m_clock);
    socket(agent.connection).accepted = agent.reply.accepted;
    if (agent.reply.accepted)
        m_measure.opened(m_clock);
    else
        m_measure.rejected();
    agent.phase = Phase::Dialling;
    trace("dialled", agent);
    const base::Nanoseconds connect = draw(agent.random, m_scenario.provider.connect);
    plan(m_clock + connect, Kind::UpgradeAnswer, agent);
}

void PolicySimulation::dropHead(AgentState &agent)
{
    if (agent.head != heads::HeadId{})
        (void)m_pool.remove(agent.head, heads::EvictionReason::FailedTurn);
    agent.head = {};
    if (agent.connection != base::ConnectionId{}) {
        closeSocket(agent.connection);
        socketsChanged();
    }
    agent.connection = {};
}

void PolicySimulation::shedTo(std::size_t sockets)
{
    if (m_open > sockets)
        closeEvicted(m_pool.shed(m_open - sockets));
}

void PolicySimulation::closeEvicted(const std::vector<heads::Eviction> &evictions)
{
    for (const heads::Eviction &eviction : evictions) {
        // Another head may live on the same connection.
        if (eviction.closes)
            closeSocket(eviction.connection);
    }
    if (!evictions.empty())
        socketsChanged();
}

void PolicySimulation::closeSocket(base::ConnectionId id)
{
    setBusy(id, false);
    Socket &gone = socket(id);
    if (gone.accepted)
        m_provider.closed();
    if (gone.open)
        --m_open;
    gone = {};
}

// The provider closes a connection at its age, a busy one after its turn.
void PolicySimulation::expireSocket(base::ConnectionId id)
{
    Socket &aged = socket(id);
    if (!aged.accepted)
        return;
    aged.old = true;
    if (aged.busy)
        return;
    (void)m_pool.removeConnection(id, heads::EvictionReason::PeerClosed);
    closeSocket(id);
    socketsChanged();
}

void PolicySimulation::setBusy(base::ConnectionId id, bool busy)
{
    if (socket(id).busy == busy)
        return;
    socket(id).busy = busy;
    if (busy)
        ++m_busy;
    else
        --m_busy;
}

void PolicySimulation::socketsChanged()
{
    const pacing::SocketLevel level{m_open, m_open - m_busy};
    if (level == m_told)
        return;
    m_told = level;
    m_pacer->socketsChanged(level, now());
}

void PolicySimulation::planSweep()
{
    const auto next = m_pool.nextExpiry(now());
    if (!next || *next >= m_nextSweep)
        return;
    m_nextSweep = *next;
    m_events.add(*next, {Kind::Sweep, 0, 0});
}

} // namespace headway::lab
