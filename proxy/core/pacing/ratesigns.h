// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace headway::pacing {

// Policy `auto`: what speaks for a rate. Behind one the door opens for one or two openings and is
// closed again; noise and windows let more pass in between.
//
//   two throttles, at most two openings apart       I := what the first one lasted, if no time was
//                                                   stated and it was at most 8 s; L := I / 2
//   the same, longer or stated: it says little      once the second one is over, I := time from
//                                                   the opening before it to the one after it, per
//                                                   opening, at most what the first one lasted;
//                                                   L := the same up to its last rejected probe
//   4 rejections in a row, each at most two openings after the last (2 more for every rate that
//   turned out to be none)                          I := time from the first one per opening
//
// An interval under 0.2 s is no rate worth keeping.
class RateSigns final
{
public:
    void passed() { ++m_passes; }
    void rejected(base::SteadyTime dial, base::SteadyTime now); // the first rejection of several
    // The door is open again, after a throttle of that length (none: noise).
    // `least`: from the opening before it to the last rejection in it.
    void reopened(std::optional<base::Nanoseconds> throttle, base::Nanoseconds least,
                  base::SteadyTime now, bool stated);
    void wasNone() { ++m_doubts; }
    void forgetThrottle() { m_lastThrottle = base::Nanoseconds(0); }

    [[nodiscard]] bool afterThrottle() const;
    // Under the hypothesis of a rate nothing passes sooner after an opening.
    [[nodiscard]] base::Nanoseconds least() const { return m_least; }
    // What the first of the two lasted, unless that may have been an outage.
    [[nodiscard]] std::optional<base::Nanoseconds> measured() const;
    // A dial that began then passed: what lies between two openings at most.
    [[nodiscard]] base::Nanoseconds interval(base::SteadyTime dial) const;
    // Uses the row up.
    [[nodiscard]] std::optional<base::Nanoseconds> afterRejections(base::SteadyTime now);

private:
    std::size_t m_passes = 0; // since the door opened
    base::SteadyTime m_openedAt;
    base::Nanoseconds m_lastThrottle{0};
    bool m_lastStated = false;
    base::Nanoseconds m_least{0};
    int m_row = 0;
    base::SteadyTime m_rowSince;
    std::int64_t m_rowPasses = 0;
    int m_doubts = 0;
};

} // namespace headway::pacing
