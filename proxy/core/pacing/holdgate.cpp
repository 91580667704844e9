// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/holdgate.h"

#include <algorithm>

namespace headway::pacing {

void HoldGate::holdSession(std::string_view session, bool isHeld)
{
    if (session.empty())
        return;
    if (isHeld)
        m_sessions.emplace(session);
    else if (const auto held = m_sessions.find(session); held != m_sessions.end())
        m_sessions.erase(held);
}

bool HoldGate::holds(std::string_view session) const
{
    return m_all || m_sessions.contains(session);
}

void HoldGate::join(base::TurnId turn, std::string_view session)
{
    if (placeOf(turn) == 0)
        m_line.push_back({turn, std::string(session)});
}

void HoldGate::leave(base::TurnId turn)
{
    std::erase_if(m_line, [turn](const Waiter &waiter) { return waiter.turn == turn; });
}

bool HoldGate::moveToFront(base::TurnId turn)
{
    const auto found = std::ranges::find(m_line, turn, &Waiter::turn);
    if (found == m_line.end())
        return false;
    m_line.splice(m_line.begin(), m_line, found);
    return true;
}

std::size_t HoldGate::placeOf(base::TurnId turn) const
{
    const auto found = std::ranges::find(m_line, turn, &Waiter::turn);
    return found == m_line.end()
        ? 0
        : static_cast<std::size_t>(std::distance(m_line.begin(), found)) + 1;
}

std::vector<base::TurnId> HoldGate::release()
{
    std::vector<base::TurnId> released;
    for (auto waiter = m_line.begin(); waiter != m_line.end();) {
        if (holds(waiter->session)) {
            ++waiter;
            continue;
        }
        released.push_back(waiter->turn);
        waiter = m_line.erase(waiter);
    }
    return released;
}

} // namespace headway::pacing
