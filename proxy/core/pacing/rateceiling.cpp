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
constexpr double beyondTooShort = 1.1;
constexpr double forgetting = 0.7;
constexpr double leastForgetting = 0.0005; // per opening
constexpr double mostForgetting = 0.04;

constexpr double drained = 0.1;
constexpr double closeEnough = 1.5;
constexpr double closest = 0.05; // of the interval
constexpr double worthSearching = 16; // s
constexpr int passesAfterEvidence = 4;
constexpr int passesToTrustOne = 8;
constexpr double mostAtOnce = 1.5;
constexpr int missesToDrop = 5;
constexpr int passedTrialsToDrop = 2;
constexpr Nanoseconds shortest = 50ms;
constexpr Nanoseconds longest = 120s;

Nanoseconds scaled(Nanoseconds time, double factor)
{
    return Nanoseconds(std::llround(static_cast<double>(time.count()) * factor));
}

} // namespace

void RateCeiling::adopt(const Adoption &seen, base::SteadyTime now)
{
    m_interval = std::clamp(seen.interval, shortest, longest);
    m_burst = std::clamp(static_cast<double>(seen.burst), 1.0, 100.0);
    m_saved = 0;
    m_at = now;
    m_passes = 0;
    m_misses = 0;
    m_confirmations = 1;
    m_passesToTrial = 1;
    m_failedTrials = 0;
    m_passedTrials = 0;
    m_tooShort = seen.tooShort;
    m_assumed = true;
    m_passedSearches = 0;
    m_forgetting = leastForgetting;
    m_underWay = 0;
    m_drained = true;
    m_gain = slightest;
    m_boundSince.reset();
    m_lastMiss.reset();
    m_lastOpening = seen.lastOpening;
    if (m_lastOpening && *m_lastOpening < now) {
        m_at = *m_lastOpening;
        refill(now);
        m_saved = std::min(m_saved, afterMiss);
    }
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
    m_searchedFrom = m_lastOpening.value_or(now);
    refill(now);
    m_saved -= 1;
    ++m_underWay;
    m_drained = m_saved < drained;
}

void RateCeiling::withdrawn(base::SteadyTime now)
{
    if (!isActive())
        return;
    refill(now);
    ended();
    m_saved = std::min(m_burst, m_saved + 1);
}

void RateCeiling::ended()
{
    m_underWay -= m_underWay > 0 ? 1 : 0;
}

void RateCeiling::passed(base::SteadyTime dial, std::size_t waiting)
{
    const bool pressed = waiting > 0;
    ended();
    m_waiting = waiting;
    m_lastOpening = std::max(dial, m_lastOpening.value_or(dial));
    shorten(dial);
    if (m_misses > 0)
        ++m_confirmations;
    m_misses = 0;
    m_passesToTrial = std::max(0, m_passesToTrial - 1);
    if (!pressed)
        m_boundSince.reset();
    ++m_boundPasses;
    if (pressed)
        m_tooShort = scaled(m_tooShort, 1 - m_forgetting);
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
    const double between = std::chrono::duration<double>(m_interval - m_tooShort).count();
    const double interval = std::chrono::duration<double>(m_interval).count();
    if (interval > closeEnough * (interval - between))
        return true;
    const auto number = static_cast<double>(m_waiting);
    return between > closest * interval && between * number * (number + 1) > worthSearching;
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
    if (!m_drained || !m_lastOpening || !isSearching())
        return std::nullopt;
    const base::SteadyTime at = std::max(now, *m_lastOpening + middle());
    return at < regular ? std::optional(at) : std::nullopt;
}

void RateCeiling::trialEnded(bool passed, base::SteadyTime dial, base::SteadyTime now)
{
    if (!isActive())
        return;
    refill(now);
    if (!passed) {
        ended();
        m_saved += 1; // it took nothing
        m_lastMiss = dial;
        m_passesSinceMiss = 0;
    }
    if (m_bisects) {
        searchEnded(passed, dial);
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

// What came too soon speaks for a rate as a trial would.
void RateCeiling::putOffTrial()
{
    m_passesToTrial = std::max(m_passesToTrial, passesAfterEvidence);
}

void RateCeiling::searchEnded(bool passed, base::SteadyTime dial)
{
    const Nanoseconds tried = dial - m_searchedFrom;
    if (!passed) {
        m_tooShort = std::max(m_tooShort, tried);
        m_forgetting = std::max(leastForgetting, m_forgetting / 2);
        m_assumed = false;
        m_passedSearches = 0;
        ++m_confirmations;
        putOffTrial();
        return;
    }
    // Something may have been left over: soon after a miss only the sum since then tells.
    if (!m_lastMiss || m_passesSinceMiss >= passesToTrustOne)
        m_interval = std::min(m_interval, tried);
    m_forgetting = std::min(mostForgetting, 2 * m_forgetting);
    if (m_assumed && ++m_passedSearches > 1)
        m_tooShort = Nanoseconds(0);
    m_saved = 0;
    m_at = dial;
    m_boundSince.reset();
    if (m_interval < shortest)
        drop();
}

// With less than one opening left at a miss, the k-th after it shows that k - 1 intervals are over.
void RateCeiling::shorten(base::SteadyTime dial)
{
    if (!m_lastMiss || dial <= *m_lastMiss)
        return;
    if (++m_passesSinceMiss < 2)
        return;
    const Nanoseconds longEnough = (dial - *m_lastMiss) / (m_passesSinceMiss - 1);
    if (longEnough >= m_interval)
        return;
    m_interval = std::max(longEnough, shortest);
    if (m_tooShort >= m_interval)
        m_tooShort = scaled(m_interval, forgetting);
}

void RateCeiling::missed(base::SteadyTime dial, bool proves, base::SteadyTime now)
{
    if (!isActive())
        return;
    refill(now);
    ended();
    m_passes = 0;
    m_gain = slightest;
    m_lastMiss = dial;
    m_passesSinceMiss = 0;
    m_saved = std::min(m_saved + 1, afterMiss); // it took nothing
    m_interval = std::min(longest, scaled(m_interval, ++m_misses == 1 ? 1.03 : 1.15));
    if (proves && m_lastOpening && m_underWay == 0 && dial > *m_lastOpening)
        lengthen(dial - *m_lastOpening, now - dial);
    bound(now);
    if (m_misses >= missesToDrop)
        drop();
}

// After an opening nothing is owed: what was rejected that long after it came too soon.
void RateCeiling::lengthen(Nanoseconds tooShort, Nanoseconds answered)
{
    tooShort = std::min(tooShort, scaled(m_interval, mostAtOnce));
    if (tooShort <= m_tooShort)
        return;
    m_tooShort = tooShort;
    m_assumed = false;
    m_forgetting = std::min(mostForgetting, 2 * m_forgetting);
    putOffTrial();
    m_interval = std::clamp(m_interval, scaled(tooShort, beyondTooShort), longest);
    m_saved = static_cast<double>((tooShort + answered).count())
        / static_cast<double>(m_interval.count());
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
