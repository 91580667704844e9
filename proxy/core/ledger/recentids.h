// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_set>

namespace headway::ledger {

// The latest so many distinct ids, for a stream without end.
class RecentIds final
{
public:
    explicit RecentIds(std::size_t most)
        : m_most(most)
    {
    }

    void add(std::uint64_t id)
    {
        if (!m_known.insert(id).second)
            return;
        m_order.push_back(id);
        if (m_order.size() > m_most) {
            m_known.erase(m_order.front());
            m_order.pop_front();
        }
    }

    [[nodiscard]] bool contains(std::uint64_t id) const { return m_known.contains(id); }

    void clear()
    {
        m_order.clear();
        m_known.clear();
    }

private:
    std::size_t m_most;
    std::deque<std::uint64_t> m_order;
    std::unordered_set<std::uint64_t> m_known;
};

} // namespace headway::ledger
