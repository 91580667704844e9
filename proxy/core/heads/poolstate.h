// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/random.h"
#include "proxy/core/heads/durations.h"
#include "proxy/core/heads/history.h"
#include "proxy/core/heads/lostheads.h"
#include "proxy/core/heads/pool.h"
#include "proxy/core/heads/socket.h"

#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

namespace headway::heads {

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
    Socket *socket = nullptr;
    std::string lane; // empty: the default one
    PartitionNode *partition = nullptr; // none: never continued
    Generation generation = Generation::Nursery;
    bool inFlight = true;
    bool pinned = false;
    bool dismissed = false; // goes with the end of its turn: the user wants so
    std::string responseId; // empty: nothing to continue
    History stored; // P of spec/heads.md section 3; empty without a response id
    History current; // input of the turn in flight
    PromptPrints prompt;
    std::string model;
    base::SteadyTime lastUsed;
    base::SteadyTime startedAt; // of the turn in flight
    std::uint64_t promptTokens = 0; // of the turn in flight, estimated
    std::uint64_t contextTokens = 0; // of the stored conversation
    std::size_t turns = 0;
    MatchMode lastMatch = MatchMode::None;
    HeadId forkOf; // until the fork has started
    std::size_t pendingForks = 0; // of this head, not started yet
};

struct HeadPool::State
{
    using IdleOrder = std::set<std::pair<base::SteadyTime, HeadId>>;
    using SocketOrder = std::set<std::pair<base::SteadyTime, base::ConnectionId>>;

    State(const PoolSettings &poolSettings, std::uint64_t seed)
        : settings(poolSettings)
        , random(seed)
    {
    }

    // Registration (pool.cpp).
    Head &add(const ScanRequest &request, Generation generation, base::ConnectionId connection,
              std::string lane, base::Now now);
    [[nodiscard]] Head *find(HeadId id);
    void start(Head &head, const ScanRequest &request, base::Now now);
    void makeIdle(Head &head, base::Now now);
    void leaveIdle(Head &head);
    Eviction drop(Head &head, EvictionReason reason);
    void releaseFork(Head &fork);

    // Connections (sockets.cpp).
    Socket &socketOf(base::ConnectionId id, const Route &route, base::Now now);
    [[nodiscard]] Socket *findSocket(base::ConnectionId id);
    void rank(Socket &socket); // whatever changed about it
    void unrank(Socket &socket);
    bool closeIfUnused(Socket &socket);
    [[nodiscard]] base::WallTime rotationTime(const Socket &socket) const;

    // Lanes (lanes.cpp).
    [[nodiscard]] LaneVerdict verdictOf(std::string_view endpoint) const;

    // Eviction (eviction.cpp).
    [[nodiscard]] std::vector<Eviction> makeRoom(Generation generation, base::Now now);
    [[nodiscard]] Socket *evictable(Generation generation, base::Now now);
    void evictDown(Generation generation, std::size_t most, EvictionReason reason, base::Now now,
                   std::vector<Eviction> &out);
    void dropSocket(Socket &socket, EvictionReason reason, std::vector<Eviction> &out);
    void dropIdleHeads(Socket &socket, EvictionReason reason, std::vector<Eviction> &out);
    void retire(Socket &socket, EvictionReason reason, std::vector<Eviction> &out);
    [[nodiscard]] base::Seconds idleLimit(Generation generation) const;
    [[nodiscard]] bool keepsIsolated(const Head &head) const;

    [[nodiscard]] IdleOrder &idleOf(Generation generation);

    PoolSettings settings;
    base::Random random;
    std::uint64_t lastId = 0;
    std::unordered_map<HeadId, Head> heads;
    std::unordered_map<PartitionKey, Partition> partitions;
    std::map<base::ConnectionId, Socket> sockets;
    std::map<std::string, LaneVerdict, std::less<>> verdicts; // by endpoint
    std::array<IdleOrder, 2> idle; // idle heads by last use
    std::array<SocketOrder, 2> idleSockets; // without a turn in flight, by last use
    SocketOrder idleSpares;
    std::set<std::pair<base::WallTime, base::ConnectionId>> rotation; // with something idle on them
    std::array<std::size_t, 3> counts{}; // connections by generation, those in flight included
    std::vector<HeadId> released; // may advance now
    Durations durations;
    LostHeads lost;
};

} // namespace headway::heads
