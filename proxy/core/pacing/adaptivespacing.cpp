// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/adaptivespacing.h"

#include <algorithm>
#include <chrono>

namespace headway::pacing {

namespace {

using namespace std::chrono_literals;
using base::Nanoseconds;

constexpr Nanoseconds firstWidening = 1s;
constexpr Nanoseconds widest = 8s;
constexpr Nanoseconds narrowest = 125ms;
constexpr base::Milliseconds highestFloor = 60s;
constexpr int successesToHalve = 20;

} // namespace

void AdaptiveSpacing::setFloor(base::Milliseconds floor)
{
    m_floor = std::clamp(floor, base::Milliseconds(0), highestFloor);
}

Nanoseconds AdaptiveSpacing::spacing() const
{
    return std::max(m_floor, m_widened);
}

void AdaptiveSpacing::rejected()
{
    m_successes = 0;
    if (m_widened == Nanoseconds(0))
        m_widened = std::max(m_floor, firstWidening);
    else
        m_widened = std::max(m_floor, std::min(2 * m_widened, widest));
}

void AdaptiveSpacing::succeeded()
{
    if (++m_successes < successesToHalve)
        return;
    m_successes = 0;
    m_widened /= 2;
    if (m_widened < narrowest || m_widened <= m_floor)
        m_widened = Nanoseconds(0);
}

} // namespace headway::pacing
