// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/heads/history.h"
#include "proxy/core/heads/pool.h"

#include <array>
#include <set>
#include <unordered_map>
#include <utility>

namespace headway::heads {

struct Head;

// The heads of one agent, in the order of registration.
struct Partition
{
    std::vector<Head *> heads;
    base::SteadyTime lastSeen;
};

// A node of the table of partitions: its address and its key stay while heads are in it.
using PartitionNode = std::pair<const PartitionKey, Partition>;

struct Head
{
    HeadId id;
    base::ConnectionId connection;
    PartitionNode *partition = nullptr; // none: never continued
    Generation generation = Generation::Nursery;
    bool inFlight = true;
    std::string responseId; // empty: nothing to continue
    History stored; // P of spec/heads.md section 3; empty without a response id
    History current; // input of the turn in flight
    PromptPrints prompt;
    base::SteadyTime lastUsed;
    base::WallTime created;
    double earlier = 0.0; // share of the random part of its rotation age, 0 – 1
    std::size_t turns = 0;
};

struct HeadPool::State
{
    using IdleOrder = std::set<std::pair<base::SteadyTime, HeadId>>;

    State(const PoolSettings &poolSettings, std::uint64_t seed)
        : settings(poolSettings)
        , random(seed)
    {
    }

    // Registration.
    Head &add(const ScanRequest &request, Generation generation, base::ConnectionId connection,
              base::Now now);
    [[nodiscard]] Head *find(HeadId id);
    void start(Head &head, const ScanRequest &request, base::Now now);
    void makeIdle(Head &head, base::Now now);
    void leaveIdle(Head &head);
    Eviction drop(Head &head, EvictionReason reason);

    // Eviction (eviction.cpp).
    [[nodiscard]] std::vector<Eviction> makeRoom(Generation generation, base::Now now);
    [[nodiscard]] Head *evictable(Generation generation, base::Now now);
    void evictDown(Generation generation, std::size_t most, EvictionReason reason, base::Now now,
                   std::vector<Eviction> &out);
    [[nodiscard]] base::WallTime rotationTime(const Head &head) const;
    [[nodiscard]] base::Seconds idleLimit(Generation generation) const;
    [[nodiscard]] bool keepsIsolated(const Head &head) const;

    [[nodiscard]] IdleOrder &idleOf(Generation generation);
    [[nodiscard]] std::size_t &countOf(Generation generation);

    PoolSettings settings;
    base::Random random;
    std::uint64_t lastId = 0;
    std::unordered_map<HeadId, Head> heads;
    std::unordered_map<PartitionKey, Partition> partitions;
    std::unordered_multimap<base::ConnectionId, HeadId> byConnection;
    // Idle heads by last use; and by the wall time at which they are rotated.
    std::array<IdleOrder, 2> idle;
    std::set<std::pair<base::WallTime, HeadId>> rotation;
    std::array<std::size_t, 3> counts{}; // by generation, in flight included
};

} // namespace headway::heads
