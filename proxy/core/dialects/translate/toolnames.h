// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace headway::dialects {

// Upstream names and call ids: letters, digits, '_' and '-', 64 at most.
[[nodiscard]] bool isPlainName(std::string_view name);

// A name upstream accepts: the name itself when it is one, else its start and a hash. The same
// name gives the same alias in every process, so that prompts stay stable.
[[nodiscard]] std::string aliased(std::string_view name);

} // namespace headway::dialects
