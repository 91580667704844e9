// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/rateceiling.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>

namespace headway::pacing {

namespace {

using namespace std::chrono_literals;
using base::Nanoseconds;

constexpr double slightest = 0.02;
constexpr double boldest = 0.25;
constexpr double afterMiss = 0.7;
constexpr int passesPerStep = 16;
constexpr int passesToBound = 4;
constexpr Nanoseconds longestBound = 60s;
constexpr double forgetting = 0.7;
constexpr double drained = 0.1;
constexpr double closeEnough = 1.5;
constexpr int missesToDrop = 5;
constexpr int passedTrialsToDrop = 2;
constexpr Nanoseconds shortest = 50ms;
constexpr Nanoseconds longest = 120s;

Nanoseconds scaled(Nanoseconds time, double factor)
{
    return Nanoseconds(std::llround(static_cast<double>(time.count()) * factor));
}

} // namespace

void RateCeiling::adopt(Nanoseconds interval, Nanoseconds tooShort, std::size_t burst,
                        base::SteadyTime now)
{
    m_interval = std::clamp(interval, shortest, longest);
    m_burst = std::clamp(static_cast<double>(burst), 1.0, 100.0);
    m_saved = 0;
    m_at = now;
    m_passes = 0;
    m_misses = 0;
    m_confirmations = 1;
    m_passesToTrial = 1;
    m_failedTrials = 0;
    m_passedTrials = 0;
    m_tooShort = tooShort;
    m_assumed = true;
    m_drained = true;
    m_gain = slightest;
    m_boundSince.reset();
}

void RateCeiling::refill(base::SteadyTime now)
{
    if (now <= m_at)
        return;
    const double gained
        = static_cast<double>((now - m_at).count()) / static_cast<double>(m_interval.count());
    m_saved = std::min(m_burst, m_saved + gained);
    m_at = now;
}

base::SteadyTime RateCeiling::next(base::SteadyTime now) const
{
    return std::max(now, m_at + scaled(m_interval, std::max(0.0, 1 - m_saved)));
}

std::size_t RateCeiling::room(base::SteadyTime now) const
{
    RateCeiling then(*this);
    then.refill(now);
    return static_cast<std::size_t>(std::max(0.0, then.m_saved + 1e-6));
}

void RateCeiling::dialled(base::SteadyTime now, bool early)
{
    if (!isActive())
        return;
    m_bisects = early && m_passesToTrial > 0;
    refill(now);
    m_saved -= 1;
    m_drained = m_saved < drained;
}

void RateCeiling::withdrawn(base::SteadyTime now)
{
    if (!isActive())
        return;
    refill(now);
    m_saved = std::min(m_burst, m_saved + 1);
}

void RateCeiling::passed(bool pressed)
{
    if (m_misses > 0)
        ++m_confirmations;
    m_misses = 0;
    m_passesToTrial = std::max(0, m_passesToTrial - 1);
    if (!pressed)
        m_boundSince.reset();
    ++m_boundPasses;
    if (!isActive() || !pressed || ++m_passes < passesPerStep)
        return;
    m_passes = 0;
    m_interval = scaled(m_interval, 1 - m_gain);
    if (m_gain > slightest)
        m_tooShort = scaled(m_tooShort, forgetting);
    m_gain = std::min(boldest, 2 * m_gain);
    if (m_interval < shortest)
        drop();
}

bool RateCeiling::isSearching() const
{
    return static_cast<double>(m_interval.count())
        > closeEnough * static_cast<double>(m_tooShort.count());
}

Nanoseconds RateCeiling::middle() const
{
    return m_tooShort.count() > 0 ? (m_interval + m_tooShort) / 2 : m_interval / 4;
}

std::optional<base::SteadyTime> RateCeiling::trialAt(base::SteadyTime now) const
{
    if (!isActive() || m_misses > 0)
        return std::nullopt;
    const base::SteadyTime regular = next(now);
    if (m_passesToTrial == 0)
        return regular - now > m_interval / 2 ? std::optional(now) : std::nullopt;
    if (!m_drained || !isSearching())
        return std::nullopt;
    return std::max(now, regular - (m_interval - middle()));
}

void RateCeiling::trialEnded(bool passed, base::SteadyTime now)
{
    if (!isActive())
        return;
    refill(now);
    if (!passed)
        m_saved += 1; // it took nothing
    if (m_bisects) {
        searchEnded(passed);
        return;
    }
    if (!passed) {
        m_passedTrials = 0;
        ++m_confirmations;
        m_passesToTrial = 1 << std::min(6, ++m_failedTrials);
        return;
    }
    m_interval /= 2;
    m_saved = 0;
    m_boundSince.reset();
    m_passesToTrial = 0;
    if (++m_passedTrials >= passedTrialsToDrop || m_interval < shortest)
        drop();
}

void RateCeiling::searchEnded(bool passed)
{
    if (!passed) {
        m_tooShort = middle();
        m_assumed = false;
        ++m_confirmations;
        return;
    }
    m_interval = middle();
    if (m_assumed)
        m_tooShort = Nanoseconds(0);
    m_saved = 0;
    m_boundSince.reset();
    if (m_interval < shortest)
        drop();
}

void RateCeiling::missed(base::SteadyTime now)
{
    if (!isActive())
        return;
    refill(now);
    m_passes = 0;
    m_gain = slightest;
    m_saved = std::min(m_saved, afterMiss);
    m_interval = std::min(longest, scaled(m_interval, ++m_misses == 1 ? 1.03 : 1.15));
    bound(now);
    if (m_misses >= missesToDrop)
        drop();
}

void RateCeiling::bound(base::SteadyTime now)
{
    if (m_boundSince && m_boundPasses >= passesToBound) {
        const Nanoseconds time = now - *m_boundSince;
        m_interval = std::clamp(m_interval, time / (m_boundPasses + 1), time / (m_boundPasses - 1));
    }
    if (!m_boundSince || now - *m_boundSince > longestBound) {
        m_boundSince = now;
        m_boundPasses = 0;
    }
}

} // namespace headway::pacing
