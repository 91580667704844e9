// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/requestbody.h"

namespace headway::dialects {

namespace {

TurnError invalidBody(std::string message)
{
    TurnError error;
    error.kind = ErrorKind::InvalidRequest;
    error.type = "invalid_request_error";
    error.message = std::move(message);
    return error;
}

} // namespace

std::optional<TurnError> readBody(json::Document &document, std::string_view body)
{
    if (const auto fault = document.read(body))
        return invalidBody("The body is not valid JSON: " + std::string(fault->what) + " at byte "
                           + std::to_string(fault->offset) + '.');
    if (!document.root().isObject())
        return invalidBody("The body is not a JSON object (byte "
                           + std::to_string(document.root().offset()) + ").");
    return std::nullopt;
}

} // namespace headway::dialects
