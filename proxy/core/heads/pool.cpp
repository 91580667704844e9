// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/pool.h"

#include "proxy/core/heads/poolstate.h"
#include "proxy/core/heads/selection.h"

#include <cassert>
#include <utility>

namespace headway::heads {

Head &HeadPool::State::add(const ScanRequest &request, Generation generation,
                           base::ConnectionId connection, std::string lane, base::Now now)
{
    const HeadId id{++lastId};
    Socket &socket = socketOf(connection, request.route, now);
    Head &head = heads[id];
    head.id = id;
    head.socket = &socket;
    head.lane = std::move(lane);
    head.generation = request.key ? generation : Generation::Isolated;
    socket.spare = false;
    socket.heads.push_back(&head);
    socket.setLane(head.lane, Socket::Lane::Taken);
    if (request.key) {
        head.partition = &*partitions.try_emplace(*request.key).first;
        head.partition->second.heads.push_back(&head);
    }
    start(head, request, now);
    return head;
}

Head *HeadPool::State::find(HeadId id)
{
    const auto at = heads.find(id);
    return at == heads.end() ? nullptr : &at->second;
}

void HeadPool::State::start(Head &head, const ScanRequest &request, base::Now now)
{
    head.inFlight = true;
    head.current.assign(request.input, request.schemas);
    head.prompt = request.prompt;
    head.model = request.model;
    head.lastUsed = now.steady;
    head.startedAt = now.steady;
    head.promptTokens = request.promptTokens;
    ++head.turns;
    if (head.partition != nullptr)
        head.partition->second.lastSeen = now.steady;
    rank(*head.socket);
}

void HeadPool::State::makeIdle(Head &head, base::Now now)
{
    head.inFlight = false;
    head.lastUsed = now.steady;
    head.partition->second.lastSeen = now.steady;
    if (!head.pinned)
        idleOf(head.generation).emplace(head.lastUsed, head.id);
    rank(*head.socket);
}

void HeadPool::State::leaveIdle(Head &head)
{
    idleOf(head.generation).erase({head.lastUsed, head.id});
}

Eviction HeadPool::State::drop(Head &head, EvictionReason reason)
{
    Eviction eviction{head.id, head.socket->id, reason, false, head.lane};
    if (head.forkOf != HeadId{})
        releaseFork(head);
    if (!head.inFlight)
        leaveIdle(head);
    if (head.partition != nullptr) {
        const std::size_t partition = std::hash<PartitionKey>{}(head.partition->first);
        lost.add(partition, head.stored, {reason, head.stored.size(), head.contextTokens});
        std::erase(head.partition->second.heads, &head);
        if (head.partition->second.heads.empty())
            partitions.erase(partitions.find(head.partition->first));
    }
    Socket &socket = *head.socket;
    std::erase(socket.heads, &head);
    socket.setLane(head.lane, Socket::Lane::Free);
    heads.erase(eviction.head);
    eviction.closes = closeIfUnused(socket);
    return eviction;
}

HeadPool::State::IdleOrder &HeadPool::State::idleOf(Generation generation)
{
    assert(generation != Generation::Isolated); // is kept as a nursery head or dropped, never idle
    return idle[generation == Generation::Nursery ? 0 : 1];
}

HeadPool::HeadPool(const PoolSettings &settings, std::uint64_t seed)
    : m_state(std::make_unique<State>(settings, seed))
{
}

HeadPool::~HeadPool() = default;

ScanResult HeadPool::scan(const ScanRequest &request, base::Now now) const
{
    ScanResult result;
    if (!request.key)
        return result;
    const RequestTrail trail(request.input, request.schemas.get());
    const SelectionFacts facts{
        .durations = m_state->durations,
        .lost = m_state->lost,
        .partition = std::hash<PartitionKey>{}(*request.key),
        .now = now,
        .hasLanes = m_state->verdictOf(request.route.endpoint) == LaneVerdict::On,
    };
    const auto partition = m_state->partitions.find(*request.key);
    if (partition == m_state->partitions.end()) {
        result.decision = Decision::NewPartitionHead;
        result.lost = facts.lost.find(facts.partition, trail);
        return result;
    }
    return select(partition->second, request, trail, facts);
}

std::vector<Eviction> HeadPool::claim(HeadId id, const ScanRequest &request, base::Now now)
{
    Head *head = m_state->find(id);
    assert(head != nullptr && !head->inFlight);
    if (head == nullptr || head->inFlight)
        return {};
    m_state->leaveIdle(*head);
    const RequestTrail trail(request.input, request.schemas.get());
    if (const auto match = head->stored.match(trail))
        head->lastMatch = match->mode;
    std::vector<Eviction> evictions;
    const bool counted = head->socket->generation() == Generation::Established;
    m_state->start(*head, request, now); // in flight: not evictable for its own promotion
    if (!counted)
        evictions = m_state->makeRoom(Generation::Established, now);
    head->generation = Generation::Established;
    m_state->rank(*head->socket);
    return evictions;
}

HeadPool::Opened HeadPool::open(const ScanRequest &request, Decision decision,
                                base::ConnectionId connection, base::Now now, std::string lane)
{
    const Generation generation = decision == Decision::ParallelIsolated
            || decision == Decision::Unpartitioned || !request.key
        ? Generation::Isolated
        : Generation::Nursery;
    // Its agent is here now: room is not made by its own other heads first.
    if (const auto own
        = request.key ? m_state->partitions.find(*request.key) : m_state->partitions.end();
        own != m_state->partitions.end())
        own->second.lastSeen = now.steady;
    Opened opened;
    const Socket *known = m_state->findSocket(connection);
    const bool counted = known != nullptr && known->generation() != Generation::Isolated;
    if (generation == Generation::Nursery && !counted)
        opened.evictions = m_state->makeRoom(Generation::Nursery, now);
    const bool isFirst = known == nullptr || known->spare;
    const Head &head = m_state->add(request, generation, connection, std::move(lane), now);
    opened.head = head.id;
    if (!isFirst || head.lane.empty())
        return opened;
    const LaneVerdict verdict = m_state->verdictOf(head.socket->endpoint);
    if (verdict == LaneVerdict::Unknown || verdict == LaneVerdict::Probing) {
        head.socket->probing = true;
        m_state->verdicts[head.socket->endpoint] = LaneVerdict::Probing;
    }
    return opened;
}

HeadPool::Opened HeadPool::fork(const ScanResult &scan, const ScanRequest &request, base::Now now)
{
    Opened opened = open(request, Decision::Fork, scan.connection, now, scan.lane);
    Head *source = m_state->find(scan.head);
    if (source == nullptr)
        return opened;
    ++source->pendingForks;
    m_state->heads.at(opened.head).forkOf = source->id;
    return opened;
}

HeadPool::Opened HeadPool::replace(HeadId id, const ScanRequest &request,
                                   base::ConnectionId connection, base::Now now, std::string lane)
{
    Decision decision = Decision::NewPartitionHead;
    std::optional<Eviction> replaced;
    if (Head *head = m_state->find(id)) {
        if (head->generation == Generation::Isolated)
            decision = Decision::ParallelIsolated;
        replaced = m_state->drop(*head, EvictionReason::FailedTurn);
    }
    Opened opened = open(request, decision, connection, now, std::move(lane));
    opened.replaced = replaced;
    return opened;
}

std::vector<Eviction> HeadPool::complete(HeadId id, Completion completion, base::Now now)
{
    Head *head = m_state->find(id);
    assert(head == nullptr || head->inFlight);
    if (head == nullptr || !head->inFlight)
        return {};
    started(id);
    if (head->partition != nullptr)
        m_state->durations.add(std::hash<PartitionKey>{}(head->partition->first), head->model,
                               now.steady - head->startedAt);
    const bool kept = head->generation != Generation::Isolated || m_state->keepsIsolated(*head);
    // Stored even when it goes now: a request that would have continued it is told why not.
    head->responseId = std::move(completion.responseId);
    head->stored = std::exchange(head->current, {});
    head->stored.append(completion.echoed);
    head->contextTokens = completion.contextTokens;
    if (now.wall >= m_state->rotationTime(*head->socket))
        return {m_state->drop(*head, EvictionReason::HardTtl)};
    if (const auto leaving = head->socket->leaving)
        return {m_state->drop(*head, *leaving)};
    if (head->dismissed)
        return {m_state->drop(*head, EvictionReason::User)};
    if (head->responseId.empty())
        return {m_state->drop(*head, EvictionReason::FailedTurn)};
    if (!kept)
        return {m_state->drop(*head, EvictionReason::IsolatedDone)};
    std::vector<Eviction> evictions;
    if (head->generation == Generation::Isolated) {
        if (head->socket->generation() == Generation::Isolated)
            evictions = m_state->makeRoom(Generation::Nursery, now);
        head->generation = Generation::Nursery;
    }
    m_state->makeIdle(*head, now);
    return evictions;
}

std::optional<Eviction> HeadPool::remove(HeadId id, EvictionReason reason)
{
    Head *head = m_state->find(id);
    if (head == nullptr)
        return std::nullopt;
    return m_state->drop(*head, reason);
}

std::vector<Eviction> HeadPool::removeConnection(base::ConnectionId connection,
                                                 EvictionReason reason)
{
    std::vector<Eviction> evictions;
    if (Socket *socket = m_state->findSocket(connection))
        m_state->dropSocket(*socket, reason, evictions);
    return evictions;
}

std::vector<Eviction> HeadPool::retire(base::ConnectionId connection, EvictionReason reason)
{
    std::vector<Eviction> evictions;
    if (Socket *socket = m_state->findSocket(connection))
        m_state->retire(*socket, reason, evictions);
    return evictions;
}

std::vector<Eviction> HeadPool::rejectCredential(const base::Fingerprint &credential)
{
    std::vector<Eviction> evictions;
    std::vector<base::ConnectionId> opened;
    for (const auto &[id, socket] : m_state->sockets) {
        if (socket.credential == credential && credential != base::Fingerprint{})
            opened.push_back(id);
    }
    for (const base::ConnectionId id : opened)
        m_state->retire(m_state->sockets.at(id), EvictionReason::CredentialRejected, evictions);
    return evictions;
}

void HeadPool::forgetResponse(HeadId id)
{
    if (Head *head = m_state->find(id)) {
        head->responseId.clear();
        head->stored.clear();
    }
}

} // namespace headway::heads
