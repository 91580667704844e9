// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/core/pacing/budget.h"

#include <cstdint>
#include <optional>

namespace headway::turn {

enum class Expiry : std::uint8_t { Idle, Total, FirstEvent };

// The deadlines of one turn (spec/pacing.md section 1). All attempts share one idle deadline: it
// starts before the first attempt and only model events reset it. The total deadline counts until
// the first output. A first-event deadline runs from each create frame to the first event.
class Deadline final
{
public:
    Deadline(const pacing::RequestBudget &budget, base::SteadyTime start);

    void modelEvent(base::SteadyTime now);
    void output(); // from here only the idle deadline counts
    void sent(base::SteadyTime now, base::Milliseconds firstEvent); // a create frame was written
    void answered(); // the first event of this attempt arrived, or the attempt is over
    // While a turn waits for its token budget its idle deadline stands still (section 5).
    void hold(base::SteadyTime now);
    void release(base::SteadyTime now);

    [[nodiscard]] base::SteadyTime next() const;
    [[nodiscard]] std::optional<Expiry> expired(base::SteadyTime now) const;

    // When the idle deadline ends if nothing happens; while it is held, as of its holding.
    [[nodiscard]] base::SteadyTime idleEnds() const { return m_idleAt; }

    // How long an attempt may still take before its turn is over; never negative.
    [[nodiscard]] base::Nanoseconds remaining(base::SteadyTime now) const;

private:
    base::Milliseconds m_idle;
    base::SteadyTime m_idleAt;
    std::optional<base::SteadyTime> m_totalAt;
    std::optional<base::SteadyTime> m_firstEventAt;
    std::optional<base::SteadyTime> m_heldSince;
};

} // namespace headway::turn
