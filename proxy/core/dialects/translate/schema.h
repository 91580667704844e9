// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/json/document.h"

#include <string>
#include <vector>

namespace headway::dialects {

// Appends a tool's input schema in a form the provider accepts: an object schema with `properties`;
// `required`, `type` and the like that are null left out, patterns that are no regular expression
// left out, a choice at the top folded into the properties. A schema that needs none of it is
// appended byte for byte.
void appendParameters(std::string &out, json::Value schema);

// Properties whose filler may be dropped: declared, not required, without a default of their own.
// Names still escaped.
[[nodiscard]] std::vector<std::string> optionalProperties(json::Value schema);

// Whether the provider's strict mode takes the schema: each object closed, each property required.
[[nodiscard]] bool fitsStrictMode(json::Value schema);

} // namespace headway::dialects
