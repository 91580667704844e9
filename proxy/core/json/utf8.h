// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace headway::json {

// Where the first malformed UTF-8 sequence starts (RFC 3629); nothing when the text is well formed.
[[nodiscard]] std::optional<std::size_t> firstInvalidByte(std::string_view text);

} // namespace headway::json
