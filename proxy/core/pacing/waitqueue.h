// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/core/pacing/attempt.h"
#include "proxy/core/pacing/pacer.h"

#include <cstddef>
#include <list>
#include <optional>
#include <unordered_map>

namespace headway::pacing {

// One attempt in the queue and what it will take from the bucket when it leaves.
struct Waiter : Attempt
{
    double share = 1; // tokens; less than one only where overflow cannot be refused
    double debtBehind = 0; // recovery debits made while it was the last: due once it has left
    std::optional<base::SteadyTime> releaseAt; // limiter switched off: leaves at this instant
};

// First in, first out, with removal anywhere and the sum of all shares at hand, each in constant
// time, so that a decision costs the same with ten waiting as with ten thousand.
class WaitQueue final
{
public:
    using Iterator = std::list<Waiter>::iterator;

    [[nodiscard]] bool empty() const noexcept { return m_waiters.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return m_waiters.size(); }
    // Shares and debts of everybody in the queue, in tokens.
    [[nodiscard]] double promised() const noexcept { return m_promised; }

    [[nodiscard]] const Waiter &front() const { return m_waiters.front(); }
    [[nodiscard]] const std::list<Waiter> &waiters() const noexcept { return m_waiters; }
    [[nodiscard]] Iterator begin() { return m_waiters.begin(); }
    [[nodiscard]] Iterator end() { return m_waiters.end(); }
    [[nodiscard]] std::optional<Iterator> find(WaiterId id);

    // The id must not be in the queue.
    void push(Waiter waiter);
    // Puts a debt behind the last waiter; the queue must not be empty.
    void owe(double tokens);
    void setShare(Iterator waiter, double share);

    void moveToFront(Iterator waiter); // a debt behind it stays where it was

    struct Removed
    {
        Iterator next;
        double orphanedDebt = 0; // debt that stood behind it with nobody left in front to carry it
    };
    // Its share is handed back; a debt behind it moves to the waiter in front.
    Removed remove(Iterator waiter);

private:
    std::list<Waiter> m_waiters;
    std::unordered_map<WaiterId, Iterator> m_index;
    double m_promised = 0;
};

} // namespace headway::pacing
