// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "ui/models/trouble.h"

#include <cstdint>
#include <deque>
#include <optional>

namespace headway::ui {

// Whether turns starve for want of new connections: some were refused within the last minute, some
// that wait will be, or one has waited for long. Short waits are no stall: that is what pacing is
// for. Looks once a second of the snapshots' time, so that what it says can be
// read; lasts a little longer than its cause, so that it does not flicker.
class StallWatch final
{
public:
    static constexpr base::Seconds span{60}; // in which a refusal counts
    static constexpr base::Seconds hopelessAfter{3};
    static constexpr base::Seconds longWait{15}; // in all attempts of a turn
    static constexpr base::Seconds lasts{5}; // after its cause

    void hear(const live::Snapshot &snapshot);
    [[nodiscard]] const std::optional<Trouble> &trouble() const { return m_trouble; }

private:
    struct Sample
    {
        std::int64_t second = 0; // unix time
        std::uint64_t refused = 0; // turns, since the proxy runs
        std::uint64_t rejections = 0;
    };

    void sample(const live::Snapshot &snapshot, std::int64_t second);
    [[nodiscard]] bool isStarving(const Starving &starving);

    std::deque<Sample> m_minute; // ascending, one a second
    std::optional<std::int64_t> m_hopelessSince;
    std::optional<std::int64_t> m_starvedAt; // the last time
    std::optional<Trouble> m_trouble;
};

} // namespace headway::ui
