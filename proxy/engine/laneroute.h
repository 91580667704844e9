// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/upstreamevent.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace headway::engine {

// Whose event it is on a connection that carries several turns (spec/heads.md section 6).
struct LaneRoute
{
    enum class Reach : std::uint8_t {
        One, // the lane named
        Everybody, // something happened to the whole connection
        Nobody, // bookkeeping, or a lane that is not in use
        Stray // it belongs to a turn and does not say to which
    };
    Reach reach = Reach::Nobody;
    std::string_view lane; // of `inUse`

    friend bool operator==(const LaneRoute &, const LaneRoute &) = default;
};

// `inUse`: the lanes with a turn in flight, draining ones included; empty name: the default one.
[[nodiscard]] LaneRoute routeOf(const dialects::UpstreamEvent &event,
                                std::span<const std::string_view> inUse);

} // namespace headway::engine
