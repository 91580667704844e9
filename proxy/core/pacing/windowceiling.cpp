// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/windowceiling.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace headway::pacing {

namespace {

using namespace std::chrono_literals;
using base::Nanoseconds;
using base::SteadyTime;

constexpr Nanoseconds memory = 10min;
constexpr Nanoseconds firstPatience = 120s;
constexpr Nanoseconds longestPatience = 480s;
constexpr Nanoseconds freeTrialEvery = 30s;
constexpr Nanoseconds freeTrialWhenConfirmed = 60s;
constexpr int mostDoubts = 4;
constexpr std::size_t greatestStep = 64;

std::size_t lowered(std::size_t count)
{
    return std::max<std::size_t>(
        1, static_cast<std::size_t>(std::floor(0.85 * static_cast<double>(count))));
}

} // namespace

bool WindowCeiling::isPlausible(std::size_t count, SteadyTime now) const
{
    return count > 0 && (m_mostPassed <= count || now - m_mostPassedAt > memory);
}

void WindowCeiling::passed(std::size_t count, SteadyTime now)
{
    if (count >= m_mostPassed || now - m_mostPassedAt > memory) {
        m_mostPassed = count;
        m_mostPassedAt = now;
    }
}

void WindowCeiling::throttled(std::size_t count, const PassLog &log, SteadyTime now)
{
    const bool growing = m_step > 1;
    m_step = 1;
    if (m_ceiling) {
        if (growing && count < *m_ceiling) {
            m_ceiling = std::max<std::size_t>(1, count);
            m_confirmations = 1;
        } else if (count < *m_ceiling && 10 * count >= 3 * *m_ceiling) {
            m_ceiling = lowered(count);
            m_confirmations = 0;
            m_mostPassed = 0;
        } else if (count >= *m_ceiling) {
            ++m_confirmations;
        }
        m_expected = count >= *m_ceiling ? log.downTo(*m_ceiling - 1) : std::nullopt;
        return;
    }
    if (!isPlausible(count, now))
        return;
    m_proposed = count;
    m_expected = log.downTo(count - 1);
}

void WindowCeiling::stillThrottled(std::size_t count, const PassLog &log, SteadyTime now)
{
    if (!m_expected || now < *m_expected)
        return;
    // The time at which it should have opened has passed: fewer may pass than it seemed.
    if (m_ceiling) {
        m_ceiling = lowered(count);
        m_confirmations = 0;
        m_mostPassed = 0;
        m_expected = log.downTo(*m_ceiling - 1);
    } else {
        m_proposed = lowered(count);
        m_expected = log.downTo(m_proposed - 1);
    }
}

void WindowCeiling::reopened(SteadyTime now, bool forOtherReasons)
{
    if (!forOtherReasons && !m_ceiling && m_expected) {
        if (now < *m_expected) {
            m_doubts = std::min(mostDoubts, m_doubts + 2);
        } else if (m_doubts > 0) {
            --m_doubts;
        } else {
            m_ceiling = m_proposed;
            m_confirmations = 1;
        }
    }
    m_expected.reset();
}

bool WindowCeiling::mayTry(SteadyTime now, std::optional<SteadyTime> next) const
{
    if (!m_lastTrial)
        return next && *next - now > longestBlock;
    const Nanoseconds since = now - *m_lastTrial;
    if (m_step > 1)
        return true;
    const Nanoseconds rest = m_confirmations >= 2 ? freeTrialWhenConfirmed : freeTrialEvery;
    return since >= m_patience || (next && *next - now > longestBlock && since >= rest);
}

std::optional<SteadyTime> WindowCeiling::nextTry(SteadyTime now,
                                                 std::optional<SteadyTime> next) const
{
    if (!m_lastTrial)
        return std::nullopt;
    const Nanoseconds rest = m_confirmations >= 2 ? freeTrialWhenConfirmed : freeTrialEvery;
    const SteadyTime free = *m_lastTrial + rest;
    if (next && free > now && *next - free > longestBlock)
        return free;
    return std::max(now, *m_lastTrial + m_patience);
}

void WindowCeiling::trying(SteadyTime now)
{
    m_lastTrial = now;
}

void WindowCeiling::trialPassed(std::size_t count)
{
    m_ceiling = std::max(m_ceiling.value_or(0), count) + m_step;
    m_step = std::min(greatestStep, 2 * m_step);
    m_confirmations = 0;
    m_patience = firstPatience;
}

void WindowCeiling::trialFailed()
{
    m_step = 1;
    ++m_confirmations;
    m_patience = std::min(longestPatience, 2 * m_patience);
}

void WindowCeiling::drop()
{
    m_ceiling.reset();
    m_expected.reset();
    m_confirmations = 0;
    m_step = 1;
}

} // namespace headway::pacing
