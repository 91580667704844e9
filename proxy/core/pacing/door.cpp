// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/door.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace headway::pacing {

namespace {

using namespace std::chrono_literals;
using base::Nanoseconds;
using base::SteadyTime;

constexpr std::size_t mostDials = 256;
constexpr Nanoseconds answerTimeout = 20s;
constexpr Nanoseconds shortThrottle = 1s;
constexpr Nanoseconds longestStated = 120s;
constexpr std::size_t passesThatMeanRate = 2;
constexpr int shortRunsThatMeanRate = 4;
constexpr Nanoseconds shortestRate = 200ms;

void sooner(std::optional<SteadyTime> &again, std::optional<SteadyTime> at)
{
    if (at)
        again = again ? std::min(*again, *at) : *at;
}

} // namespace

Door::Door(SteadyTime now)
    : m_since(now)
    , m_rejectedDial(now)
    , m_lastFailure(now)
    , m_notBefore(now)
{
}

void Door::setRate(double perMinute, bool pinned)
{
    m_set = perMinute;
    m_perMinute = std::max(m_perMinute, perMinute);
    m_pinned = pinned;
}

void Door::socketsChanged(const SocketLevel &sockets)
{
    if (sockets.open < m_sockets.open && m_state != DoorState::Open)
        m_closedSome = true;
    m_sockets = sockets;
}

std::size_t Door::passesInLastMinute(SteadyTime now) const
{
    return m_passes.count(now);
}

Door::Permit Door::permit(SteadyTime now, std::size_t waiting) const
{
    return m_state == DoorState::Open ? permitOpen(now) : permitProbe(now, waiting);
}

Door::Permit Door::permitOpen(SteadyTime now) const
{
    Permit permit;
    const std::size_t dialling = m_dialling.size();
    const std::size_t used = m_passes.count(now) + dialling;
    if (dialling >= m_mayDial)
        return permit;
    const auto soft = static_cast<std::size_t>(m_pinned ? m_set : m_perMinute);
    if (used >= soft) {
        permit.again = m_passes.downTo(soft > dialling ? soft - dialling - 1 : 0);
        return permit;
    }
    if (m_rate.isActive()) {
        const SteadyTime next = m_rate.next(now);
        permit.early = next > now && dialling == 0 && m_rate.wantsTrial(now);
        if (next > now && !permit.early) {
            permit.again = next;
            return permit;
        }
        permit.room = std::max<std::size_t>(1, m_rate.room(now));
    }
    if (const auto ceiling = m_window.ceiling(); ceiling && used >= *ceiling) {
        const auto next = m_passes.downTo(m_passes.count(now) - std::min<std::size_t>(1, used));
        permit.trial = dialling == 0 && m_window.mayTry(now, next);
        if (!permit.trial) {
            permit.again = m_passes.downTo(*ceiling > dialling ? *ceiling - dialling - 1 : 0);
            sooner(permit.again, m_window.nextTry(now, next));
            return permit;
        }
    } else if (ceiling) {
        permit.room = std::min(permit.room, *ceiling - used);
    }
    permit.sockets = m_cap.permit(m_sockets, dialling);
    permit.may = permit.sockets.may;
    return permit;
}

Door::Permit Door::permitProbe(SteadyTime now, std::size_t waiting) const
{
    Permit permit;
    permit.probe = true;
    for (const auto &[id, dial] : m_dialling) {
        if (dial.at > m_rejectedDial && now < dial.at + answerTimeout) {
            permit.again = dial.at + answerTimeout;
            return permit;
        }
    }
    const SteadyTime at = probeAt(waiting);
    if (at > now) {
        permit.again = at;
        return permit;
    }
    permit.may = true;
    permit.room = 1;
    if (m_cap.cap()) {
        permit.sockets = m_cap.permit(m_sockets, m_dialling.size());
        permit.may = permit.sockets.may;
    } else if (mayShed() && m_failures >= (m_cap.isSuspected(m_sockets.open) ? 1 : 2)
               && !opensNow(now)) {
        permit.sockets.shedTo = m_sockets.open - 1;
    }
    return permit;
}

// A probe after shedding an idle head tells a cap from the rest; once in a throttle will do.
bool Door::mayShed() const
{
    return !m_shedFailed && m_sockets.idle > 0 && m_cap.isPlausible(m_sockets.open);
}

// The window is expected to open, and no probe has gone since: a plain one tells.
bool Door::opensNow(SteadyTime now) const
{
    const auto opening = m_window.expectedOpening();
    return opening && m_lastFailure < *opening && now >= *opening;
}

