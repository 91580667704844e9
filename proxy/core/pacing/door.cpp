// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/door.h"

#include <algorithm>
#include <chrono>

namespace headway::pacing {

namespace {

using namespace std::chrono_literals;
using base::Nanoseconds;
using base::SteadyTime;

constexpr std::size_t mostDials = 256;
constexpr Nanoseconds keptDial = 40s;
constexpr Nanoseconds shortThrottle = 1s;

} // namespace

Door::Door(SteadyTime now)
{
    m_throttle.since = now;
    m_throttle.lastFailure = now;
    m_throttle.rejectedDial = now;
    m_throttle.notBefore = now;
}

void Door::setRate(double perMinute, bool pinned)
{
    if (perMinute != m_set)
        m_perMinute = perMinute; // whoever sets a rate wants to begin again from there
    m_set = perMinute;
    m_pinned = pinned;
}

void Door::socketsChanged(const SocketLevel &sockets)
{
    if (sockets.open < m_sockets.open && m_state != DoorState::Open)
        m_throttle.closedSome = true;
    m_sockets = sockets;
}

std::size_t Door::passesInLastMinute(SteadyTime now) const
{
    return m_passes.count(now);
}

void Door::dialled(WaiterId id, const Permit &permit, SteadyTime now)
{
    Dial dial{now, permit, m_sockets.open + m_dialling.size()};
    if (permit.sockets.shedTo)
        dial.sockets = std::min(m_sockets.open, *permit.sockets.shedTo) + m_dialling.size();
    if (m_dialling.empty())
        m_firstDial = now;
    m_dialling.insert_or_assign(id, dial);
    m_rate.dialled(now, permit.early);
    m_cap.dialled(permit.sockets);
    if (permit.trial)
        m_window.trying(now);
    if (m_state != DoorState::Open)
        m_state = DoorState::Probing;
}

void Door::withdrawn(WaiterId id, SteadyTime now)
{
    if (m_dialling.erase(id) == 0)
        return;
    m_rate.withdrawn(now);
    if (m_state == DoorState::Probing)
        m_state = m_throttle.confirmed ? DoorState::CoolingDown : DoorState::Holding;
}

void Door::otherPassed(SteadyTime now)
{
    m_passes.add(now);
    m_window.passed(m_passes, now);
}

void Door::passed(WaiterId id, std::size_t waiting, SteadyTime now)
{
    m_passes.add(now);
    const auto found = m_dialling.find(id);
    if (found == m_dialling.end()) {
        m_window.passed(m_passes, now);
        return;
    }
    const Dial dial = found->second;
    m_dialling.erase(found);
    const std::size_t count = m_passes.count(now);
    m_noise.opened();
    m_mayDial = std::min(mostDials, m_mayDial + 1);
    if (2.0 * static_cast<double>(count) >= m_perMinute)
        m_perMinute += 2;
    m_lastOpening = std::max(dial.at, m_lastOpening.value_or(dial.at));
    m_rate.passed(dial.at, waiting);
    // Of those being dialled with it some may have been rejected: what is open proves more.
    m_cap.passed(std::min(dial.sockets, m_sockets.open) + 1);
    if (dial.permit.sockets.trial)
        m_cap.trialEnded(true, dial.sockets + 1);
    if (dial.permit.trial)
        m_window.trialPassed(m_passes, now);
    if (dial.permit.early) {
        m_rate.trialEnded(true, dial.at, now);
        if (!m_rate.isActive())
            m_rateSigns.wasNone();
    }
    if (m_state == DoorState::Open)
        m_rateSigns.passed();
    else if (dial.at > m_throttle.rejectedDial)
        reopen(dial, now);
    m_window.passed(m_passes, now);
}

void Door::reopen(const Dial &dial, SteadyTime now)
{
    m_state = DoorState::Open;
    m_throttle.disproved(now);
    m_mayDial = m_throttle.mayDialBefore;
    const bool byShedding = dial.permit.sockets.shedTo.has_value() && !m_cap.cap();
    if (!m_throttle.confirmed) {
        m_rateSigns.reopened(std::nullopt, Nanoseconds(0), now, false);
        if (byShedding) {
            m_cap.throttled(m_throttle.sockets);
            m_cap.reopened(dial.sockets, true);
        } else {
            m_noise.rejectedForNothing(m_throttle.failures);
        }
        return;
    }
    const bool isNoise = now - m_throttle.since < shortThrottle
        && m_throttle.failures <= m_noise.rejectionsToConfirm() + 1;
    if (isNoise)
        m_noise.rejectedForNothing(m_throttle.failures);
    if (m_throttle.lowersLater && !byShedding)
        m_window.throttled(m_passes, now);
    m_window.reopened(m_passes,
                      {.at = dial.at,
                       .lastFailure = m_throttle.lastFailure,
                       .forOtherReasons = byShedding || isNoise,
                       .stated = m_throttle.notBefore > m_throttle.since,
                       .longClosed = m_throttle.isLong()});
    m_cap.reopened(dial.sockets, dial.permit.sockets.shedTo.has_value() || m_throttle.closedSome);
    const bool known = m_window.isKnown();
    if (known)
        learnBlock(dial.at);
    m_mayDial = known ? m_throttle.mayDialBefore : 1;
    const Nanoseconds interval = m_rateSigns.interval(dial.at);
    const Nanoseconds tooShort = std::min(m_rateSigns.interval(m_throttle.rejectedDial), interval);
    const auto before = m_throttle.lastOpening;
    m_rateSigns.reopened(known ? Nanoseconds(0) : dial.at - m_throttle.since,
                         before ? m_throttle.rejectedDial - *before : Nanoseconds(0), now,
                         m_throttle.notBefore > m_throttle.since);
    if (m_throttle.looksLikeRate && !known && !byShedding)
        adoptRate(interval, tooShort, m_burst, now);
}

// With a known window a throttle that outlasts it was a block, unless all was forgotten meanwhile:
// then it may have been an outage, but for a trial's.
void Door::learnBlock(SteadyTime opened)
{
    const std::size_t left = m_passes.count(m_throttle.lastFailure, m_window.length());
    const Nanoseconds lasted = opened - m_throttle.firstDial;
    const bool outlasted = m_throttle.overdueFailures > 0;
    if ((m_throttle.byTrial || left > 1) && (outlasted || lasted < m_window.block()))
        m_window.blockLasted(lasted);
}

void Door::rejected(WaiterId id, const Rejection &rejection, SteadyTime now)
{
    const auto found = m_dialling.find(id);
    if (found == m_dialling.end())
        return;
    const Dial dial = found->second;
    m_dialling.erase(found);
    m_cap.missed(dial.sockets);
    m_throttle.heed(rejection.retryAfter, now);
    if (rejection.retryAfter)
        m_window.blockLasted(std::max<Nanoseconds>(m_window.block(), *rejection.retryAfter));
    if (m_state != DoorState::Open) {
        m_throttle.mayDialBefore -= m_throttle.mayDialBefore > 1 ? 1 : 0;
        if (dial.at > m_throttle.rejectedDial)
            failed(dial, now);
        return;
    }
    if (dial.permit.sockets.trial) {
        m_cap.trialEnded(false, dial.sockets);
        return;
    }
    if (m_rate.isActive()) {
        m_cap.confirmed(dial.sockets);
        rateMissed(dial, now);
        if (m_rate.isActive())
            return;
        m_rateSigns.forgetThrottle();
    }
    hold(dial, now);
}

// Several under way may be rejected for one and the same reason.
void Door::rateMissed(const Dial &dial, SteadyTime now)
{
    if (dial.permit.early) {
        m_rate.trialEnded(false, dial.at, now);
    } else if (dial.at > m_throttle.rejectedDial) {
        m_throttle.rejectedDial = now;
        m_rate.missed(dial.at, m_noise.isQuiet(), now);
    }
}

void Door::forget(SteadyTime now)
{
    m_passes.forget(now);
    if (m_dialling.empty() || m_firstDial + keptDial >= now)
        return;
    std::erase_if(m_dialling,
                  [now](const auto &entry) { return entry.second.at + keptDial < now; });
    m_firstDial = now;
    for (const auto &[id, dial] : m_dialling)
        m_firstDial = std::min(m_firstDial, dial.at);
}

void Door::recall(const CeilingEstimate &estimate, SteadyTime now)
{
    if (estimate.shape == CeilingShape::Window && estimate.perMinute >= 1)
        m_window.recall(static_cast<std::size_t>(estimate.perMinute));
    if (estimate.shape == CeilingShape::Rate && estimate.spacing.count() > 0)
        m_rate.adopt({.interval = estimate.spacing}, now);
    if (estimate.shape == CeilingShape::Cap && estimate.socketCap > 0)
        m_cap.recall(estimate.socketCap);
}

} // namespace headway::pacing
