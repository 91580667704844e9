// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/unusedopening.h"

#include <algorithm>
#include <chrono>

namespace headway::pacing {

namespace {

using namespace std::chrono_literals;

constexpr double perMinute = 60'000'000'000.0; // nanoseconds

base::Nanoseconds idlePace(const Idleness &idleness)
{
    const double rate = idleness.settings.ratePerMinute;
    const base::Nanoseconds byRate{rate > 0 ? static_cast<base::Nanoseconds::rep>(perMinute / rate)
                                            : 0};
    return std::max<base::Nanoseconds>(1s, 2 * std::max(byRate, idleness.level.spacing));
}

} // namespace

bool isUnused(const Idleness &idleness, base::SteadyTime now)
{
    const PacerLevel &level = idleness.level;
    if (level.waiting > 0 || idleness.gated > 0 || idleness.cooling)
        return false;
    if (level.state != DoorState::Open)
        return false;
    if (level.enabled && level.tokens < idleness.settings.burst)
        return false;
    return !idleness.lastDial || now - *idleness.lastDial >= idlePace(idleness);
}

} // namespace headway::pacing
