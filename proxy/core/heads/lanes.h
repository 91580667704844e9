// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/ids.h"
#include "proxy/core/base/time.h"
#include "proxy/core/heads/decision.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace headway::heads {

// spec/heads.md section 6.
enum class LaneMode : std::uint8_t { Off, On, Auto };
// What is known of an endpoint.
enum class LaneVerdict : std::uint8_t { Unknown, Probing, On, Off };

inline constexpr std::size_t lanesInFlight = 16; // responses per connection
inline constexpr std::size_t namedLanes = 32; // per connection for its life; a name may be reused
inline constexpr base::Seconds longestProbeWait{2};

// Where a turn runs that continues nothing. A `lane` that is not empty is the stream_id to send;
// the first create of a connection whose endpoint is not judged yet is its probe.
struct OnSocket
{
    Place place = Place::Lane; // Lane or Spare
    base::ConnectionId connection;
    std::string lane;

    friend bool operator==(const OnSocket &, const OnSocket &) = default;
};
// Another turn is finding out whether there are lanes: look again when the verdict is in, or when
// this time is over, without waiting for it a second time (ScanRequest::waitBound 0).
struct AwaitProbe
{
    base::Nanoseconds most{0};

    friend bool operator==(const AwaitProbe &, const AwaitProbe &) = default;
};
struct DialNew
{
    std::string lane;

    friend bool operator==(const DialNew &, const DialNew &) = default;
};
using Placement = std::variant<OnSocket, AwaitProbe, DialNew>;

[[nodiscard]] std::string_view name(LaneMode value); // "off", "on", "auto"
[[nodiscard]] std::string_view name(LaneVerdict value);

} // namespace headway::heads
