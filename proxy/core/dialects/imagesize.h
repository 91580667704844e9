// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace headway::dialects {

// Width and height of a PNG, GIF, JPEG or WebP image out of the start of its base64 text. Nothing
// when the size is not in the first 64 KiB or the data is something else.
[[nodiscard]] std::optional<std::pair<std::uint32_t, std::uint32_t>>
imageSize(std::string_view base64);

} // namespace headway::dialects
