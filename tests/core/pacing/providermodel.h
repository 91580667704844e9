// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/random.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <vector>

namespace headway::pacing::test {

// A provider that limits upgrades, in seconds. It knows nothing of any policy.
struct Limits
{
    double windowMax = 0; // sliding window: openings in windowSeconds; 0: none
    double windowSeconds = 60;
    double blockSeconds = 20; // a rejection by the window closes the door for so long
    bool blockExtends = false; // and so does every rejection meanwhile
    double bucketRate = 0; // per minute; 0: none
    double bucketBurst = 10;
    std::size_t socketMax = 0; // open sockets, idle ones too; 0: none
    double rejectShare = 0; // random rejections
    double outageFrom = 0, outageFor = 0;
    double othersPerMinute = 0;
    double changeAt = 0, changedMax = 0; // the window's (or bucket's rate) from then on
    double retryAfter = 0; // stated with each rejection; 0: not stated
};

class ProviderModel
{
public:
    ProviderModel(const Limits &limits, std::uint64_t seed)
        : m_limits(limits)
        , m_tokens(limits.bucketBurst)
        , m_random(seed)
    {
    }

    // Would an upgrade at t pass, chance left out? (What the oracle asks.)
    [[nodiscard]] bool wouldPass(double t, std::size_t sockets)
    {
        tick(t);
        return t >= m_blockedUntil && !outage(t) && !windowFull()
            && (m_limits.bucketRate <= 0 || m_tokens >= 1 - 1e-9)
            && (m_limits.socketMax == 0 || sockets < m_limits.socketMax);
    }

    bool upgrade(double t, std::size_t sockets)
    {
        tick(t);
        const bool blocked = t < m_blockedUntil;
        const bool full = windowFull();
        if ((full && !blocked) || (blocked && m_limits.blockExtends))
            m_blockedUntil = t + m_limits.blockSeconds;
        if (blocked || full || !wouldPass(t, sockets)
            || m_random.uniform(0, 1) < m_limits.rejectShare)
            return false;
        m_tokens -= 1;
        m_openings.push_back(t);
        return true;
    }

private:
    [[nodiscard]] bool outage(double t) const
    {
        return t >= m_limits.outageFrom && t < m_limits.outageFrom + m_limits.outageFor;
    }
    [[nodiscard]] bool windowFull() const
    {
        const bool changed = m_limits.changeAt > 0 && m_at >= m_limits.changeAt;
        const double max = changed ? m_limits.changedMax : m_limits.windowMax;
        return m_limits.windowMax > 0 && static_cast<double>(m_openings.size()) >= max;
    }
    [[nodiscard]] double rate() const
    {
        const bool changed = m_limits.changeAt > 0 && m_at >= m_limits.changeAt;
        return changed ? m_limits.changedMax : m_limits.bucketRate;
    }
    void tick(double t)
    {
        // Somebody else opens too; what is rejected there leaves no trace.
        while (m_limits.othersPerMinute > 0 && m_nextOther <= t) {
            advance(m_nextOther);
            if (m_nextOther >= m_blockedUntil && !windowFull()) {
                m_openings.push_back(m_nextOther);
                m_tokens -= 1;
            }
            m_nextOther += m_random.uniform(0, 120 / m_limits.othersPerMinute);
        }
        advance(t);
    }
    void advance(double t)
    {
        if (t > m_at) {
            m_tokens = std::min(m_limits.bucketBurst, m_tokens + (t - m_at) * rate() / 60);
            m_at = t;
        }
        while (!m_openings.empty() && m_openings.front() <= m_at - m_limits.windowSeconds)
            m_openings.pop_front();
    }

    Limits m_limits;
    double m_tokens;
    double m_at = 0;
    double m_blockedUntil = 0;
    double m_nextOther = 0;
    std::deque<double> m_openings;
    base::Random m_random;
};

} // namespace headway::pacing::test
