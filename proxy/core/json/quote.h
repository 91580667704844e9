// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace headway::json {

// Appends `text` as a JSON string literal, quotes included. UTF-8 passes through; only what RFC
// 8259 section 7 demands is escaped.
void appendQuoted(std::string &out, std::string_view text);

[[nodiscard]] std::string literal(std::string_view text);

} // namespace headway::json
