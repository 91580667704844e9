// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/core/pacing/attempt.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace headway::pacing {

// The queue of policy `auto` (spec/pacing.md section 7).
//
// Sessions take turns (weighted round robin): each may send as many in a row as its weight, 2 while
// a person waits in it, else 1. Inside a session the turns a person waits for go first, then the
// others, both in order of arrival. An attempt that comes back keeps the order it had.
// Fair share of a waiter: the departures it would see in one single queue, those ahead of it and
// its own. Whoever has seen four times as many goes next, before any turn-taking.
// Every operation costs O(log n).
class FairQueue final
{
public:
    struct Waiter
    {
        Attempt attempt;
        base::SteadyTime latest;
        std::uint64_t order = 0; // seniority
        std::uint64_t overdueAt = 0; // number of departures
    };

    [[nodiscard]] bool empty() const { return m_waiters.empty(); }
    [[nodiscard]] std::size_t size() const { return m_waiters.size(); }
    [[nodiscard]] const Waiter *find(WaiterId id) const;

    [[nodiscard]] std::uint64_t nextOrder() { return ++m_arrivals; }

    // `order`: a new one, or what an earlier stay had. The id must not be in the queue.
    void push(const Attempt &attempt, base::SteadyTime latest, std::uint64_t order);
    void remove(WaiterId id);
    void moveToFront(WaiterId id); // leaves before all others; an unknown id is ignored
    Waiter pop(); // the next to leave; the queue must not be empty

    // About where it stands: its place in its own session times the sessions. 0: not in the queue.
    [[nodiscard]] std::size_t placeOf(WaiterId id) const;

    // The waiter whose latest start comes first.
    [[nodiscard]] const Waiter *firstToExpire() const;
    [[nodiscard]] std::vector<Waiter> inOrder() const; // as they would leave

private:
    static constexpr std::uint64_t firstDeparture = std::uint64_t{1} << 32U;

    using Line = std::set<std::pair<std::uint64_t, WaiterId>>; // by seniority
    struct Session
    {
        Line interactive;
        Line batch;
    };

    [[nodiscard]] WaiterId choose();

    std::unordered_map<WaiterId, Waiter> m_waiters;
    std::map<std::uint64_t, Session> m_sessions; // only those that have somebody waiting
    Line m_overdue; // all, by overdueAt
    std::set<std::pair<base::SteadyTime, WaiterId>> m_latest;
    std::uint64_t m_turn = 0; // session whose turn it is, or the next one after it
    int m_sent = 0; // in a row, by that session
    std::uint64_t m_arrivals = 0;
    std::uint64_t m_departures = firstDeparture;
    std::uint64_t m_front = firstDeparture; // overdueAt of the one moved to the front last
};

} // namespace headway::pacing
