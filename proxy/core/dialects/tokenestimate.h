// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/json/document.h"

#include <cstdint>
#include <string_view>

namespace headway::dialects {

// Tokens of a text under the o200k vocabulary, estimated from its words and runs.
[[nodiscard]] double estimateTokens(std::string_view utf8);

// Tokens of a whole request in either dialect: its texts, its tools, its images by their size.
[[nodiscard]] std::uint64_t estimateRequest(json::Value request);

} // namespace headway::dialects
