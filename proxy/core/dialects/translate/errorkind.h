// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/turnerror.h"

#include <optional>
#include <string_view>

namespace headway::dialects {

// What kind of error upstream reports. Code, then type, then status decide; prose only when there
// is nothing else, and then by whole words: a request id or a byte count with 429 in it is not a
// rate limit (spec/pacing.md section 6, tables 1.6 and 5.4 of the protocol notes).
[[nodiscard]] ErrorKind errorKind(std::string_view code, std::string_view type,
                                  std::optional<int> status, std::string_view message);

} // namespace headway::dialects
