// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/listener/refusal.h"
#include "proxy/net/listener/routes.h"

#include <string>
#include <string_view>

namespace headway::net {

// The JSON body that a client of this dialect expects with an error status (reference/protocols.md
// section 4.4 and the OpenAI error object).
[[nodiscard]] std::string errorBody(ErrorDialect dialect, const Refusal &refusal,
                                    std::string_view requestId);

struct RefusalPlan
{
    ErrorDialect dialect = ErrorDialect::OpenAi;
    bool isHead = false; // the request's method: no body
    bool isHttp10 = false;
    bool keepAlive = false;
};

// Appends the whole reply to a refused request, with a new id in request-id (OpenAI's clients also
// look for x-request-id).
void appendRefusal(std::string &out, const Refusal &refusal, const RefusalPlan &plan);

// A new id for a reply that has no turn: "req_" and 24 hexadecimal digits. Unique, not secret.
[[nodiscard]] std::string newRequestId();

} // namespace headway::net
