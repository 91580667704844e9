// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headway::ui {

// The newest hour (and a little) of per-second buckets. Fixed memory; a second nobody reported is
// a gap, not a zero.
class SecondRing final
{
public:
    static constexpr std::size_t capacity = 3'700; // the longest span of the charts is 3 600 s

    SecondRing();

    // Takes a new second or a corrected one. Seconds older than the ring are ignored. After a wall
    // clock that steps back by more than the ring's length the ring starts again.
    void put(const live::SecondStats &stats);
    void clear();

    // Null: never reported, or too old.
    [[nodiscard]] const live::SecondStats *at(std::int64_t second) const;

    [[nodiscard]] bool isEmpty() const { return m_empty; }
    [[nodiscard]] std::int64_t newest() const { return m_newest; } // valid unless empty

private:
    [[nodiscard]] static std::size_t slot(std::int64_t second);

    std::vector<live::SecondStats> m_slots;
    std::int64_t m_newest = 0;
    bool m_empty = true;
};

// Connections opened in a second that somebody reported: the turns admitted to open one, less the
// openings that the provider rejected, which may have been admitted in an earlier second.
[[nodiscard]] inline std::int64_t openingsOf(const live::SecondStats *second)
{
    if (second == nullptr)
        return 0;
    return std::int64_t{second->openedAtOnce} + second->openedAfterWait - second->rejections;
}

} // namespace headway::ui
