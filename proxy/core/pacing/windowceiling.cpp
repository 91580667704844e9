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
constexpr Nanoseconds lateTrial = 2s;
constexpr Nanoseconds longestBlock = 120s;
constexpr int mostDoubts = 4;
constexpr int doubtsOfMisfit = 2;
constexpr std::size_t leastInShort = 4;
constexpr std::size_t greatestStep = 64;

std::size_t lowered(std::size_t count)
{
    return std::max<std::size_t>(
        1, static_cast<std::size_t>(std::floor(0.85 * static_cast<double>(count))));
}

} // namespace

bool WindowCeiling::isPlausible(std::size_t length, SteadyTime now) const
{
    const Length &own = m_lengths[length];
    return own.counted > 0 && (own.most <= own.counted || now - own.mostAt > memory);
}

void WindowCeiling::passed(const PassLog &log, SteadyTime now)
{
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        Length &own = m_lengths[i];
        const std::size_t count = log.count(now, lengths[i]);
        if (count >= own.most || now - own.mostAt > memory) {
            own.most = count;
            own.mostAt = now;
        }
        // Judged before the rejection, reported after it.
        if (m_isClosed)
            own.counted = std::max(own.counted, count);
    }
}

void WindowCeiling::throttled(const PassLog &log, SteadyTime now)
{
    const bool growing = m_step > 1;
    m_step = 1;
    for (std::size_t i = 0; i < lengths.size(); ++i)
        m_lengths[i].counted = log.count(now, lengths[i]);
    m_fewer = false;
    m_isClosed = true;
    m_expected.reset();
    if (m_ceiling) {
        const std::size_t count = m_lengths[m_length].counted;
        m_fewer = count < *m_ceiling;
        m_lower.reset();
        if (growing && m_fewer) {
            m_ceiling = std::max<std::size_t>(1, count);
            m_confirmations = 1;
        } else if (m_fewer && 10 * count >= 3 * *m_ceiling) {
            m_lower = lowered(count);
        } else if (!m_fewer) {
            ++m_confirmations;
        }
        if (const std::size_t most = m_lower.value_or(*m_ceiling); count >= most)
            m_expected = log.downTo(most - 1, length());
        return;
    }
    for (std::size_t i = lengths.size(); i-- > 0;) {
        if (!isPlausible(i, now) || (i > m_length && isPlausible(m_length, now)))
            continue;
        m_expected = log.downTo(m_lengths[i].counted - 1, lengths[i]);
        return;
    }
}

void WindowCeiling::adopt(std::size_t length)
{
    m_length = length;
    m_ceiling = m_lengths[length].counted;
    m_confirmations = 1;
    m_step = 1;
}

bool WindowCeiling::isKnown() const
{
    return m_ceiling && (m_confirmations > 1 || m_length >= minute);
}

bool WindowCeiling::fits(std::size_t length, const PassLog &log, const Reopening &reopening) const
{
    const Length &own = m_lengths[length];
    if (!isPlausible(length, reopening.at))
        return false;
    if (length < minute && (own.counted < leastInShort || reopening.stated))
        return false;
    // The opening that is the evidence is in the log: it stands for the one that was forgotten.
    if (log.count(reopening.at, lengths[length]) > own.counted)
        return false;
    const bool wasFull = log.count(reopening.lastFailure, lengths[length]) > own.counted;
    return length <= std::max(m_length, minute) || (reopening.longClosed && wasFull);
}

std::optional<std::size_t> WindowCeiling::longestFitting(const PassLog &log,
                                                         const Reopening &reopening) const
{
    const std::size_t first = m_ceiling ? m_length + 1 : 0;
    for (std::size_t i = lengths.size(); i-- > first;) {
        if (fits(i, log, reopening))
            return i;
    }
    return std::nullopt;
}

void WindowCeiling::reopened(const PassLog &log, const Reopening &reopening)
{
    if (m_lower && !reopening.forOtherReasons) {
        m_ceiling = m_lower;
        m_confirmations = 0;
    }
    if (!reopening.forOtherReasons && (!m_ceiling || m_fewer)) {
        const auto length = longestFitting(log, reopening);
        if (length && (m_ceiling || m_doubts == 0))
            adopt(*length);
        else if (length)
            --m_doubts;
        else if (!m_ceiling)
            m_doubts = std::min(mostDoubts, m_doubts + doubtsOfMisfit);
        // What passed before passed under another ceiling.
        for (std::size_t i = 0; m_fewer && i < lengths.size(); ++i)
            m_lengths[i].most = 0;
    }
    m_lower.reset();
    m_fewer = false;
    m_isClosed = false;
    m_expected.reset();
}

void WindowCeiling::blockLasted(Nanoseconds time)
{
    m_block = std::clamp<Nanoseconds>(time, assumedBlock, longestBlock);
}

bool WindowCeiling::mayTry(SteadyTime now, std::optional<SteadyTime> next) const
{
    if (!m_lastTrial)
        return next && *next - now > m_block;
    if (m_step > 1)
        return true;
    const Nanoseconds since = now - *m_lastTrial;
    const Nanoseconds rest = m_confirmations >= 2 ? freeTrialWhenConfirmed : freeTrialEvery;
    const bool isFree = next && *next - now > m_block && *next - now <= m_block + lateTrial;
    return since >= m_patience || (isFree && since >= rest);
}

std::optional<SteadyTime> WindowCeiling::nextTry(SteadyTime now,
                                                 std::optional<SteadyTime> next) const
{
    if (!m_lastTrial)
        return std::nullopt;
    const Nanoseconds rest = m_confirmations >= 2 ? freeTrialWhenConfirmed : freeTrialEvery;
    if (next) {
        const SteadyTime free = std::max(*m_lastTrial + rest, *next - m_block - lateTrial);
        if (free > now && *next - free > m_block)
            return free;
    }
    return std::max(now, *m_lastTrial + m_patience);
}

void WindowCeiling::trialPassed(const PassLog &log, SteadyTime now)
{
    const std::size_t count = log.count(now, length());
    const std::size_t counted = m_lengths[m_length].counted;
    m_patience = firstPatience;
    m_confirmations = 0;
    for (std::size_t i = m_length; 5 * count > 6 * counted && i-- > 0;) {
        const std::size_t own = m_lengths[i].counted;
        if (own >= leastInShort && 5 * own >= 4 * counted && isPlausible(i, now)) {
            adopt(i);
            return;
        }
    }
    m_ceiling = std::max(m_ceiling.value_or(0), count) + m_step;
    m_step = std::min(greatestStep, 2 * m_step);
}

void WindowCeiling::trialFailed()
{
    m_step = 1;
    ++m_confirmations;
    m_patience = std::min(longestPatience, 2 * m_patience);
}

void WindowCeiling::wasNone()
{
    m_ceiling.reset();
    m_expected.reset();
    m_confirmations = 0;
    m_step = 1;
    m_doubts = std::min(mostDoubts, m_doubts + doubtsOfMisfit);
}

} // namespace headway::pacing
