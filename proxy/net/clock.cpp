// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/clock.h"

#include <atomic>

namespace headway::net {

namespace {

std::atomic<base::Nanoseconds::rep> passedSteady{0};
std::atomic<base::Milliseconds::rep> passedWall{0};

} // namespace

base::Now readClock()
{
    return {std::chrono::time_point_cast<base::Nanoseconds>(std::chrono::steady_clock::now())
                + base::Nanoseconds{passedSteady},
            std::chrono::time_point_cast<base::Milliseconds>(std::chrono::system_clock::now())
                + base::Milliseconds{passedWall}};
}

void passTime(base::Nanoseconds steady, base::Milliseconds wall)
{
    passedSteady += steady.count();
    passedWall += wall.count();
}

} // namespace headway::net
