// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

namespace headway::net {

// The one place where the proxy reads clocks.
[[nodiscard]] base::Now readClock();

// From now on the clocks read this much later, as if the time had gone by. For tests of what takes
// hours; the program never calls it. Timers of Qt do not notice: see Engine::catchUp(). Any thread.
void passTime(base::Nanoseconds steady, base::Milliseconds wall);

} // namespace headway::net
