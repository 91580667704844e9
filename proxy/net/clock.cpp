// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/clock.h"

namespace headway::net {

base::Now readClock()
{
    return {std::chrono::time_point_cast<base::Nanoseconds>(std::chrono::steady_clock::now()),
            std::chrono::time_point_cast<base::Milliseconds>(std::chrono::system_clock::now())};
}

} // namespace headway::net
