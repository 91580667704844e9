// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/heads/lanes.h"
#include "proxy/core/heads/poolvalues.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headway::heads {

struct Head;

// A connection as the pool counts it.
struct Socket
{
    enum class Lane : std::uint8_t {
        Free,
        Taken,
        Draining,
        Lost // never drained: its name is not used again
    };

    base::ConnectionId id;
    std::string endpoint;
    std::string account;
    base::Fingerprint credential;
    base::WallTime created;
    double earlier = 0.0; // share of the random part of its rotation age, 0 – 1
    bool spare = false; // never used yet
    // Takes nobody new, and its heads go at the end of their turns, for this reason.
    std::optional<EvictionReason> leaving;
    bool probing = false; // its first create names a lane and was not answered yet
    std::vector<Head *> heads; // by registration
    std::vector<Lane> lanes; // the named ones
    std::size_t mostLanes = namedLanes; // as the provider has told
    bool defaultDraining = false;
    base::SteadyTime lastUsed;

    // Where it stands in the pool's orders, so that it is found there again.
    struct Rank
    {
        Generation generation = Generation::Isolated;
        bool idle = false;
        bool spare = false;
        bool rotates = false;
        base::SteadyTime lastUsed;
        base::WallTime rotation;
    };
    std::optional<Rank> rank;

    [[nodiscard]] std::size_t inFlight() const; // turns, draining ones included
    [[nodiscard]] bool hasRoom() const; // for one more lane in flight
    [[nodiscard]] bool isPinned() const;
    [[nodiscard]] Generation generation() const; // of its best head; a spare is in the nursery
    [[nodiscard]] std::optional<std::string> freeLane() const;
    void setLane(std::string_view lane, Lane state);
    void limitLanes(std::string_view refused); // only names given before this one are used again
};

} // namespace headway::heads
