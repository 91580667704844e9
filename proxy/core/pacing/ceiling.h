// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace headway::pacing {

// What a throttle looks like from here (section 7): a count of openings within a minute, a
// distance between openings, or a number of sockets open at the same time.
enum class CeilingShape : std::uint8_t { Unknown, Window, Rate, Cap };

// An estimate: a correlation in one account's traffic, never "the provider's limit".
struct CeilingEstimate
{
    CeilingShape shape = CeilingShape::Unknown;
    double perMinute = 0; // openings in any 60 s; 0: none seen
    base::Nanoseconds spacing{0}; // shape Rate: between two openings
    std::size_t socketCap = 0; // shape Cap: open sockets; 0: none seen
    double confidence = 0; // 0 to 1, faded to `measuredAt` of the reader
    base::WallTime measuredAt{}; // the last evidence

    friend bool operator==(const CeilingEstimate &, const CeilingEstimate &) = default;
};

// What the door does at present: lets through by the law of its policy, holds everybody after a
// rejection, waits for the answer to a probe, or waits out a stated time.
enum class DoorState : std::uint8_t { Open, Holding, Probing, CoolingDown };

[[nodiscard]] std::string_view name(CeilingShape shape);
[[nodiscard]] std::string_view name(DoorState state);

} // namespace headway::pacing
