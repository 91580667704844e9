// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/listener/refusal.h"

#include <llhttp.h>
#include <string>
#include <string_view>

namespace headway::net {

[[nodiscard]] Refusal badRequest(std::string message); // 400
[[nodiscard]] Refusal unknownVersion(); // 505

// What llhttp objects to, in words for the person who wrote the client; `bytes` are those that it
// was reading.
[[nodiscard]] Refusal explainParseError(llhttp_errno_t error, std::string_view bytes);

} // namespace headway::net
