// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/routes.h"

namespace headway::engine {

Route routeOf(std::string_view method, std::string_view path)
{
    if (method == "POST") {
        if (path.ends_with("/messages/count_tokens"))
            return Route::CountTokens;
        if (path.ends_with("/messages"))
            return Route::Messages;
        if (path.ends_with("/responses"))
            return Route::Responses;
    } else if (method == "GET") {
        if (path == "/healthz")
            return Route::Health;
        if (path == "/headway/v1/state")
            return Route::State;
        if (path.ends_with("/models") || path.find("/models/") != std::string_view::npos)
            return Route::Models;
    } else if (method == "HEAD") {
        if (path == "/" || path.ends_with("/api/hello") || path.ends_with("/"))
            return Route::Probe;
    }
    return Route::Unknown;
}

} // namespace headway::engine
