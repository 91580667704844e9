// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace headway::net {

// ASCII only, as header names and tokens are.
[[nodiscard]] std::string lowered(std::string_view text);

// Without blanks and line breaks at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);

} // namespace headway::net
