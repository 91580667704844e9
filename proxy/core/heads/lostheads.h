// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/heads/history.h"
#include "proxy/core/heads/poolvalues.h"

#include <cstddef>
#include <deque>
#include <optional>

namespace headway::heads {

// What was dropped lately, so that a request that would have continued it can be told so. The last
// thousand.
class LostHeads final
{
public:
    // Nothing is kept of a history that could not be continued.
    void add(std::size_t partition, const History &history, const LostHead &lost);
    // The longest one that the request continues.
    [[nodiscard]] std::optional<LostHead> find(std::size_t partition,
                                               const RequestTrail &request) const;

private:
    static constexpr std::size_t most = 1'024;

    struct Entry
    {
        std::size_t partition = 0;
        History::Lineage lineage;
        LostHead lost;
    };
    std::deque<Entry> m_entries; // oldest first
};

} // namespace headway::heads
