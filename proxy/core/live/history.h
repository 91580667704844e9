// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>

namespace headway::live {

// What a row of snapshots told beside their state, so that a reader who begins late, or who missed
// some, can be told the rest at once. Bounded: an hour of seconds, and the newest changes and
// records.
class History final
{
public:
    static constexpr std::size_t mostSeconds = 3'600;
    static constexpr std::size_t mostChanges = 1'000;
    static constexpr std::size_t mostRecords = 5'000;

    // Records are kept only if somebody will read them.
    void add(const Snapshot &snapshot, bool withRecords);
    void dropRecords() { m_records.clear(); }

    // Number of the last snapshot added; 0: none yet.
    [[nodiscard]] std::uint64_t newest() const { return m_newest; }

    // `snapshot`, the last one added, with all that was told after number `after`; 0: all there is.
    [[nodiscard]] Snapshot since(const Snapshot &snapshot, std::uint64_t after) const;

private:
    template <typename T>
    using Numbered = std::pair<std::uint64_t, T>; // with the snapshot that told it

    std::uint64_t m_newest = 0;
    std::map<std::int64_t, Numbered<SecondStats>> m_seconds;
    std::deque<Numbered<ChangeMark>> m_changes;
    std::deque<Numbered<ledger::Record>> m_records;
};

} // namespace headway::live
