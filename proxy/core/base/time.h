// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace headway::base {

using Nanoseconds = std::chrono::nanoseconds;
using Milliseconds = std::chrono::milliseconds;
using Seconds = std::chrono::seconds;

// Monotonic: decides every wait. Never read here; it arrives inside Now.
using SteadyTime = std::chrono::time_point<std::chrono::steady_clock, Nanoseconds>;
// Wall clock, UTC: what the provider states as wall time, ages that must count a suspended
// machine, display and records.
using WallTime = std::chrono::sys_time<Milliseconds>;

// The one way time enters the core: an argument of every call that depends on it.
struct Now
{
    SteadyTime steady;
    WallTime wall;

    friend constexpr bool operator==(const Now &, const Now &) = default;
};

} // namespace headway::base
