// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/pool.h"

#include "proxy/core/heads/poolstate.h"
#include "proxy/core/heads/selection.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace headway::heads {

Head &HeadPool::State::add(const ScanRequest &request, Generation generation,
                           base::ConnectionId connection, base::Now now)
{
    const HeadId id{++lastId};
    Head &head = heads[id];
    head.id = id;
    head.connection = connection;
    head.generation = request.key ? generation : Generation::Isolated;
    head.created = now.wall;
    head.earlier = random.uniform(0.0, 1.0);
    ++countOf(head.generation);
    byConnection.emplace(connection, id);
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
    head.lastUsed = now.steady;
    ++head.turns;
    if (head.partition != nullptr)
        head.partition->second.lastSeen = now.steady;
}

void HeadPool::State::makeIdle(Head &head, base::Now now)
{
    head.inFlight = false;
    head.lastUsed = now.steady;
    head.partition->second.lastSeen = now.steady;
    idleOf(head.generation).emplace(head.lastUsed, head.id);
    rotation.emplace(rotationTime(head), head.id);
}

void HeadPool::State::leaveIdle(Head &head)
{
    idleOf(head.generation).erase({head.lastUsed, head.id});
    rotation.erase({rotationTime(head), head.id});
}

Eviction HeadPool::State::drop(Head &head, EvictionReason reason)
{
    const Eviction eviction{head.id, head.connection, reason};
    if (!head.inFlight)
        leaveIdle(head);
    --countOf(head.generation);
    const auto [first, last] = byConnection.equal_range(head.connection);
    byConnection.erase(
        std::find_if(first, last, [&](const auto &row) { return row.second == head.id; }));
    if (head.partition != nullptr) {
        std::erase(head.partition->second.heads, &head);
        if (head.partition->second.heads.empty())
            partitions.erase(partitions.find(head.partition->first));
    }
    heads.erase(eviction.head);
    return eviction;
}

HeadPool::State::IdleOrder &HeadPool::State::idleOf(Generation generation)
{
    assert(generation != Generation::Isolated); // is kept as a nursery head or dropped, never idle
    return idle[generation == Generation::Nursery ? 0 : 1];
}

std::size_t &HeadPool::State::countOf(Generation generation)
{
    return counts[static_cast<std::size_t>(generation)];
}

HeadPool::HeadPool(const PoolSettings &settings, std::uint64_t seed)
    : m_state(std::make_unique<State>(settings, seed))
{
}

HeadPool::~HeadPool() = default;

ScanResult HeadPool::scan(const ScanRequest &request, base::Now /*now*/) const
{
    ScanResult result;
    if (!request.key)
        return result;
    const auto partition = m_state->partitions.find(*request.key);
    if (partition == m_state->partitions.end()) {
        result.decision = Decision::NewPartitionHead;
        return result;
    }
    return select(partition->second, request);
}

std::vector<Eviction> HeadPool::claim(HeadId id, const ScanRequest &request, base::Now now)
{
    Head *head = m_state->find(id);
    assert(head != nullptr && !head->inFlight);
    if (head == nullptr || head->inFlight)
        return {};
    m_state->leaveIdle(*head);
    std::vector<Eviction> evictions;
    if (head->generation == Generation::Nursery) {
        head->inFlight = true; // not evictable for its own promotion
        evictions = m_state->makeRoom(Generation::Established, now);
        --m_state->countOf(Generation::Nursery);
        ++m_state->countOf(Generation::Established);
        head->generation = Generation::Established;
    }
    m_state->start(*head, request, now);
    return evictions;
}

HeadPool::Opened HeadPool::open(const ScanRequest &request, Decision decision,
                                base::ConnectionId connection, base::Now now)
{
    const Generation generation = decision == Decision::ParallelIsolated
            || decision == Decision::Unpartitioned || !request.key
        ? Generation::Isolated
        : Generation::Nursery;
    Opened opened;
    if (generation == Generation::Nursery)
        opened.evictions = m_state->makeRoom(Generation::Nursery, now);
    opened.head = m_state->add(request, generation, connection, now).id;
    return opened;
}

HeadPool::Opened HeadPool::replace(HeadId id, const ScanRequest &request,
                                   base::ConnectionId connection, base::Now now)
{
    Decision decision = Decision::NewPartitionHead;
    if (Head *head = m_state->find(id)) {
        if (head->generation == Generation::Isolated)
            decision = Decision::ParallelIsolated;
        m_state->drop(*head, EvictionReason::FailedTurn);
    }
    return open(request, decision, connection, now);
}

std::vector<Eviction> HeadPool::complete(HeadId id, Completion completion, base::Now now)
{
    Head *head = m_state->find(id);
    assert(head == nullptr || head->inFlight);
    if (head == nullptr || !head->inFlight)
        return {};
    if (now.wall >= m_state->rotationTime(*head))
        return {m_state->drop(*head, EvictionReason::HardTtl)};
    if (completion.responseId.empty())
        return {m_state->drop(*head, EvictionReason::FailedTurn)};
    std::vector<Eviction> evictions;
    if (head->generation == Generation::Isolated) {
        if (!m_state->keepsIsolated(*head))
            return {m_state->drop(*head, EvictionReason::IsolatedDone)};
        evictions = m_state->makeRoom(Generation::Nursery, now);
        --m_state->countOf(Generation::Isolated);
        ++m_state->countOf(Generation::Nursery);
        head->generation = Generation::Nursery;
    }
    head->responseId = std::move(completion.responseId);
    head->stored = std::exchange(head->current, {});
    head->stored.append(completion.echoed);
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
    const auto [first, last] = m_state->byConnection.equal_range(connection);
    std::vector<HeadId> ids;
    std::transform(first, last, std::back_inserter(ids),
                   [](const auto &row) { return row.second; });
    std::sort(ids.begin(), ids.end());
    std::vector<Eviction> evictions;
    for (const HeadId id : ids)
        evictions.push_back(m_state->drop(m_state->heads.at(id), reason));
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
