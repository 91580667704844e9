// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/live/waithistogram.h"

#include <algorithm>

namespace headway::live {

void WaitHistogram::add(base::Nanoseconds waited)
{
    const double seconds = std::chrono::duration<double>(waited).count();
    ++total;
    sumS += seconds;
    const auto bound = std::ranges::lower_bound(bounds, seconds);
    if (bound != bounds.end())
        ++counts[static_cast<std::size_t>(bound - bounds.begin())];
}

} // namespace headway::live
