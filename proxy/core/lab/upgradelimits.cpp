// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/lab/upgradelimits.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headway::lab {

namespace {

using Kind = UpgradeLimit::Kind;

// A token that is there but for the rounding of many small refills counts.
constexpr double almostOne = 1.0 - 1e-9;
constexpr double nanosecondsPerMinute = 60e9;

} // namespace

UpgradeLimits::UpgradeLimits(std::vector<UpgradeLimit> limits, base::SteadyTime start,
                             base::Random random)
    : m_start(start)
    , m_random(random)
{
    for (UpgradeLimit &limit : limits) {
        Law law;
        law.tokens = limit.burst;
        law.refilled = start;
        law.limit = std::move(limit);
        m_laws.push_back(std::move(law));
    }
}

double UpgradeLimits::maxOf(const Law &law, base::SteadyTime now) const
{
    const UpgradeLimit &limit = law.limit;
    if (limit.every.count() <= 0)
        return limit.max.front();
    const auto period = static_cast<std::size_t>((now - m_start) / limit.every);
    return limit.max[std::min(period, limit.max.size() - 1)];
}

std::optional<base::SteadyTime> UpgradeLimits::nextPeriod(const Law &law,
                                                          base::SteadyTime now) const
{
    if (law.limit.every.count() <= 0)
        return std::nullopt;
    const auto next = (now - m_start) / law.limit.every + 1;
    if (static_cast<std::size_t>(next) >= law.limit.max.size())
        return std::nullopt;
    return m_start + next * law.limit.every;
}

void UpgradeLimits::bringUpTo(Law &law, base::SteadyTime now) const
{
    switch (law.limit.kind) {
    case Kind::SlidingWindow:
        while (!law.accepted.empty() && law.accepted.front() + law.limit.window <= now)
            law.accepted.pop_front();
        break;
    case Kind::TokenBucket:
        law.tokens = std::min(law.limit.burst,
                              law.tokens
                                  + static_cast<double>((now - law.refilled).count())
                                      * law.limit.ratePerMinute / nanosecondsPerMinute);
        law.refilled = now;
        break;
    case Kind::AfterTotal:
        if (law.closedUntil && now >= *law.closedUntil) {
            law.closedUntil.reset();
            law.total = 0;
        }
        break;
    case Kind::Concurrent:
    case Kind::Random:
        break;
    }
}

bool UpgradeLimits::hasRoom(const Law &law, base::SteadyTime now) const
{
    switch (law.limit.kind) {
    case Kind::SlidingWindow:
        if (law.closedUntil && now < *law.closedUntil)
            return false;
        return static_cast<double>(law.accepted.size()) < maxOf(law, now);
    case Kind::TokenBucket:
        return law.tokens >= almostOne;
    case Kind::AfterTotal:
        return law.total < maxOf(law, now);
    case Kind::Concurrent:
    case Kind::Random:
        break;
    }
    return true;
}

UpgradeLimits::Verdict UpgradeLimits::ask(base::SteadyTime now, std::size_t open)
{
    for (Law &law : m_laws) {
        bringUpTo(law, now);
        bool agrees = hasRoom(law, now);
        if (law.limit.kind == Kind::Concurrent)
            agrees = static_cast<double>(open) < maxOf(law, now);
        if (law.limit.kind == Kind::Random)
            agrees = m_random.uniform(0, 1) >= law.limit.probability;
        if (agrees)
            continue;
        const bool isClosed = law.closedUntil && now < *law.closedUntil;
        if (law.limit.kind == Kind::SlidingWindow && !isClosed)
            law.closedUntil = now + law.limit.block;
        return {false, law.limit.retryAfter};
    }
    for (Law &law : m_laws)
        count(law, now);
    return {};
}

void UpgradeLimits::count(Law &law, base::SteadyTime now) const
{
    switch (law.limit.kind) {
    case Kind::SlidingWindow:
        law.accepted.push_back(now);
        break;
    case Kind::TokenBucket:
        law.tokens -= 1;
        break;
    case Kind::AfterTotal:
        law.total += 1;
        if (law.limit.reset && law.total >= maxOf(law, now))
            law.closedUntil = now + *law.limit.reset;
        break;
    case Kind::Concurrent:
    case Kind::Random:
        break;
    }
}

void UpgradeLimits::openedByOthers(base::SteadyTime now)
{
    for (Law &law : m_laws) {
        bringUpTo(law, now);
        if (!hasRoom(law, now))
            return;
    }
    for (Law &law : m_laws)
        count(law, now);
}

// When this limit alone would next have room; the room may be gone by then for another reason.
std::optional<base::SteadyTime> UpgradeLimits::earliestOf(const Law &law,
                                                          base::SteadyTime now) const
{
    std::optional<base::SteadyTime> byItself;
    const auto period = nextPeriod(law, now);
    switch (law.limit.kind) {
    case Kind::SlidingWindow: {
        if (law.closedUntil && now < *law.closedUntil)
            return law.closedUntil;
        const auto allowed = static_cast<std::size_t>(std::ceil(maxOf(law, now)));
        if (law.accepted.size() < allowed)
            return now;
        if (allowed > 0)
            byItself = law.accepted[law.accepted.size() - allowed] + law.limit.window;
        break;
    }
    case Kind::TokenBucket: {
        if (law.tokens >= almostOne)
            return now;
        if (!(law.limit.ratePerMinute > 0) || law.limit.burst < almostOne)
            return std::nullopt;
        const double wait = (1 - law.tokens) * nanosecondsPerMinute / law.limit.ratePerMinute;
        return now + base::Nanoseconds(static_cast<std::int64_t>(std::ceil(wait)));
    }
    case Kind::AfterTotal:
        if (law.total < maxOf(law, now))
            return now;
        byItself = law.closedUntil;
        break;
    case Kind::Concurrent:
        return now;
    case Kind::Random:
        return law.limit.probability < 1 ? std::optional(now) : std::nullopt;
    }
    if (!byItself || !period)
        return byItself ? byItself : period;
    return std::min(*byItself, *period);
}

std::optional<base::SteadyTime> UpgradeLimits::earliest(base::SteadyTime now)
{
    base::SteadyTime latest = now;
    for (Law &law : m_laws) {
        bringUpTo(law, now);
        const auto own = earliestOf(law, now);
        if (!own)
            return std::nullopt;
        latest = std::max(latest, *own);
    }
    return latest;
}

std::optional<std::size_t> UpgradeLimits::socketRoom(base::SteadyTime now) const
{
    std::optional<std::size_t> room;
    for (const Law &law : m_laws) {
        if (law.limit.kind != Kind::Concurrent)
            continue;
        // ceil(max) - 1 others may be open: the asking socket must find fewer than max.
        const auto allowed = static_cast<std::size_t>(std::ceil(maxOf(law, now)));
        room = std::min(room.value_or(allowed), allowed);
    }
    return room;
}

} // namespace headway::lab
