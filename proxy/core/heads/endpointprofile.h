// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/heads/poolvalues.h"

#include <string_view>

namespace headway::heads {

// The defaults that depend on whom we talk to (spec/heads.md sections 2 and 6); settings of the
// user come before them. `host` and `path` of the endpoint's URL, any case.
[[nodiscard]] PoolSettings profileOf(std::string_view host, std::string_view path);

// The ChatGPT-plan endpoint: …chatgpt.com/backend-api/…
[[nodiscard]] bool isPlanEndpoint(std::string_view host, std::string_view path);

} // namespace headway::heads
