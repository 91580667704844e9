// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <queue>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace headway::turn {

// Wake-up times of many owners behind one timer. Entries are hints: an owner that is woken early
// looks at its own deadline and schedules itself again, so moving a deadline back costs nothing.
class DeadlineHeap final
{
public:
    using Owner = std::uint64_t;

    void schedule(Owner owner, base::SteadyTime at) { m_heap.push({at, owner}); }

    [[nodiscard]] std::optional<base::SteadyTime> next() const
    {
        if (m_heap.empty())
            return std::nullopt;
        return m_heap.top().at;
    }

    // Removes and returns one owner whose time has come.
    [[nodiscard]] std::optional<Owner> take(base::SteadyTime now)
    {
        if (m_heap.empty() || m_heap.top().at > now)
            return std::nullopt;
        const Owner owner = m_heap.top().owner;
        m_heap.pop();
        return owner;
    }

    [[nodiscard]] std::size_t size() const { return m_heap.size(); }

private:
    struct Entry
    {
        base::SteadyTime at;
        Owner owner;
        friend bool operator>(const Entry &a, const Entry &b) { return a.at > b.at; }
    };
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> m_heap;
};

} // namespace headway::turn
