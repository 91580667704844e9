// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace headway::live {

// How long attempts waited for their admission, since the process began.
struct WaitHistogram
{
    // Upper bounds in seconds, each included; what is longer counts in the total alone.
    static constexpr std::array bounds{0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0};

    std::array<std::uint64_t, bounds.size()> counts{}; // not cumulative
    std::uint64_t total = 0;
    double sumS = 0;

    void add(base::Nanoseconds waited);
};

} // namespace headway::live
