// SPDX-License-Identifier: GPL-3.0-or-later
// A turn that a person holds back in front of its admission (spec/window.md, "Rules").
#include "proxy/engine/turnrun.h"

namespace headway::engine {

// It stands in the gate's line without a place in any policy's queue; its deadlines run on.
void TurnRun::hold(const heads::ScanResult &scan, base::Now now)
{
    m_scan = scan;
    m_continued = false;
    m_queuedUntil = m_deadline.next();
    m_services.holds.join(m_turn, m_session);
    m_log.waits(TurnLog::WaitsFor::Release);
    enter(live::Phase::Queued, now);
}

void TurnRun::holdsChanged(base::Now now)
{
    if (m_over || !m_waiter || !m_services.holds.holds(m_session))
        return;
    leaveQueue(now);
    hold(m_scan, now);
    scheduleWake();
}

void TurnRun::released(base::Now now)
{
    if (m_over)
        return;
    find(now); // a head may be idle by now
    if (!m_over)
        scheduleWake();
}

bool TurnRun::isHeld() const
{
    return m_services.holds.placeOf(m_turn) != 0;
}

bool TurnRun::isWaiting() const
{
    const live::Phase phase = m_log.phase();
    return !m_over
        && (phase == live::Phase::Gate || phase == live::Phase::Queued
            || phase == live::Phase::Backoff);
}

void TurnRun::moveToFront(base::Now now)
{
    if (m_over || m_services.holds.moveToFront(m_turn) || !m_waiter)
        return;
    m_services.pacer.moveToFront(*m_waiter, now);
    m_services.pacerChanged();
}

} // namespace headway::engine
