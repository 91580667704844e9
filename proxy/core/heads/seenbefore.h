// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/heads/itemprint.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace headway::heads {

// Remembers the print of text that was seen byte for byte before: a client sends its whole history
// with every turn, and hashing bytes is an order of magnitude cheaper than reading JSON. Four
// places per hash; at most half full until it may grow no more, then newer entries take older ones'
// places.
class SeenBefore final
{
public:
    [[nodiscard]] std::optional<ItemPrint> find(const base::Fingerprint &raw)
    {
        for (const Entry &entry : places(raw)) {
            if (entry.raw == raw)
                return entry.print;
        }
        return std::nullopt;
    }

    void insert(const base::Fingerprint &raw, const ItemPrint &print)
    {
        if (m_used * 2 > m_entries.size() && m_entries.size() < mostEntries)
            grow();
        put({raw, print});
    }

private:
    struct Entry
    {
        base::Fingerprint raw; // zero: free
        ItemPrint print;
    };
    static constexpr std::size_t ways = 4;
    static constexpr std::size_t firstEntries = 512;
    static constexpr std::size_t mostEntries = 262'144; // 14 MB, and the calls' own prints

    [[nodiscard]] std::span<Entry> places(const base::Fingerprint &raw)
    {
        const std::size_t row = raw.low & (m_entries.size() / ways - 1);
        return std::span(m_entries).subspan(row * ways, ways);
    }

    void put(const Entry &entry)
    {
        const std::span<Entry> row = places(entry.raw);
        const auto free = std::find_if(row.begin(), row.end(), [](const Entry &place) {
            return place.raw == base::Fingerprint{};
        });
        if (free == row.end()) {
            row[entry.raw.high % ways] = entry;
            return;
        }
        *free = entry;
        ++m_used;
    }

    void grow()
    {
        std::vector<Entry> old(m_entries.size() * 2);
        old.swap(m_entries);
        m_used = 0;
        for (const Entry &entry : old) {
            if (entry.raw != base::Fingerprint{})
                put(entry);
        }
    }

    std::vector<Entry> m_entries{std::vector<Entry>(firstEntries)};
    std::size_t m_used = 0;
};

} // namespace headway::heads
