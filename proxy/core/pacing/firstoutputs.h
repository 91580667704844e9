// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/core/pacing/attempt.h"

#include <cstddef>
#include <vector>

namespace headway::pacing {

// How long the provider takes to its first output, over the last 256 turns.
class FirstOutputs final
{
public:
    void add(base::Nanoseconds time);

    // Nearest rank; zero while nothing was seen.
    [[nodiscard]] base::Nanoseconds p95() const { return m_p95; }

private:
    std::vector<base::Nanoseconds> m_times; // a ring once it is full
    std::size_t m_next = 0;
    base::Nanoseconds m_p95{0};
};

// spec/pacing.md section 4: the last instant at which an attempt may leave the queue and still
// have a fair chance of an answer,
//
//   latest = idle deadline - 2 s - max(2 s, min(p95 of first-output times, idle / 4))
//
// with the p95 as of its arrival.
[[nodiscard]] base::SteadyTime latestStart(const Attempt &attempt, const FirstOutputs &seen);

} // namespace headway::pacing
