// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/socketcap.h"

#include <algorithm>
#include <chrono>

namespace headway::pacing {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t openingsToAdopt = 2;
constexpr int dialsBeforeTrial = 8;
constexpr int dialsBeforeNextTrial = 64;
constexpr int passedTrialsToDrop = 3;
constexpr int passesBetweenDoubts = 64;
constexpr std::size_t fewSockets = 8;
constexpr base::Nanoseconds patienceEach = 25s;
constexpr base::Nanoseconds longestPatience = 60s;

} // namespace

base::Nanoseconds SocketCap::patience(std::size_t sockets) const
{
    if (sockets >= fewSockets)
        return base::Nanoseconds(0);
    return std::min<base::Nanoseconds>(longestPatience, m_shedInVain * patienceEach);
}

void SocketCap::throttled(std::size_t sockets)
{
    // Another number than last time is another reason.
    if (m_seen > 0 && sockets != m_atThrottle)
        m_seen = 0;
    m_atThrottle = sockets;
}

void SocketCap::reopened(std::size_t sockets, bool closedSome)
{
    if (m_cap)
        return;
    if (!closedSome || sockets > m_atThrottle || m_atThrottle == 0) {
        m_seen = 0;
        return;
    }
    m_shedInVain = 0;
    if (++m_seen >= openingsToAdopt) {
        m_cap = m_atThrottle;
        m_dialsAtCap = 0;
        m_passedTrials = 0;
        m_failedTrials = 0;
    }
}

void SocketCap::passed(std::size_t sockets)
{
    m_passesToDoubt -= m_passesToDoubt > 0 ? 1 : 0;
    m_mostPassed = std::max(m_mostPassed, sockets);
    if (sockets > m_atThrottle)
        m_seen = 0;
}

void SocketCap::missed(std::size_t sockets)
{
    // What once passed may have been lowered since.
    m_mostPassed -= m_mostPassed > sockets ? 1 : 0;
}

void SocketCap::doubted(std::size_t sockets)
{
    if (!m_cap || sockets >= *m_cap)
        return;
    if (m_passesToDoubt > 0)
        drop();
    m_passesToDoubt = passesBetweenDoubts;
}

void SocketCap::confirmed(std::size_t sockets)
{
    if (m_cap && sockets < *m_cap)
        drop();
    if (sockets < m_atThrottle)
        m_seen = 0;
}

void SocketCap::drop()
{
    m_cap.reset();
    m_seen = 0;
}

SocketCap::Permit SocketCap::permit(const SocketLevel &level, std::size_t dialling) const
{
    if (!m_cap || level.open + dialling < *m_cap)
        return {};
    const int patience = m_failedTrials > 0 ? dialsBeforeNextTrial : dialsBeforeTrial;
    if (level.open + dialling == *m_cap && dialling == 0 && m_dialsAtCap >= patience)
        return {.may = true, .shedTo = std::nullopt, .trial = true};
    const std::size_t excess = level.open + dialling + 1 - *m_cap;
    if (excess > level.idle || *m_cap < dialling + 1)
        return {.may = false, .shedTo = std::nullopt, .trial = false};
    return {.may = true, .shedTo = *m_cap - 1 - dialling, .trial = false};
}

void SocketCap::dialled(const Permit &permit)
{
    if (permit.trial)
        m_dialsAtCap = 0;
    else if (permit.shedTo)
        ++m_dialsAtCap;
}

void SocketCap::trialEnded(bool passed, std::size_t sockets)
{
    if (!m_cap)
        return;
    if (!passed) {
        m_passedTrials = 0;
        ++m_failedTrials;
        return;
    }
    m_cap = std::max(*m_cap, sockets);
    m_dialsAtCap = dialsBeforeTrial; // the next one at once
    m_failedTrials = 0;
    if (++m_passedTrials >= passedTrialsToDrop)
        drop();
}

} // namespace headway::pacing
