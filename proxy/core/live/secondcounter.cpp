// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/live/secondcounter.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace headway::live {

namespace {

double rank(const std::vector<double> &sorted, double quantile)
{
    const auto count = static_cast<double>(sorted.size());
    const auto index = static_cast<std::size_t>(std::ceil(quantile * count)) - 1;
    return sorted[std::min(index, sorted.size() - 1)];
}

} // namespace

SecondStats &SecondCounter::second(base::WallTime at)
{
    const std::int64_t unix
        = std::chrono::floor<std::chrono::seconds>(at.time_since_epoch()).count();
    // A clock that steps back stays in the second it had reached.
    if (unix > m_current.second) {
        if (m_current.second != 0)
            close();
        const SecondStats last = std::exchange(m_current, {});
        m_current.second = unix;
        m_current.bucketLevel = last.bucketLevel;
        m_current.queueLength = last.queueLength;
    }
    return m_current;
}

void SecondCounter::close()
{
    if (!m_waits.empty()) {
        std::ranges::sort(m_waits);
        m_current.waits = static_cast<std::uint32_t>(m_waits.size());
        m_current.waitP50Ms = rank(m_waits, 0.50);
        m_current.waitP95Ms = rank(m_waits, 0.95);
        m_current.waitMaxMs = m_waits.back();
        m_waits.clear();
    }
    m_done.push_back(m_current);
    if (m_done.size() > mostKept)
        m_done.pop_front(); // nobody looks
}

void SecondCounter::start(Start kind, base::WallTime at)
{
    SecondStats &stats = second(at);
    switch (kind) {
    case Start::Continued:
        ++stats.continued;
        return;
    case Start::LaneOrSpare:
        ++stats.laneOrSpare;
        return;
    case Start::OpenedAtOnce:
        ++stats.openedAtOnce;
        return;
    case Start::OpenedAfterWait:
        ++stats.openedAfterWait;
        return;
    case Start::Refused:
        ++stats.refused;
        return;
    }
}

void SecondCounter::wait(base::Nanoseconds waited, base::WallTime at)
{
    second(at);
    m_waits.push_back(std::chrono::duration<double, std::milli>(waited).count());
}

void SecondCounter::rejection(base::WallTime at)
{
    ++second(at).rejections;
}

void SecondCounter::ended(bool completed, base::WallTime at)
{
    SecondStats &stats = second(at);
    ++(completed ? stats.completed : stats.failed);
}

void SecondCounter::turnRefused(base::WallTime at)
{
    ++second(at).turnsRefused;
}

void SecondCounter::tokens(std::uint64_t input, std::uint64_t cached, base::WallTime at)
{
    SecondStats &stats = second(at);
    stats.inputTokens += input;
    stats.cachedTokens += cached;
}

void SecondCounter::warning(base::WallTime at)
{
    ++second(at).warnings;
}

void SecondCounter::level(double bucket, std::uint32_t queueLength, base::WallTime at)
{
    SecondStats &stats = second(at);
    stats.bucketLevel = bucket;
    stats.queueLength = queueLength;
}

std::vector<SecondStats> SecondCounter::take()
{
    std::vector<SecondStats> result(m_done.begin(), m_done.end());
    m_done.clear();
    if (m_current.second == 0)
        return result;
    SecondStats open = m_current;
    if (!m_waits.empty()) {
        std::vector<double> sorted = m_waits;
        std::ranges::sort(sorted);
        open.waits = static_cast<std::uint32_t>(sorted.size());
        open.waitP50Ms = rank(sorted, 0.50);
        open.waitP95Ms = rank(sorted, 0.95);
        open.waitMaxMs = sorted.back();
    }
    result.push_back(open);
    return result;
}

} // namespace headway::live
