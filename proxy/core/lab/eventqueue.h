// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace headway::lab {

// The virtual clock's agenda: events in the order of their times, and of being added where those
// are equal, so that a run is the same each time.
template <typename Event>
class EventQueue final
{
public:
    [[nodiscard]] bool empty() const noexcept { return m_heap.empty(); }
    [[nodiscard]] base::SteadyTime nextAt() const { return m_heap.front().at; } // not when empty

    void add(base::SteadyTime at, Event event)
    {
        m_heap.push_back({at, m_added++, std::move(event)});
        std::push_heap(m_heap.begin(), m_heap.end(), later);
    }

    // The first event; the queue must not be empty.
    Event take()
    {
        std::pop_heap(m_heap.begin(), m_heap.end(), later);
        Event event = std::move(m_heap.back().event);
        m_heap.pop_back();
        return event;
    }

private:
    struct Entry
    {
        base::SteadyTime at;
        std::uint64_t added;
        Event event;
    };

    static bool later(const Entry &a, const Entry &b)
    {
        return a.at != b.at ? a.at > b.at : a.added > b.added;
    }

    std::vector<Entry> m_heap;
    std::uint64_t m_added = 0;
};

} // namespace headway::lab
