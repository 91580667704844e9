// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/turn/deadline.h"

#include <algorithm>

namespace headway::turn {

Deadline::Deadline(const pacing::RequestBudget &budget, base::SteadyTime start)
    : m_idle(budget.idle)
    , m_idleAt(start + budget.idle)
    , m_totalAt(start + budget.total)
{
}

void Deadline::modelEvent(base::SteadyTime now)
{
    m_idleAt = now + m_idle;
    m_firstEventAt.reset();
}

void Deadline::output()
{
    m_totalAt.reset();
}

void Deadline::sent(base::SteadyTime now, base::Milliseconds firstEvent)
{
    m_firstEventAt = now + firstEvent;
}

void Deadline::answered()
{
    m_firstEventAt.reset();
}

void Deadline::hold(base::SteadyTime now)
{
    if (!m_heldSince)
        m_heldSince = now;
}

void Deadline::release(base::SteadyTime now)
{
    if (!m_heldSince)
        return;
    m_idleAt += std::max(now - *m_heldSince, base::Nanoseconds::zero());
    m_heldSince.reset();
}

base::SteadyTime Deadline::next() const
{
    base::SteadyTime next = m_heldSince ? base::SteadyTime::max() : m_idleAt;
    if (m_totalAt)
        next = std::min(next, *m_totalAt);
    if (m_firstEventAt)
        next = std::min(next, *m_firstEventAt);
    return next;
}

std::optional<Expiry> Deadline::expired(base::SteadyTime now) const
{
    if (m_totalAt && now >= *m_totalAt)
        return Expiry::Total;
    if (!m_heldSince && now >= m_idleAt)
        return Expiry::Idle;
    if (m_firstEventAt && now >= *m_firstEventAt)
        return Expiry::FirstEvent;
    return std::nullopt;
}

base::Nanoseconds Deadline::remaining(base::SteadyTime now) const
{
    base::SteadyTime end = m_idleAt;
    if (m_heldSince)
        end += std::max(now - *m_heldSince, base::Nanoseconds::zero());
    if (m_totalAt)
        end = std::min(end, *m_totalAt);
    return std::max(end - now, base::Nanoseconds::zero());
}

} // namespace headway::turn
