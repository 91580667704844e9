// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/upgradelimiter.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headway::simulator {

UpgradeLimiter::UpgradeLimiter(std::vector<UpgradeLimit> limits, double othersPerMinute,
                               std::uint64_t seed, base::SteadyTime start)
    : m_random(seed)
    , m_start(start)
{
    for (UpgradeLimit &limit : limits) {
        Law law;
        law.tokens = limit.burst;
        law.refilled = start;
        law.limit = std::move(limit);
        m_laws.push_back(std::move(law));
    }
    if (othersPerMinute > 0) {
        m_othersGap = base::Nanoseconds{std::llround(60e9 / othersPerMinute)};
        m_nextOther = start + *m_othersGap;
    }
}

UpgradeVerdict UpgradeLimiter::ask(base::SteadyTime now, std::size_t openSockets)
{
    letOthersIn(now);
    return decide(now, openSockets);
}

void UpgradeLimiter::letOthersIn(base::SteadyTime now)
{
    while (m_othersGap && m_nextOther <= now) {
        // How long the others keep their sockets is unknown: they do not count as open ones.
        (void)decide(m_nextOther, std::nullopt);
        m_nextOther += *m_othersGap;
    }
}

UpgradeVerdict UpgradeLimiter::decide(base::SteadyTime now, std::optional<std::size_t> openSockets)
{
    for (Law &law : m_laws) {
        if (!agrees(law, now, openSockets))
            return {
                .accepted = false, .status = law.limit.status, .retryAfter = law.limit.retryAfter};
    }
    for (Law &law : m_laws)
        count(law, now, maxOf(law, now));
    return {};
}

double UpgradeLimiter::maxOf(const Law &law, base::SteadyTime now) const
{
    if (law.limit.max.empty())
        return 0;
    if (law.limit.every.count() <= 0)
        return law.limit.max.front();
    const auto period = static_cast<std::size_t>((now - m_start) / law.limit.every);
    return law.limit.max[std::min(period, law.limit.max.size() - 1)];
}

bool UpgradeLimiter::agrees(Law &law, base::SteadyTime now, std::optional<std::size_t> openSockets)
{
    using Kind = UpgradeLimit::Kind;
    switch (law.limit.kind) {
    case Kind::SlidingWindow:
        if (law.closedUntil && now < *law.closedUntil)
            return false;
        while (!law.accepted.empty() && law.accepted.front() + law.limit.window <= now)
            law.accepted.pop_front();
        if (static_cast<double>(law.accepted.size()) < maxOf(law, now))
            return true;
        law.closedUntil = now + law.limit.block;
        return false;
    case Kind::TokenBucket: {
        const std::chrono::duration<double, std::ratio<60>> minutes = now - law.refilled;
        law.tokens
            = std::min(law.limit.burst, law.tokens + law.limit.ratePerMinute * minutes.count());
        law.refilled = now;
        // The refill adds many small fractions: a token that is there but for rounding counts.
        return law.tokens >= 1.0 - 1e-9;
    }
    case Kind::Concurrent:
        return !openSockets || static_cast<double>(*openSockets) < maxOf(law, now);
    case Kind::RandomRefusal:
        return m_random.uniform(0, 1) >= law.limit.probability;
    case Kind::AfterTotal:
        if (law.closedUntil && now >= *law.closedUntil) {
            law.closedUntil.reset();
            law.total = 0;
        }
        return law.total < maxOf(law, now);
    }
    return true;
}

void UpgradeLimiter::count(Law &law, base::SteadyTime now, double max)
{
    using Kind = UpgradeLimit::Kind;
    switch (law.limit.kind) {
    case Kind::SlidingWindow:
        law.accepted.push_back(now);
        break;
    case Kind::TokenBucket:
        law.tokens -= 1;
        break;
    case Kind::AfterTotal:
        law.total += 1;
        if (law.total >= max)
            law.closedUntil = now + law.limit.reset;
        break;
    case Kind::Concurrent:
    case Kind::RandomRefusal:
        break;
    }
}

} // namespace headway::simulator
