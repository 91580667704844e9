// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/expectedwaits.h"

#include <algorithm>

namespace headway::heads {

void ExpectedWaits::forHead(base::TurnId turn, HeadId head, base::Nanoseconds most,
                            base::SteadyTime now)
{
    (void)cancel(turn);
    m_waits.push_back({turn, head, now, now + most});
}

void ExpectedWaits::forProbe(base::TurnId turn, base::Nanoseconds most, base::SteadyTime now)
{
    forHead(turn, HeadId{}, most, now);
}

template <typename Predicate>
std::vector<ExpectedWaits::Woken> ExpectedWaits::take(Predicate leaves, base::SteadyTime now)
{
    std::vector<Woken> woken;
    std::erase_if(m_waits, [&](const Wait &wait) {
        if (!leaves(wait))
            return false;
        woken.push_back({wait.turn, now - wait.since});
        return true;
    });
    return woken;
}

std::vector<ExpectedWaits::Woken> ExpectedWaits::headFreed(HeadId head, base::SteadyTime now)
{
    if (head == HeadId{})
        return {};
    return take([head](const Wait &wait) { return wait.head == head; }, now);
}

std::vector<ExpectedWaits::Woken> ExpectedWaits::probeAnswered(base::SteadyTime now)
{
    return take([](const Wait &wait) { return wait.head == HeadId{}; }, now);
}

std::vector<ExpectedWaits::Woken> ExpectedWaits::due(base::SteadyTime now)
{
    return take([now](const Wait &wait) { return wait.until <= now; }, now);
}

bool ExpectedWaits::cancel(base::TurnId turn)
{
    return std::erase_if(m_waits, [turn](const Wait &wait) { return wait.turn == turn; }) > 0;
}

std::optional<base::SteadyTime> ExpectedWaits::next() const
{
    const auto first
        = std::min_element(m_waits.begin(), m_waits.end(),
                           [](const Wait &a, const Wait &b) { return a.until < b.until; });
    return first == m_waits.end() ? std::nullopt : std::optional(first->until);
}

} // namespace headway::heads
