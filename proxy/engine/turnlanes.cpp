// SPDX-License-Identifier: GPL-3.0-or-later
// A turn on a connection that others use too: forks, lanes, spare connections, and how it leaves
// without harm to the others (spec/heads.md sections 4, 6 and 7).
#include "proxy/engine/turnrun.h"
#include "proxy/net/clock.h"

#include <utility>

namespace headway::engine {

heads::Placement TurnRun::place(base::Now now) const
{
    heads::ScanRequest request = scanRequest();
    if (m_probeAwaited)
        request.waitBound = {};
    return m_services.pool.place(request, now);
}

// Another turn is finding out whether there are lanes. No admission is held meanwhile.
void TurnRun::awaitProbe(const heads::AwaitProbe &probe, base::Now now)
{
    m_awaitsProbe = true;
    m_queuedUntil = now.steady + probe.most;
    m_log.waits(TurnLog::WaitsFor::Probe);
    enter(live::Phase::Queued, now);
    m_services.waits.forProbe(m_turn, probe.most, now.steady);
    m_services.pacerChanged();
}

void TurnRun::forkFrom(const heads::ScanResult &scan, heads::RescanOutcome outcome,
                       base::Nanoseconds waited, base::Now now)
{
    const auto opened = m_services.pool.fork(scan, scanRequest(), now);
    m_scan = scan;
    m_head = opened.head;
    m_connection = scan.connection;
    m_lane = scan.lane;
    m_continued = true;
    m_services.connections.attach(m_connection, m_lane, this, m_turn);
    m_log.placed(scan, heads::Place::Lane, m_connection, m_prints.size());
    m_log.expected(scan.expectedTokens);
    HeadFacts facts{m_session, m_agent, m_request.model, 0, 0};
    for (std::size_t i = 0; i < scan.deltaFrom; ++i)
        facts.bytesSaved += m_request.input[i].size();
    m_services.headFacts[m_head] = std::move(facts);
    recordDecision(scan, heads::Place::Lane, outcome, waited, false, now);
    m_services.closeEvicted(opened.evictions, now);
    send(scan.deltaFrom, scan.previousResponseId, now);
}

// A free lane or a spare: no admission, no dial. The connection may still be opening.
void TurnRun::runOn(const heads::OnSocket &on, const heads::ScanResult &scan,
                    heads::RescanOutcome outcome, base::Nanoseconds waited, base::Now now)
{
    m_scan = scan;
    m_continued = false;
    const auto evicted = openHead(on.connection, on.lane, scan.decision, now);
    m_log.placed(scan, on.place, m_connection, m_prints.size());
    recordDecision(scan, on.place, outcome, waited, false, now);
    m_services.closeEvicted(evicted, now);
    join(now);
}

std::vector<heads::Eviction> TurnRun::openHead(base::ConnectionId connection, std::string lane,
                                               heads::Decision decision, base::Now now)
{
    m_connection = connection;
    m_lane = std::move(lane);
    auto opened = m_services.pool.open(scanRequest(), decision, m_connection, now, m_lane);
    m_head = opened.head;
    m_services.headFacts[m_head] = {m_session, m_agent, m_request.model, 0, 0};
    return std::move(opened.evictions);
}

// Somebody else's connection, open or about to be.
void TurnRun::join(base::Now now)
{
    m_services.connections.attach(m_connection, m_lane, this, m_turn);
    if (m_services.connections.isOpen(m_connection))
        send(0, {}, now);
    else
        enter(live::Phase::Dialling, now);
}

// Drops the place it ran on and nothing else. There is no cancel: what upstream still sends for the
// turn is discarded, unless the connection can go as a whole.
void TurnRun::leaveConnection(heads::EvictionReason reason, base::Now now)
{
    m_held.reset();
    const heads::HeadId head = std::exchange(m_head, {});
    const base::ConnectionId connection = std::exchange(m_connection, {});
    const bool sent = m_services.connections.hasSent(connection, m_lane);
    const bool drains = std::exchange(m_running, false) && sent;
    // An answer may follow the failure all the same, and would be taken for the next turn's.
    const bool spoilt = !drains && sent && reason == heads::EvictionReason::FailedTurn;
    std::optional<heads::Eviction> eviction;
    if (head != heads::HeadId{}) {
        eviction = drains ? m_services.pool.abandon(head) : m_services.pool.remove(head, reason);
        m_services.headFacts.erase(head);
    }
    if (connection == base::ConnectionId{}) {
        // it is gone already
    } else if (eviction ? eviction->closes : m_services.connections.users(connection) <= 1) {
        m_services.connections.close(connection, name(reason), false, now);
    } else if (drains) {
        m_services.connections.drain(connection, m_lane, now);
    } else {
        m_services.connections.release(connection, m_lane);
        if (spoilt)
            m_services.pool.drainFailed(connection, m_lane);
    }
    m_lane.clear();
    if (head != heads::HeadId{})
        m_services.headFreed(head);
}

// The connection it was put on never served it.
void TurnRun::lookElsewhere(base::Now now)
{
    leaveConnection(heads::EvictionReason::FailedTurn, now);
    find(now);
    if (!m_over)
        scheduleWake();
}

// A complaint about the first create that names a lane may be one about the lane: the same goes up
// without a name, on the same connection, before anything else is made of it (section 6).
bool TurnRun::sendsUnnamed(const turn::Fault &fault, base::Now now)
{
    if (fault.kind != turn::FaultKind::ErrorEvent || m_lane.empty() || m_outputOut
        || fault.error.kind != dialects::ErrorKind::InvalidRequest
        || !m_services.connections.isAsking(m_connection, m_lane)
        || !m_services.connections.forgetName(m_connection, m_lane))
        return false;
    m_lane.clear();
    m_services.pool.started(m_head);
    send(0, {}, now);
    return true;
}

void TurnRun::laneLost()
{
    m_lane.clear();
}

void TurnRun::laneUnavailable()
{
    if (!m_over)
        lookElsewhere(net::readClock());
}

void TurnRun::laneOverflowed()
{
    finish("client_gone", "stalled", "The client read too slowly.", net::readClock());
}

// Whoever queues for a connection of its own does not need one any more: N turns take N / 16
// openings (protocol notes 1.10).
bool TurnRun::takeRoom(base::Now now)
{
    if (m_over || !m_waiter || m_services.passThrough)
        return false;
    heads::ScanRequest request = scanRequest();
    request.waitBound = {};
    if (!std::holds_alternative<heads::OnSocket>(m_services.pool.place(request, now)))
        return false;
    const base::Nanoseconds waited = now.steady - m_log.phaseSince();
    (void)placeAgain(
        waited, [&] { leaveQueue(now); }, now);
    if (!m_over)
        scheduleWake();
    return true;
}

void TurnRun::advance(base::Now now)
{
    if (m_over || !m_held)
        return;
    const GatedCall call = *std::exchange(m_held, {});
    send(call.deltaFrom, call.previousResponseId, now);
}

} // namespace headway::engine
