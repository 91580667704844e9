// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "ui/models/trouble.h"

#include <cstdint>
#include <map>
#include <optional>

namespace headway::ui {

// Whether turns starve for want of new connections: some were refused within the last minute, some
// that wait will be, or one has lacked a connection for long. Short waits are no stall: that is
// what pacing is for. Looks once a second of the snapshots' time, so that what it says can be read;
// lasts a little longer than its cause, so that it does not flicker.
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
        std::uint64_t refused = 0; // turns
        std::uint64_t rejections = 0; // by the provider
    };

    void sample(const live::Snapshot &snapshot, std::int64_t now);
    [[nodiscard]] Starving starvingIn(const live::Snapshot &snapshot) const;
    [[nodiscard]] bool isStarving(const Starving &starving, std::int64_t now);

    std::map<std::int64_t, Sample> m_minute; // by unix time; the newest wins
    std::optional<std::int64_t> m_looked; // the second in which it looked last
    std::optional<std::int64_t> m_hopelessSince;
    std::optional<std::int64_t> m_starvedAt; // the last time
    std::optional<Trouble> m_trouble;
};

} // namespace headway::ui
