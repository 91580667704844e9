// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/core/pacing/pacer.h"

#include <cstddef>
#include <optional>

namespace headway::pacing {

// How things stand at the door, for who would open a connection ahead of any need.
struct Idleness
{
    PacerLevel level;
    PacerSettings settings;
    std::size_t gated = 0; // turns in front of an upstream call
    bool cooling = false; // the provider asked everybody to slow down
    std::optional<base::SteadyTime> lastDial; // of anybody
};

// Whether an opening would go to waste now (spec/heads.md section 7): nobody waits for one, nothing
// is known against it, the bucket is full so that what it gains is lost, and nobody has opened for
// twice the distance of two openings (60 s / rate, or the spacing in force; at least 1 s).
[[nodiscard]] bool isUnused(const Idleness &idleness, base::SteadyTime now);

} // namespace headway::pacing
