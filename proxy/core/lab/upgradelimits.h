// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/random.h"
#include "proxy/core/base/time.h"
#include "proxy/core/lab/scenario.h"

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

namespace headway::lab {

// The limits on new connections of a modelled provider (spec/lab.md). An upgrade is judged when it
// arrives; every limit must agree, the first that does not names the rejection, and a rejected
// upgrade uses nothing up.
//   sliding window  accepted in (t - window, t] < max, and the door is not closed. The rejection
//                   that finds the window full closes the door for `block`; those at the closed
//                   door do not extend it.
//   token bucket    tokens := min(burst, tokens + rate * dt); one per upgrade; starts full.
//   concurrent      open sockets, idle ones included, < max.
//   random          rejected with probability p.
//   after total     accepted < max; with the max-th the door closes for `reset`, after which the
//                   count starts again.
// `max` in force: the value of the period of `every` that t is in, the last one for good.
class UpgradeLimits final
{
public:
    UpgradeLimits(std::vector<UpgradeLimit> limits, base::SteadyTime start, base::Random random);

    struct Verdict
    {
        bool accepted = true;
        std::optional<base::Milliseconds> retryAfter;
    };
    // `now` never goes back. `open`: sockets without the asking one.
    [[nodiscard]] Verdict ask(base::SteadyTime now, std::size_t open);

    // An opening by somebody else on the account: counts where there is room for it, is turned away
    // without a consequence where there is none. How long it stays open is not known.
    void openedByOthers(base::SteadyTime now);

    // For the oracle: the earliest instant from `now` on at which no limit is certain to reject, as
    // things stand and open sockets apart; nothing if there is none.
    [[nodiscard]] std::optional<base::SteadyTime> earliest(base::SteadyTime now);
    // For the oracle: how many sockets may be open beside the one that asks; nothing: any number.
    [[nodiscard]] std::optional<std::size_t> socketRoom(base::SteadyTime now) const;

private:
    struct Law
    {
        UpgradeLimit limit;
        std::deque<base::SteadyTime> accepted; // SlidingWindow, the last `window`
        std::optional<base::SteadyTime> closedUntil; // SlidingWindow, AfterTotal
        double tokens = 0; // TokenBucket
        base::SteadyTime refilled;
        double total = 0; // AfterTotal
    };

    void bringUpTo(Law &law, base::SteadyTime now) const;
    [[nodiscard]] bool hasRoom(const Law &law, base::SteadyTime now) const;
    void count(Law &law, base::SteadyTime now) const;
    [[nodiscard]] double maxOf(const Law &law, base::SteadyTime now) const;
    [[nodiscard]] std::optional<base::SteadyTime> nextPeriod(const Law &law,
                                                             base::SteadyTime now) const;
    [[nodiscard]] std::optional<base::SteadyTime> earliestOf(const Law &law,
                                                             base::SteadyTime now) const;

    std::vector<Law> m_laws;
    base::SteadyTime m_start;
    base::Random m_random;
};

} // namespace headway::lab
