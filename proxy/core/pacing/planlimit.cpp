// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/planlimit.h"

#include <algorithm>
#include <chrono>

namespace headway::pacing {

namespace {

using namespace std::chrono_literals;

constexpr base::Milliseconds firstInterval = 5min;
constexpr base::Milliseconds longestInterval = 30min;

} // namespace

void PlanLimit::reached(std::optional<base::WallTime> resetsAt, bool paid, base::WallTime now)
{
    m_interval = m_reached ? std::min(longestInterval, 2 * m_interval) : firstInterval;
    m_reached = true;
    m_paid = paid;
    m_resetsAt = resetsAt;
    m_nextProbe = now + (paid ? m_interval : longestInterval);
}

void PlanLimit::passed()
{
    m_reached = false;
    m_resetsAt.reset();
}

PlanLimit::Answer PlanLimit::ask(base::WallTime now)
{
    if (m_reached && m_resetsAt && now >= *m_resetsAt)
        passed();
    if (!m_reached)
        return Answer::Send;
    if (now < m_nextProbe || (!m_paid && m_resetsAt))
        return Answer::Local;
    m_nextProbe = now + m_interval;
    return Answer::Probe;
}

} // namespace headway::pacing
