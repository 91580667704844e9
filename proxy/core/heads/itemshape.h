// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/heads/itemprint.h"

#include <optional>
#include <simdjson.h>
#include <string_view>

namespace headway::heads {

// A member of an object; the last one, as JavaScript reads a repeated key.
[[nodiscard]] std::optional<simdjson::dom::element> member(simdjson::dom::object item,
                                                           std::string_view key);
// Empty when missing or no string.
[[nodiscard]] std::string_view stringMember(simdjson::dom::object item, std::string_view key);

// `type` is optional for a message; a bare {"id": …} is a reference.
[[nodiscard]] std::string_view typeOf(simdjson::dom::object item);
[[nodiscard]] ItemKind kindOf(simdjson::dom::object item, std::string_view type);

// Whether an output item may come back with the history: what the assistant says, reasoning, the
// calls that the client carries out, and those of hosted tools (some need not: mayBeMissing).
[[nodiscard]] bool clientEchoes(simdjson::dom::object item);

} // namespace headway::heads
