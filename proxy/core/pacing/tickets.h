// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace headway::pacing {

// Reservations of policy `auto` (spec/pacing.md section 7): a turn that must be refused gets a slot
// time, which is its Retry-After, and comes back under the same key.
//
//   slot t     the refusal's instant plus the hint h, 1 s <= h <= 60 s (what clients honour)
//   held       from t - 0.2 s to t + 0.3 h + 2 s, since clients come late
//
// While a slot is held and its turn is not back, one opening is kept back. It is charged when it is
// taken; when it lapses, the opening goes to the next waiter. A second refusal while the slot still
// stands keeps it. The seniority that a turn has in the queue goes with its ticket and is kept for
// ten minutes, so that nobody starts again at the end.
class Tickets final
{
public:
    struct Issued
    {
        base::Seconds hint;
        base::SteadyTime slot;
    };
    // For a turn that is refused now; key 0 gets a time but reserves nothing.
    Issued issue(std::uint64_t key, base::Seconds hint, std::uint64_t order, base::SteadyTime now);

    // The turn is back. Its seniority, if it has a ticket; `inTime`: its slot is held right now.
    struct Return
    {
        std::uint64_t order;
        bool inTime;
    };
    std::optional<Return> back(std::uint64_t key, base::SteadyTime now);
    void gone(std::uint64_t key); // it left the queue without an opening: the slot stands
    bool charge(std::uint64_t key); // it took its opening; false: it had no ticket

    // Slots held for turns that are not back. advance() first.
    [[nodiscard]] std::size_t held() const { return m_held.size(); }
    // The next instant at which held() changes by itself.
    [[nodiscard]] std::optional<base::SteadyTime> nextChange() const;
    void advance(base::SteadyTime now);
    // Whose slot passed unused since this was last asked, in order.
    [[nodiscard]] std::vector<std::uint64_t> takeLapsed() { return std::exchange(m_lapsed, {}); }

private:
    struct Ticket
    {
        base::SteadyTime slot;
        base::SteadyTime lapses;
        std::uint64_t order = 0;
        bool present = false; // in the queue
    };
    using Times = std::set<std::pair<base::SteadyTime, std::uint64_t>>;

    std::unordered_map<std::uint64_t, Ticket> m_tickets;
    Times m_coming; // by the start of their hold
    Times m_held; // by their lapse
    Times m_forgotten; // all, by the end of their seniority
    std::vector<std::uint64_t> m_lapsed;
};

} // namespace headway::pacing
