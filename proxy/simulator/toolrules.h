// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/simulator/chaincontext.h"

namespace headway::simulator {

// Known types, names, no name twice, parameters that are a JSON Schema the provider takes (type
// object with properties, `required` an array where present, no combination at the top; with
// strict: every property required and additionalProperties false). Source: protocols.md 3.3, 5.1.
[[nodiscard]] std::optional<ApiError> checkTools(const QJsonArray &tools);

// none, auto, required, or an object that names one of `tools`.
[[nodiscard]] std::optional<ApiError> checkToolChoice(const QJsonValue &choice,
                                                      const QJsonArray &tools);

// text.format: text, json_object, or json_schema with a name and a schema.
[[nodiscard]] std::optional<ApiError> checkTextFormat(const QJsonObject &text);

} // namespace headway::simulator
