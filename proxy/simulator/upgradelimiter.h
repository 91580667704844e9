// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/random.h"
#include "proxy/core/base/time.h"
#include "proxy/simulator/scenario.h"

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

namespace headway::simulator {

struct UpgradeVerdict
{
    bool accepted = true;
    int status = 101;
    std::optional<base::Milliseconds> retryAfter;
};

// Decides about new connections the way the scenario's limits say. Every limit must agree; the
// first that does not names the refusal, and a refused upgrade uses up nothing. Laws (lab.md):
//   sliding window  accepted in (now − window, now] < max; the rejection that finds it full closes
//   the
//                   door for `block`, attempts on the closed door are refused and do not extend it
//   token bucket    tokens = min(burst, tokens + rate · dt); one per upgrade
//   concurrent      open sockets, idle ones included, < max
//   random          refused with probability p
//   after total     accepted < max; at max the door is closed for `reset` and the count starts
//   again
class UpgradeLimiter final
{
public:
    UpgradeLimiter(std::vector<UpgradeLimit> limits, double othersPerMinute, std::uint64_t seed,
                   base::SteadyTime start);

    // `now` never goes back. `openSockets` does not contain the asking one.
    [[nodiscard]] UpgradeVerdict ask(base::SteadyTime now, std::size_t openSockets);

private:
    struct Law
    {
        UpgradeLimit limit;
        std::deque<base::SteadyTime> accepted; // SlidingWindow
        std::optional<base::SteadyTime> closedUntil; // SlidingWindow, AfterTotal
        double tokens = 0; // TokenBucket
        base::SteadyTime refilled;
        double total = 0; // AfterTotal
    };

    [[nodiscard]] UpgradeVerdict decide(base::SteadyTime now,
                                        std::optional<std::size_t> openSockets);
    [[nodiscard]] bool agrees(Law &law, base::SteadyTime now,
                              std::optional<std::size_t> openSockets);
    [[nodiscard]] double maxOf(const Law &law, base::SteadyTime now) const;
    static void count(Law &law, base::SteadyTime now, double max);
    void letOthersIn(base::SteadyTime now);

    std::vector<Law> m_laws;
    base::Random m_random;
    base::SteadyTime m_start;
    std::optional<base::Nanoseconds> m_othersGap;
    base::SteadyTime m_nextOther;
};

} // namespace headway::simulator