SteadyTime Door::probeAt(std::size_t waiting) const
{
    if (!m_confirmed)
        return m_notBefore;
    const double lasted = std::chrono::duration<double>(m_lastFailure - m_since).count();
    const double gap
        = 2 * std::sqrt(lasted / static_cast<double>(std::max<std::size_t>(1, waiting)));
    Nanoseconds wait(std::llround(std::clamp(gap, 0.15, 8.0) * 1e9));
    const bool silent = m_overdueFailures > 0 && m_overdueFailures % 3 == 0;
    if (silent) {
        const double silence = 21 * std::pow(1.4, m_overdueFailures / 3 - 1);
        wait = Nanoseconds(std::llround(std::min(silence, 80.0) * 1e9));
    } else if (m_overdueFailures > 0) {
        wait = std::max<Nanoseconds>(wait, m_overdueFailures % 3 * 1s);
    }
    SteadyTime at = std::max(m_lastFailure + wait, m_notBefore);
    if (const auto opening = m_window.expectedOpening(); opening && m_lastFailure < *opening) {
        const bool firstShed = mayShed() && m_confirmed && m_failures <= 3;
        if (m_trustWindow || (!firstShed && at > *opening - m_block))
            at = std::max({at, *opening, m_lastFailure + m_block});
    }
    return at;
}

std::optional<SteadyTime> Door::stateUntil(std::size_t waiting) const
{
    if (m_state != DoorState::CoolingDown)
        return std::nullopt;
    return probeAt(waiting);
}

void Door::dialled(WaiterId id, const Permit &permit, SteadyTime now)
{
    Dial dial{now, permit, m_sockets.open + m_dialling.size()};
    if (permit.sockets.shedTo)
        dial.sockets = std::min(m_sockets.open, *permit.sockets.shedTo) + m_dialling.size();
    m_dialling.insert_or_assign(id, dial);
    m_rate.dialled(now);
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
        m_state = m_confirmed ? DoorState::CoolingDown : DoorState::Holding;
}

void Door::otherPassed(SteadyTime now)
{
    m_passes.add(now);
    m_window.passed(m_passes.count(now), now);
}

void Door::passed(WaiterId id, bool pressed, SteadyTime now)
{
    otherPassed(now);
    const auto found = m_dialling.find(id);
    if (found == m_dialling.end())
        return;
    const Dial dial = found->second;
    m_dialling.erase(found);
    const std::size_t count = m_passes.count(now);
    m_openings += 1;
    if (m_openings >= 400) {
        m_openings /= 2;
        m_noise /= 2;
    }
    m_mayDial = std::min(mostDials, m_mayDial + 1);
    if (2.0 * static_cast<double>(count) >= m_perMinute)
        m_perMinute += 2;
    m_rate.passed(pressed);
    m_cap.passed(dial.sockets + 1);
    if (dial.permit.sockets.trial)
        m_cap.trialEnded(true, dial.sockets + 1);
    if (dial.permit.trial)
        m_window.trialPassed(count);
    if (dial.permit.early) {
        m_rate.trialEnded(true, now);
        m_rateDoubts += m_rate.isActive() ? 0 : 1;
    }
    if (m_state == DoorState::Open)
        ++m_passesSinceOpening;
    else if (dial.at > m_rejectedDial)
        reopen(!m_confirmed, dial, now);
}

void Door::reopen(bool wasNoise, const Dial &dial, SteadyTime now)
{
    m_state = DoorState::Open;
    m_passesSinceOpening = 0;
    m_openedAt = now;
    const bool byShedding = dial.permit.sockets.shedTo.has_value() && !m_cap.cap();
    if (byShedding && wasNoise) {
        m_cap.throttled(m_socketsAtFailure);
        m_cap.reopened(dial.sockets, true);
        m_mayDial = m_mayDialBefore;
        return;
    }
    if (wasNoise) {
        m_noise += m_failures;
        m_mayDial = m_mayDialBefore;
        return;
    }
    if (now - m_since < shortThrottle)
        m_noise += m_failures;
    if (m_lowerLater && !byShedding)
        m_window.throttled(m_passes.count(now) - 1, m_passes, now);
    m_window.reopened(dial.at, byShedding);
    m_cap.reopened(dial.sockets, dial.permit.sockets.shedTo.has_value() || m_closedSome);
    m_mayDial = m_window.ceiling() ? m_mayDialBefore : 1;
    m_lastThrottle = m_window.ceiling() ? Nanoseconds(0) : dial.at - m_since;
}

int Door::rejectionsToConfirm() const
{
    const double p = std::min(0.9, (0.5 + m_noise) / (20 + m_openings));
    int k = 2;
    while (k < 6 && std::pow(p, k) >= 0.002)
        ++k;
    return k;
}

void Door::rejected(WaiterId id, const Rejection &rejection, SteadyTime now)
{
    const auto found = m_dialling.find(id);
    if (found == m_dialling.end())
        return;
    const Dial dial = found->second;
    m_dialling.erase(found);
    m_cap.missed(dial.sockets);
    if (rejection.retryAfter) {
        m_block = std::min<Nanoseconds>(*rejection.retryAfter, longestStated);
        m_notBefore = std::max(m_notBefore, now + m_block);
        m_block = std::max<Nanoseconds>(m_block, WindowCeiling::longestBlock);
    }
    if (m_state != DoorState::Open) {
        if (dial.at > m_rejectedDial) {
            m_rejectedDial = dial.at;
            ++m_failures;
            if (dial.permit.sockets.shedTo)
                m_shedFailed = true;
            else
                m_socketsAtFailure = std::min(dial.sockets, m_sockets.open + m_dialling.size());
            probeFailed(now);
        }
        return;
    }
    if (dial.permit.sockets.trial) {
        m_cap.trialEnded(false, dial.sockets);
        return;
    }
    if (m_rate.isActive()) {
        rateMissed(dial, now);
        if (m_rate.isActive())
            return;
        m_lastThrottle = Nanoseconds(0);
    }
    hold(dial, now);
}

