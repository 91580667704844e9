// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/turnerror.h"
#include "proxy/core/json/document.h"

#include <optional>
#include <string_view>

namespace headway::dialects {

// Reads a request's body; an error names the byte (spec/safety.md).
[[nodiscard]] std::optional<TurnError> readBody(json::Document &document, std::string_view body);

} // namespace headway::dialects
