// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/listener/exchange.h"
#include "proxy/net/listener/listener.h"
#include "proxy/net/listener/refusal.h"

#include <string_view>
#include <tl/expected.hpp>

namespace headway::net {

// Whose words an error is put into.
enum class ErrorDialect : std::uint8_t {
    Anthropic, // …/messages and …/messages/count_tokens
    OpenAi, // everywhere else
};

[[nodiscard]] ErrorDialect dialectOf(std::string_view path);

struct RouteMatch
{
    Route route = Route::Probe;
    RouteClass routeClass = RouteClass::Open;
};

// The route of a request (spec/cli.md: "Routes are recognised by their end, any prefix before it is
// allowed"; ours are exact). Refuses with 404, 405 with Allow, or 426 for what is or ought to be an
// upgrade elsewhere.
[[nodiscard]] tl::expected<RouteMatch, Refusal> findRoute(std::string_view method,
                                                          std::string_view path, bool upgrade);

// 426: an upgrade where plain HTTP is to be spoken. Codex goes to HTTP on it at once.
[[nodiscard]] Refusal noSocketHere(std::string message);

} // namespace headway::net