// Several under way may be rejected for one and the same reason.
void Door::rateMissed(const Dial &dial, SteadyTime now)
{
    if (dial.permit.early) {
        m_rate.trialEnded(false, now);
    } else if (dial.at > m_rejectedDial) {
        m_rejectedDial = now;
        m_rate.missed(now);
    }
}

void Door::hold(const Dial &dial, SteadyTime now)
{
    if (m_passesSinceOpening > passesThatMeanRate || m_shortRuns == 0 || dial.at < m_openedAt) {
        m_shortRuns = 0;
        m_shortRunsSince = now;
        m_shortRunPasses = 0;
    }
    ++m_shortRuns;
    m_shortRunPasses += m_passesSinceOpening + 1;
    m_state = DoorState::Holding;
    m_since = now;
    m_lastFailure = now;
    m_rejectedDial = dial.at;
    m_failures = 1;
    m_confirmed = false;
    m_socketsAtFailure = std::min(dial.sockets, m_sockets.open + m_dialling.size());
    m_shedFailed = false;
    m_lowerLater = false;
    m_mayDialBefore = m_mayDial;
    m_overdueFailures = 0;
    m_closedSome = false;
    m_trustWindow = false;
    m_heldByTrial = dial.permit.trial;
    if (m_notBefore > now)
        confirm(now);
}

void Door::probeFailed(SteadyTime now)
{
    m_lastFailure = now;
    m_state = DoorState::CoolingDown;
    if (m_confirmed) {
        m_cap.throttled(m_socketsAtFailure);
        const auto opening = m_window.expectedOpening();
        if (m_overdueFailures > 0 || (opening && now >= *opening))
            ++m_overdueFailures;
        m_trustWindow = false;
        if (m_lowerLater && m_shedFailed) {
            m_lowerLater = false;
            m_window.throttled(m_passes.count(now), m_passes, now);
        } else if (m_overdueFailures % 3 == 0) {
            m_window.stillThrottled(m_passes.count(now), m_passes, now);
        }
    } else if (m_failures >= rejectionsToConfirm()) {
        confirm(now);
    } else if (m_shortRuns >= shortRunsThatMeanRate + 2 * m_rateDoubts
               && !m_cap.isSuspected(m_socketsAtFailure) && !m_window.ceiling())
    {
        const auto passes = static_cast<std::int64_t>(m_shortRunPasses);
        const Nanoseconds interval
            = (now - m_shortRunsSince) / std::max<std::int64_t>(1, passes - 1);
        m_shortRuns = 0;
        if (interval < shortestRate)
            return;
        m_rate.adopt(interval, 1, now);
        m_state = DoorState::Open;
    }
}

void Door::confirm(SteadyTime now)
{
    m_confirmed = true;
    m_state = DoorState::CoolingDown;
    const std::size_t count = m_passes.count(now);
    if (m_burst == 0)
        m_burst = count;
    const bool soonAfter = m_lastThrottle.count() > 0 && m_passesSinceOpening <= passesThatMeanRate;
    if (m_heldByTrial)
        m_window.trialFailed();
    const auto ceiling = m_window.ceiling();
    const bool knewIt
        = ceiling && (count == *ceiling || (count > *ceiling && m_window.confirmations() >= 2));
    m_lowerLater = ceiling && count < *ceiling && mayShed();
    if (!m_lowerLater)
        m_window.throttled(count, m_passes, now);
    m_trustWindow = knewIt;
    if (soonAfter && m_lastThrottle >= shortestRate && !m_cap.isSuspected(m_socketsAtFailure) && !m_window.ceiling())
        m_rate.adopt(m_lastThrottle, m_burst, now);
    m_cap.throttled(m_socketsAtFailure);
    if (m_rate.isActive())
        m_state = DoorState::Open;
}

void Door::forget(SteadyTime now)
{
    m_passes.forget(now);
    std::erase_if(m_dialling,
                  [now](const auto &entry) { return entry.second.at + 2 * answerTimeout < now; });
}

void Door::recall(const CeilingEstimate &estimate, SteadyTime now)
{
    if (estimate.shape == CeilingShape::Window && estimate.perMinute >= 1)
        m_window.recall(static_cast<std::size_t>(estimate.perMinute));
    if (estimate.shape == CeilingShape::Rate && estimate.spacing.count() > 0)
        m_rate.adopt(estimate.spacing, 1, now);
    if (estimate.shape == CeilingShape::Cap && estimate.socketCap > 0)
        m_cap.recall(estimate.socketCap);
}

} // namespace headway::pacing
