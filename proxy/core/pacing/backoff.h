// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/random.h"
#include "proxy/core/base/time.h"

#include <optional>
#include <string_view>

namespace headway::pacing {

// The rung of inner retry n (1-based), without jitter: min(2 * 2^(n-1), 30) s. It caps our guess
// and nothing else.
[[nodiscard]] base::Milliseconds rungOf(int retry);

// Delay before inner retry n (1-based): min(2 * 2^(n-1), 30) s * U(0.8, 1.0). Jitter only
// shortens, so the sum stays inside the ladder budget (spec/pacing.md section 6).
[[nodiscard]] base::Milliseconds retryDelay(int retry, base::Random &random);

// Retry-After as seconds (decimals allowed) or an HTTP date, RFC 9110 section 10.2.3. Nothing for
// anything else, or for more than 31 days. The wall clock is only used for dates; a date in the
// past gives zero.
[[nodiscard]] std::optional<base::Milliseconds> parseRetryAfter(std::string_view value,
                                                                base::WallTime now);

// retry-after-ms: a decimal number of milliseconds.
[[nodiscard]] std::optional<base::Milliseconds> parseRetryAfterMs(std::string_view value);

} // namespace headway::pacing
