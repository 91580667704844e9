// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

namespace headway::heads {

// What clients read a string as where a number or boolean is declared (spec/heads.md section 3):
// decimal literals of at most 15 digits and `true`/`false`, white space of JSON around them
// allowed. Not `1e3`, `0x10`, `.5`, `5.`, `True`.
[[nodiscard]] std::optional<double> spelledNumber(std::string_view text);
[[nodiscard]] std::optional<bool> spelledBoolean(std::string_view text);

} // namespace headway::heads
