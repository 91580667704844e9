// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/ids.h"
#include "proxy/core/dialects/door.h"
#include "proxy/core/dialects/turnerror.h"

#include <cstdint>
#include <optional>
#include <string>

namespace headway::dialects {

// An error in the terms of the door's clients (table 5.4, spec/turns.md "What the client is told").
struct ClientError
{
    int status = 500;
    std::string type;
    std::string code; // Responses doors only
    std::string message; // says who limits and when to come back
    std::optional<std::int64_t> retrySeconds; // Retry-After
    bool isFinal = false; // a quick retry is useless: x-should-retry: false
};

[[nodiscard]] ClientError clientError(Door door, const TurnError &error);

// {"type":"error","error":{…},"request_id":…}, the Messages body and stream event.
[[nodiscard]] std::string messagesErrorBody(const ClientError &error, base::TurnId turn);

// The `error` object of the Responses doors.
[[nodiscard]] std::string responsesErrorObject(const ClientError &client, const TurnError &error);

// {"type":"error","status":…,"error":{…},"headers":{…}} for the socket: Codex waits for ever on a
// frame without status, and gives up on a 429 without headers.
[[nodiscard]] std::string responsesErrorFrame(const ClientError &client, const TurnError &error,
                                              base::TurnId turn);

} // namespace headway::dialects
