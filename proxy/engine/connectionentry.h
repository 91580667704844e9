// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/heads/liveness.h"
#include "proxy/engine/connections.h"

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace headway::engine {

// A turn on a connection, or the rest of one that nobody reads.
struct Connections::Lane
{
    ConnectionUser *user = nullptr; // none: it drains
    base::TurnId turn;
    bool sent = false; // a create of it went up
    bool ended = false; // the good end of its response is in the queue
    std::string held = {}; // a create that waits for a sign of life, or for an echo
    bool paused = false; // its client does not keep up
    std::deque<std::string> queue = {}; // what came meanwhile
    std::size_t queued = 0; // bytes
    base::SteadyTime heard = {}; // while it drains: its latest event
};

struct Connections::Entry
{
    explicit Entry(base::Now now)
        : dialledAt(now.steady)
        , liveness(now)
    {
    }

    net::UpstreamSocket *socket = nullptr;
    std::string key; // it was opened with
    std::map<std::string, Lane, std::less<>> lanes; // in use
    std::map<std::string, std::string, std::less<>> answers; // by lane: the last response's id
    // Whose create was the first to name a lane, or to go on without one, and is not answered.
    std::optional<std::string> asking;
    base::TurnId dialledBy;
    std::uint64_t request = 0;
    bool recovery = false;
    bool ahead = false; // dialled for nobody
    bool isOpen = false;
    bool readingPaused = false;
    bool holds = false; // some create
    base::SteadyTime dialledAt;
    heads::Liveness liveness;
    std::uint64_t turns = 0;

    // The turn on it, when there is one and one only.
    [[nodiscard]] base::TurnId onlyTurn() const
    {
        return lanes.size() == 1 ? lanes.begin()->second.turn : base::TurnId{};
    }
};

} // namespace headway::engine
