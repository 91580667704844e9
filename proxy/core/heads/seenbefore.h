// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/heads/itemprint.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headway::heads {

// Remembers the print of text that was seen byte for byte before: a client sends its whole history
// with every turn, and hashing bytes is an order of magnitude cheaper than reading JSON. One place
// per hash, the newer entry stays.
class SeenBefore final
{
public:
    [[nodiscard]] std::optional<ItemPrint> find(const base::Fingerprint &raw) const
    {
        const Entry &entry = m_entries[place(raw)];
        return entry.raw == raw ? std::optional(entry.print) : std::nullopt;
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
        base::Fingerprint raw;
        ItemPrint print;
    };
    static constexpr std::size_t firstEntries = 512;
    static constexpr std::size_t mostEntries = 65'536; // 2.5 MB

    [[nodiscard]] std::size_t place(const base::Fingerprint &raw) const
    {
        return raw.low & (m_entries.size() - 1);
    }

    void put(const Entry &entry)
    {
        Entry &slot = m_entries[place(entry.raw)];
        m_used += slot.raw == base::Fingerprint{} ? 1U : 0U;
        slot = entry;
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

    std::vector<Entry> m_entries{firstEntries};
    std::size_t m_used = 0;
};

} // namespace headway::heads
