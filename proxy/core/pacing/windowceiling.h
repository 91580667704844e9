// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/core/pacing/passlog.h"

#include <cstddef>
#include <optional>

namespace headway::pacing {

// Policy `auto`, shape "window": the hypothesis that at most N openings pass in any 60 s.
//
//   c      openings of the last 60 s, those being dialled included
//   N      the ceiling; none before the first throttle
//
// Learning. A throttle at c openings proposes N = c, unless more have passed in some minute of the
// last ten: then it was no window. The proposal is adopted when the door opens again no earlier
// than the first of the c openings is forgotten, and dropped when it opens before, opens because
// a head was shed, or was closed for less than a second: under steady traffic noise ends there too.
// A proposal that opened early counts two doubts (four at most), one that opened in time takes one
// away; while there are any, none is adopted and probes are not kept back for it: something shorter
// than a minute, or a number that starts again, may open the door at the end of a minute by chance.
// A throttle at 0.3 N <= c < N lowers it, N := max(1, 0.85 c), and so does every
// third probe that is rejected once the door should have opened.
// Growth. While demand presses against N, one opening more is tried: for nothing when the next
// forgotten opening is further away than a block lasts (B = 20 s), for a price otherwise, so that
// is done only every `patience` (120 s, doubled by each failure, at most 480 s). Free trials are
// at least 30 s apart, 60 s once N was confirmed twice. A trial that passes raises N by a step
// that doubles, up to 64, while trials pass; one that fails confirms N. A throttle below N while it
// grows says what N is.
class WindowCeiling final
{
public:
    // The last instant at which a rejected probe cannot close the door beyond `expiry`.
    static constexpr base::Seconds longestBlock{20};

    [[nodiscard]] std::optional<std::size_t> ceiling() const { return m_ceiling; }
    [[nodiscard]] int confirmations() const { return m_confirmations; }

    // Whether a throttle at c openings may be a window at all.
    [[nodiscard]] bool isPlausible(std::size_t count, base::SteadyTime now) const;

    // A proposal is open: when its first opening is forgotten.
    [[nodiscard]] std::optional<base::SteadyTime> expectedOpening() const { return m_expected; }

    // Proposals were wrong of late, so this one is no reason to keep probes back.
    [[nodiscard]] bool isDoubtful() const { return m_doubts > 0 && !m_ceiling; }

    void passed(std::size_t count, base::SteadyTime now);
    void throttled(std::size_t count, const PassLog &log, base::SteadyTime now);
    void stillThrottled(std::size_t count, const PassLog &log, base::SteadyTime now);
    void reopened(base::SteadyTime now, bool forOtherReasons);

    // May one more than N be tried now? `next`: when the next opening is forgotten.
    [[nodiscard]] bool mayTry(base::SteadyTime now, std::optional<base::SteadyTime> next) const;
    [[nodiscard]] std::optional<base::SteadyTime>
    nextTry(base::SteadyTime now, std::optional<base::SteadyTime> next) const;
    void trying(base::SteadyTime now);
    void trialPassed(std::size_t count);
    void trialFailed();

    void recall(std::size_t ceiling) { m_ceiling = ceiling; }
    void drop();

private:
    std::optional<std::size_t> m_ceiling;
    std::size_t m_proposed = 0;
    std::optional<base::SteadyTime> m_expected;
    std::size_t m_mostPassed = 0;
    base::SteadyTime m_mostPassedAt;
    int m_confirmations = 0;
    int m_doubts = 0;
    std::size_t m_step = 1;
    std::optional<base::SteadyTime> m_lastTrial;
    base::Nanoseconds m_patience{base::Seconds(120)};
};

} // namespace headway::pacing
