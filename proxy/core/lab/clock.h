// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <chrono>

namespace headway::lab {

// Where the virtual clock of a run begins: any instant will do, as long as it is always the same.
inline constexpr base::SteadyTime startOfRun{base::Seconds{1'000'000}};
inline constexpr base::WallTime wallAtStart{base::Seconds{1'790'000'000}};

// Both clocks of a run at one instant: no machine is suspended here.
[[nodiscard]] constexpr base::Now at(base::SteadyTime steady)
{
    return {steady,
            wallAtStart + std::chrono::duration_cast<base::Milliseconds>(steady - startOfRun)};
}

} // namespace headway::lab
