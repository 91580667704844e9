// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/lab/openings.h"

#include <algorithm>

namespace headway::lab {

base::Nanoseconds percentile(std::span<const base::Nanoseconds> sorted, std::size_t percent)
{
    if (sorted.empty())
        return base::Nanoseconds{0};
    const std::size_t rank = (sorted.size() * percent + 99) / 100;
    return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

std::size_t mostInAMinute(std::span<const base::Nanoseconds> sorted)
{
    constexpr base::Nanoseconds minute = std::chrono::minutes{1};
    constexpr base::Nanoseconds tolerance{1'000};
    std::size_t most = 0;
    std::size_t first = 0;
    for (std::size_t last = 0; last < sorted.size(); ++last) {
        while (sorted[last] - sorted[first] >= minute - tolerance)
            ++first;
        most = std::max(most, last - first + 1);
    }
    return most;
}

} // namespace headway::lab
