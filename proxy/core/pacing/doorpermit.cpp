// SPDX-License-Identifier: GPL-3.0-or-later
// What may be dialled now, and when to ask again.
#include "proxy/core/pacing/door.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace headway::pacing {

namespace {

using namespace std::chrono_literals;
using base::SteadyTime;

// An upgrade that was not answered by then tells nothing.
constexpr base::Nanoseconds answerTimeout = 20s;
// Openings a minute that are taken for granted.
constexpr std::size_t leastPassed = 6;

void sooner(std::optional<SteadyTime> &again, std::optional<SteadyTime> at)
{
    if (at)
        again = again ? std::min(*again, *at) : *at;
}

} // namespace

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
        if (soft > dialling) // else no opening's age helps, only the answer to a dial
            permit.again = m_passes.downTo(soft - dialling - 1);
        return permit;
    }
    if (m_rate.isActive()) {
        const SteadyTime next = m_rate.next(now);
        const auto trial = dialling == 0 ? m_rate.trialAt(now) : std::nullopt;
        permit.early = next > now && trial && *trial <= now;
        if (next > now && !permit.early) {
            permit.again = std::min(next, trial.value_or(next));
            return permit;
        }
        permit.room = std::max<std::size_t>(1, m_rate.room(now));
    }
    const base::Nanoseconds length = m_window.length();
    const std::size_t counted = m_passes.count(now, length);
    if (const auto ceiling = m_window.ceiling(); ceiling && counted + dialling >= *ceiling) {
        const auto next = m_passes.downTo(counted - std::min<std::size_t>(1, counted), length);
        permit.trial = dialling == 0 && m_window.mayTry(now, next);
        if (!permit.trial) {
            if (*ceiling > dialling)
                permit.again = m_passes.downTo(*ceiling - dialling - 1, length);
            if (dialling == 0)
                sooner(permit.again, m_window.nextTry(now, next));
            return permit;
        }
    } else if (ceiling) {
        permit.room = std::min(permit.room, *ceiling - counted - dialling);
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
        if (dial.at > m_throttle.rejectedDial && now < dial.at + answerTimeout) {
            permit.again = dial.at + answerTimeout;
            return permit;
        }
    }
    const SteadyTime at = m_throttle.nextProbe(waiting, m_window.expectedOpening(), mayShed(now));
    if (at > now) {
        permit.again = at;
        return permit;
    }
    permit.may = true;
    permit.room = 1;
    if (m_cap.cap()) {
        permit.sockets = m_cap.permit(m_sockets, m_dialling.size());
        permit.may = permit.sockets.may;
    } else if (mayShed(now) && m_throttle.failures >= (m_cap.isSuspected(m_sockets.open) ? 1 : 2)
               && !m_throttle.opens(now, m_window.expectedOpening()))
    {
        permit.sockets.shedTo = m_sockets.open - 1;
    }
    return permit;
}

base::Nanoseconds Door::perOpening(SteadyTime now) const
{
    if (m_rate.isActive())
        return m_rate.interval();
    constexpr base::Nanoseconds minute = 60s;
    if (const auto ceiling = m_window.ceiling())
        return base::Nanoseconds(m_window.length()) / static_cast<std::int64_t>(*ceiling);
    const std::size_t passed = std::max<std::size_t>(leastPassed, passesInLastMinute(now));
    return minute / static_cast<std::int64_t>(passed);
}

// The k-th to come goes when at most N - k of the openings so far are remembered; those beyond N
// follow the ones before them by a window's length.
SteadyTime Door::windowTurn(std::size_t place, std::size_t ceiling, base::Nanoseconds length,
                            SteadyTime now) const
{
    const std::size_t k = place + m_dialling.size();
    const std::size_t rounds = (k - 1) / ceiling;
    const std::size_t most = ceiling - 1 - (k - 1) % ceiling;
    const SteadyTime first = std::max(now, m_passes.downTo(most, length).value_or(now));
    return first + static_cast<std::int64_t>(rounds) * length;
}

SteadyTime Door::expectedTurn(std::size_t place, std::size_t waiting, SteadyTime now) const
{
    place = std::max<std::size_t>(1, place);
    const auto others = static_cast<std::int64_t>(place - 1);
    SteadyTime opens = now;
    if (m_pinned)
        opens = windowTurn(place, static_cast<std::size_t>(m_set), PassLog::minute, now);
    if (m_state != DoorState::Open) {
        opens = std::max(opens, m_throttle.nextProbe(waiting, m_window.expectedOpening(), false));
        if (const auto expected = m_window.expectedOpening(); expected && m_window.ceiling())
            opens = std::max(opens, *expected);
    }
    if (m_rate.isActive())
        return std::max(opens, m_rate.next(now)) + others * m_rate.interval();
    if (const auto ceiling = m_window.ceiling())
        return std::max(opens, windowTurn(place, *ceiling, m_window.length(), now));
    return m_pinned ? opens : opens + (others + 1) * perOpening(now);
}

// A probe after shedding an idle head tells a cap from the rest; once in a throttle will do.
bool Door::mayShed(SteadyTime now) const
{
    return !m_throttle.shedFailed && m_sockets.idle > 0 && m_cap.isPlausible(m_sockets.open)
        && now - m_throttle.since >= m_cap.patience(m_sockets.open);
}

std::optional<SteadyTime> Door::stateUntil(std::size_t waiting, SteadyTime now) const
{
    if (m_state != DoorState::CoolingDown)
        return std::nullopt;
    return m_throttle.nextProbe(waiting, m_window.expectedOpening(), mayShed(now));
}

} // namespace headway::pacing
