// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/lanes.h"

#include "proxy/core/heads/poolstate.h"

#include <algorithm>
#include <utility>

namespace headway::heads {

std::string_view name(LaneMode value)
{
    switch (value) {
    case LaneMode::Off:
        return "off";
    case LaneMode::On:
        return "on";
    case LaneMode::Auto:
        return "auto";
    }
    return {};
}

std::string_view name(LaneVerdict value)
{
    switch (value) {
    case LaneVerdict::Unknown:
        return "unknown";
    case LaneVerdict::Probing:
        return "probing";
    case LaneVerdict::On:
        return "on";
    case LaneVerdict::Off:
        return "off";
    }
    return {};
}

// What is known, seen through the setting: `on` asks nobody but remembers a no.
LaneVerdict HeadPool::State::verdictOf(std::string_view endpoint) const
{
    if (settings.lanes == LaneMode::Off)
        return LaneVerdict::Off;
    const auto known = verdicts.find(endpoint);
    const LaneVerdict verdict = known == verdicts.end() ? LaneVerdict::Unknown : known->second;
    return settings.lanes == LaneMode::On && verdict != LaneVerdict::Off ? LaneVerdict::On
                                                                         : verdict;
}

// The fullest connection first: fewest are needed then, and the others may go.
Placement HeadPool::place(const ScanRequest &request, base::Now now) const
{
    const Route &route = request.route;
    const LaneVerdict verdict = m_state->verdictOf(route.endpoint);
    const Socket *fullest = nullptr;
    const Socket *spare = nullptr;
    const bool mayShare = verdict == LaneVerdict::On || !m_state->idleSpares.empty();
    for (const auto &[id, socket] : m_state->sockets) {
        if (!mayShare)
            break; // thousands of connections, none of which takes a second turn
        if (socket.endpoint != route.endpoint || socket.account != route.account || socket.leaving
            || now.wall >= m_state->rotationTime(socket)) // not for a new conversation
            continue;
        if (socket.spare && spare == nullptr)
            spare = &socket;
        if (verdict == LaneVerdict::On && !socket.spare && socket.hasRoom()
            && (fullest == nullptr || socket.inFlight() > fullest->inFlight()))
            fullest = &socket;
    }
    if (fullest != nullptr)
        return OnSocket{Place::Lane, fullest->id, *fullest->freeLane()};
    const std::string first = firstLane(route.endpoint);
    if (spare != nullptr)
        return OnSocket{Place::Spare, spare->id, first};
    if (verdict == LaneVerdict::Probing && request.waitBound > base::Nanoseconds::zero())
        return AwaitProbe{std::min<base::Nanoseconds>(request.waitBound, longestProbeWait)};
    return DialNew{first};
}

std::string HeadPool::firstLane(std::string_view endpoint) const
{
    return m_state->verdictOf(endpoint) == LaneVerdict::Off ? std::string{} : *Socket{}.freeLane();
}

LaneVerdict HeadPool::laneVerdict(std::string_view endpoint) const
{
    return m_state->verdictOf(endpoint);
}

void HeadPool::laneEchoed(base::ConnectionId connection)
{
    const Socket *socket = m_state->findSocket(connection);
    if (socket == nullptr)
        return;
    m_state->verdicts[socket->endpoint] = LaneVerdict::On;
    for (auto &[id, other] : m_state->sockets) {
        if (other.endpoint == socket->endpoint)
            other.probing = false;
    }
}

// A turn that named a lane runs on the default one; who was to follow it on that connection has to
// leave. Another connection that several share had lanes once: what lives there keeps its own.
void HeadPool::laneRefused(base::ConnectionId connection)
{
    const Socket *socket = m_state->findSocket(connection);
    if (socket == nullptr)
        return;
    m_state->verdicts[socket->endpoint] = LaneVerdict::Off;
    for (auto &[id, other] : m_state->sockets) {
        if (other.endpoint != socket->endpoint)
            continue;
        other.probing = false;
        if (id != connection && (other.heads.size() != 1 || other.inFlight() > 1))
            continue;
        other.lanes.clear();
        for (Head *head : other.heads)
            head->lane.clear();
    }
}

void HeadPool::started(HeadId id)
{
    if (Head *head = m_state->find(id))
        m_state->releaseFork(*head);
}

void HeadPool::State::releaseFork(Head &fork)
{
    Head *source = find(std::exchange(fork.forkOf, HeadId{}));
    if (source == nullptr || --source->pendingForks > 0)
        return;
    if (source->inFlight)
        released.push_back(source->id);
}

bool HeadPool::mayAdvance(HeadId id) const
{
    const Head *head = m_state->find(id);
    return head == nullptr || head->pendingForks == 0;
}

std::vector<HeadId> HeadPool::takeReleased()
{
    return std::exchange(m_state->released, {});
}

std::optional<Eviction> HeadPool::abandon(HeadId id)
{
    Head *head = m_state->find(id);
    if (head == nullptr)
        return std::nullopt;
    const std::string lane = head->lane;
    const bool wasInFlight = head->inFlight;
    const Eviction eviction = m_state->drop(*head, EvictionReason::FailedTurn);
    if (!eviction.closes && wasInFlight) {
        Socket &shared = *m_state->findSocket(eviction.connection);
        shared.setLane(lane, Socket::Lane::Draining);
        m_state->rank(shared);
    }
    return eviction;
}

void HeadPool::drained(base::ConnectionId connection, std::string_view lane)
{
    Socket *socket = m_state->findSocket(connection);
    if (socket == nullptr)
        return;
    socket->setLane(lane, Socket::Lane::Free);
    m_state->rank(*socket);
}

void HeadPool::drainFailed(base::ConnectionId connection, std::string_view lane)
{
    Socket *socket = m_state->findSocket(connection);
    if (socket == nullptr)
        return;
    socket->setLane(lane, Socket::Lane::Lost);
    m_state->rank(*socket);
}

void HeadPool::limitLanes(base::ConnectionId connection, std::string_view refused)
{
    if (Socket *socket = m_state->findSocket(connection))
        socket->limitLanes(refused);
}

} // namespace headway::heads
