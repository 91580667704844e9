// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace headway::dialects {

// "try again in 2.5s", "retry after 500 ms", "try again in 1m30s", "in 3 seconds": whole words
// only. Nothing when the text states no delay.
[[nodiscard]] std::optional<base::Milliseconds> delayInText(std::string_view text);

// Seconds as a number, rounded up to a millisecond; nothing when negative or beyond ten years.
[[nodiscard]] std::optional<base::Milliseconds> delayOfSeconds(double seconds);

// "prompt is too long: N tokens > M maximum", "maximum context length is M tokens … N tokens": the
// two counts (asked, allowed), when the text has both.
[[nodiscard]] std::optional<std::pair<std::uint64_t, std::uint64_t>>
tokensInText(std::string_view text);

} // namespace headway::dialects
