// SPDX-License-Identifier: GPL-3.0-or-later
// A throttle: from the rejection that holds everybody to what is concluded from the next ones.
#include "proxy/core/pacing/door.h"

#include <algorithm>
#include <chrono>

namespace headway::pacing {

namespace {

using base::Nanoseconds;
using base::SteadyTime;

constexpr int blocksPerWindow = 3; // at least

} // namespace

std::size_t Door::socketsAt(const Dial &dial) const
{
    // Those being dialled with it may have been rejected as well.
    return std::min(dial.sockets, m_sockets.open + m_dialling.size());
}

void Door::hold(const Dial &dial, SteadyTime now)
{
    m_rateSigns.rejected(dial.at, now);
    m_state = DoorState::Holding;
    m_throttle.begin(dial.at, now);
    if (m_throttle.notBefore <= now)
        m_throttle.block = std::min<Nanoseconds>(WindowCeiling::assumedBlock,
                                                 m_window.length() / blocksPerWindow);
    m_throttle.lastOpening = m_lastOpening;
    m_throttle.sockets = socketsAt(dial);
    m_throttle.mayDialBefore = m_mayDial;
    m_throttle.byTrial = dial.permit.trial;
    m_throttle.doubtsWindow = m_window.isDoubtful();
    if (m_throttle.notBefore > now && m_throttle.believesStated)
        confirm(now); // with a time stated it is no noise
}

void Door::failed(const Dial &dial, SteadyTime now)
{
    m_throttle.rejectedDial = dial.at;
    ++m_throttle.failures;
    if (dial.permit.sockets.shedTo) {
        m_throttle.shedFailed = true;
        m_cap.shedInVain();
    } else {
        m_throttle.sockets = socketsAt(dial);
    }
    if (m_throttle.failures == 2)
        m_cap.doubted(m_throttle.sockets);
    m_throttle.closedSome = false; // what was closed before did not help
    m_throttle.failed(now, m_window.expectedOpening());
    m_state = DoorState::CoolingDown;
    if (!m_throttle.confirmed) {
        if (m_throttle.failures >= m_noise.rejectionsToConfirm())
            confirm(now);
        else if (!m_window.ceiling() && !m_cap.isSuspected(m_throttle.sockets)) {
            if (const auto interval = m_rateSigns.afterRejections(now))
                adoptRate(*interval, Nanoseconds(0), 1, now);
        }
        return;
    }
    m_cap.throttled(m_throttle.sockets);
    if (m_throttle.lowersLater && m_throttle.shedFailed) {
        m_throttle.lowersLater = false;
        m_window.throttled(m_passes, now);
    }
}

void Door::adoptRate(Nanoseconds interval, Nanoseconds tooShort, std::size_t burst, SteadyTime now)
{
    m_rate.adopt({interval, tooShort, burst, m_lastOpening}, now);
    m_state = DoorState::Open;
}

void Door::confirm(SteadyTime now)
{
    m_throttle.confirmed = true;
    m_cap.confirmed(m_throttle.sockets);
    m_state = DoorState::CoolingDown;
    const std::size_t count = m_passes.count(now, m_window.length());
    if (m_burst == 0)
        m_burst = m_passes.count(now);
    if (m_rateSigns.afterThrottle() && m_window.ceiling() && m_window.confirmations() <= 1)
        m_window.wasNone();
    if (m_throttle.byTrial)
        m_window.trialFailed();
    const auto ceiling = m_window.ceiling();
    m_throttle.trustsWindow
        = ceiling && (count == *ceiling || (count > *ceiling && m_window.confirmations() >= 2));
    m_throttle.lowersLater = ceiling && count < *ceiling && mayShed(now);
    if (!m_throttle.lowersLater)
        m_window.throttled(m_passes, now);
    if (!m_window.ceiling() && !m_cap.isSuspected(m_throttle.sockets)) {
        m_throttle.looksLikeRate = m_rateSigns.afterThrottle();
        if (m_throttle.looksLikeRate && m_lastOpening)
            m_throttle.quietUntil = *m_lastOpening + m_rateSigns.least() * 17 / 20;
        if (const auto interval = m_rateSigns.measured())
            adoptRate(*interval, *interval / 2, m_burst, now);
    }
    m_cap.throttled(m_throttle.sockets);
}

} // namespace headway::pacing
