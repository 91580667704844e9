// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <optional>
#include <string_view>

namespace headway::pacing {

// An HTTP date in any of the three forms a recipient must accept (RFC 9110 section 5.6.7):
//   Sun, 06 Nov 1994 08:49:37 GMT    IMF-fixdate
//   Sunday, 06-Nov-94 08:49:37 GMT   RFC 850; a year more than 50 years ahead of `now` is past
//   Sun Nov  6 08:49:37 1994         asctime
// The name of the day must be one but is not compared with the date. Nothing for anything else.
[[nodiscard]] std::optional<base::WallTime> parseHttpDate(std::string_view text,
                                                          base::WallTime now);

} // namespace headway::pacing
