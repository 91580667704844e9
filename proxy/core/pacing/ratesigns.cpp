// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/ratesigns.h"

#include <algorithm>
#include <chrono>

namespace headway::pacing {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t passesBetween = 2;
constexpr int rejectionsInARow = 4;
constexpr base::Nanoseconds longestMeasured = 8s;
constexpr base::Nanoseconds shortest = 200ms;

} // namespace

void RateSigns::rejected(base::SteadyTime dial, base::SteadyTime now)
{
    // A dial from before the door opened says nothing about what happened since.
    if (m_passes > passesBetween || m_row == 0 || dial < m_openedAt) {
        m_row = 0;
        m_rowSince = now;
        m_rowPasses = 0;
    }
    ++m_row;
    m_rowPasses += static_cast<std::int64_t>(m_passes) + 1;
}

void RateSigns::reopened(std::optional<base::Nanoseconds> throttle, base::Nanoseconds least,
                         base::SteadyTime now, bool stated)
{
    m_passes = 0;
    m_openedAt = now;
    if (throttle) {
        m_lastThrottle = *throttle;
        m_lastStated = stated;
        m_least = least;
    }
}

bool RateSigns::afterThrottle() const
{
    return m_passes <= passesBetween && m_lastThrottle >= shortest;
}

std::optional<base::Nanoseconds> RateSigns::measured() const
{
    if (!afterThrottle() || m_lastStated || m_lastThrottle > longestMeasured)
        return std::nullopt;
    return m_lastThrottle;
}

base::Nanoseconds RateSigns::interval(base::SteadyTime dial) const
{
    const auto passes = static_cast<std::int64_t>(m_passes) + 1;
    return std::min((dial - m_openedAt) / passes, m_lastThrottle);
}

std::optional<base::Nanoseconds> RateSigns::afterRejections(base::SteadyTime now)
{
    if (m_row < rejectionsInARow + 2 * m_doubts)
        return std::nullopt;
    const base::Nanoseconds interval
        = (now - m_rowSince) / std::max<std::int64_t>(1, m_rowPasses - 1);
    m_row = 0;
    return interval < shortest ? std::nullopt : std::optional(interval);
}

} // namespace headway::pacing
