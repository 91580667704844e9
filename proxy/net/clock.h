// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

namespace headway::net {

// The one place where the proxy reads clocks.
[[nodiscard]] base::Now readClock();

} // namespace headway::net
