// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/firstoutputs.h"

#include <algorithm>
#include <chrono>
#include <iterator>

namespace headway::pacing {

using namespace std::chrono_literals;

void FirstOutputs::add(base::Nanoseconds time)
{
    constexpr std::size_t kept = 256;
    if (m_times.size() < kept)
        m_times.push_back(std::max(time, base::Nanoseconds(0)));
    else
        m_times[m_next] = std::max(time, base::Nanoseconds(0));
    m_next = (m_next + 1) % kept;
    std::vector<base::Nanoseconds> sorted(m_times);
    const std::size_t rank = (sorted.size() * 95 + 99) / 100 - 1;
    const auto nth = std::next(sorted.begin(), static_cast<std::ptrdiff_t>(rank));
    std::nth_element(sorted.begin(), nth, sorted.end());
    m_p95 = *nth;
}

base::SteadyTime latestStart(const Attempt &attempt, const FirstOutputs &seen)
{
    const base::Nanoseconds quarter = attempt.idle / 4;
    const base::Nanoseconds answer = std::max<base::Nanoseconds>(2s, std::min(seen.p95(), quarter));
    return attempt.idleDeadline - 2s - answer;
}

} // namespace headway::pacing
