// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace headway::heads {

// JSON text in which everything that simdjson refuses but JavaScript reads is respelled, so that it
// can be compared by value: integers beyond 64 bits become the nearest double in exponent form,
// numbers beyond the range of a double a reserved string, and a lone surrogate escape a code point
// of its own in the last private-use block. The rest is copied; text that is no JSON stays none.
[[nodiscard]] std::string representable(std::string_view json);

} // namespace headway::heads
