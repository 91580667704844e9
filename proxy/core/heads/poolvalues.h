// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/ids.h"
#include "proxy/core/base/time.h"
#include "proxy/core/heads/decision.h"
#include "proxy/core/heads/itemprint.h"
#include "proxy/core/heads/lanes.h"
#include "proxy/core/heads/scan.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace headway::heads {

struct PoolSettings
{
    std::size_t nurseryCap = 128; // connections, however many lanes they have
    std::size_t establishedCap = 256;
    base::Seconds nurseryIdle{300};
    base::Seconds establishedIdle{1'800};
    base::Seconds rotateAfter{3'300}; // wall-clock age, less a random 0 – 5 min per connection
    LaneMode lanes = LaneMode::Off;

    friend bool operator==(const PoolSettings &, const PoolSettings &) = default;
};

struct Eviction
{
    HeadId head; // zero: a connection without heads
    base::ConnectionId connection;
    EvictionReason reason = EvictionReason::HardTtl;
    bool closes = true; // nothing else lives on the connection: close it
    std::string lane = {}; // of the head
};

// What a finished response leaves for the next turn.
struct Completion
{
    std::string responseId;
    std::vector<ItemPrint> echoed; // expectedAssistant, in the form the client will send back
    std::uint64_t contextTokens = 0; // input and output of the turn, 0: not told
};

// A head, or a spare connection (head zero).
struct HeadView
{
    HeadId head;
    base::ConnectionId connection;
    std::string lane;
    std::string partition;
    Generation generation = Generation::Nursery;
    bool inFlight = false;
    bool pinned = false;
    bool spare = false;
    base::Nanoseconds age{0}; // of the connection
    base::Nanoseconds idle{0};
    std::size_t turns = 0;
    std::size_t items = 0;
    std::uint64_t contextTokens = 0;
    MatchMode lastMatch = MatchMode::None;
};

} // namespace headway::heads
