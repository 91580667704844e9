// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/throttle.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace headway::pacing {

namespace {

using namespace std::chrono_literals;
using base::Nanoseconds;
using base::SteadyTime;

constexpr Nanoseconds longestStated = 120s;
constexpr double shortestGap = 0.15; // s
constexpr double longestGap = 8;
constexpr double firstOverdueGap = 1;
constexpr double longestOverdueGap = 80;
constexpr double overdueGrows = 1.3;
constexpr int overdueFailuresIfLong = 3;
constexpr Nanoseconds longThrottle = 65s;
constexpr int failuresBeforeShedding = 3;
constexpr int failuresBeforeSilence = 3;

double overdueGap(int failures)
{
    double seconds = firstOverdueGap;
    for (int i = 1; i < failures && seconds < longestOverdueGap; ++i)
        seconds *= overdueGrows;
    return std::min(longestOverdueGap, seconds);
}

Nanoseconds ofSeconds(double seconds)
{
    return Nanoseconds(std::llround(seconds * 1e9));
}

} // namespace

void Throttle::begin(SteadyTime dial, SteadyTime now)
{
    const Throttle before = *this;
    *this = {};
    since = now;
    lastFailure = now;
    firstDial = dial;
    rejectedDial = dial;
    notBefore = before.notBefore;
    block = before.block;
    quietUntil = now;
    believesStated = before.believesStated;
    failures = 1;
}

void Throttle::heed(std::optional<base::Milliseconds> retryAfter, SteadyTime now)
{
    if (!retryAfter)
        return;
    const Nanoseconds stated = std::min<Nanoseconds>(*retryAfter, longestStated);
    notBefore = std::max(notBefore, now + stated);
    block = std::max<Nanoseconds>(stated, WindowCeiling::assumedBlock);
}

void Throttle::disproved(SteadyTime now)
{
    if (now < notBefore)
        believesStated = false;
    notBefore = std::min(notBefore, now);
}

void Throttle::failed(SteadyTime now, std::optional<SteadyTime> opening)
{
    lastFailure = now;
    if (!confirmed)
        return;
    if (overdueFailures > 0 || (opening && now >= *opening))
        ++overdueFailures;
    trustsWindow = false;
}

bool Throttle::isLong() const
{
    return overdueFailures >= overdueFailuresIfLong && lastFailure - firstDial > longThrottle;
}

SteadyTime Throttle::nextProbe(std::size_t waiting, std::optional<SteadyTime> opening,
                               bool mayShed) const
{
    if (!confirmed)
        return believesStated ? notBefore : since;
    const double lasted = std::chrono::duration<double>(lastFailure - since).count();
    const auto number = static_cast<double>(std::max<std::size_t>(1, waiting));
    double gap = std::clamp(2 * std::sqrt(lasted / number), shortestGap, longestGap);
    if (overdueFailures > 0) {
        gap = std::max(gap, overdueGap(overdueFailures));
    }
    SteadyTime at = std::max(lastFailure + ofSeconds(gap), notBefore);
    if (!closedSome)
        at = std::max(at, quietUntil);
    if (!opening || lastFailure >= *opening)
        return at;
    const bool goesAllTheSame = doubtsWindow || failures < failuresBeforeSilence
        || (mayShed && failures <= failuresBeforeShedding);
    if (trustsWindow || (!goesAllTheSame && at > *opening - block))
        return std::max({at, *opening, lastFailure + block});
    return at;
}

bool Throttle::opens(SteadyTime now, std::optional<SteadyTime> opening) const
{
    return opening && lastFailure < *opening && now >= *opening;
}

} // namespace headway::pacing
