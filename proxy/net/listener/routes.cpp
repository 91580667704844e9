// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/listener/routes.h"

#include <algorithm>
#include <array>
#include <string>

namespace headway::net {
namespace {

enum class Match : std::uint8_t {
    End, // any prefix before it
    Exact,
    ListOrItem, // …/models or …/models/ID
    Slash, // any path that ends in one
};

struct Row
{
    std::string_view path;
    Match match;
    std::string_view method;
    Route route;
    RouteClass routeClass;
    bool upgradeOnly = false;
};

// The first row whose path fits names the route; rows of one path stand together. HEAD is taken
// wherever GET is.
constexpr std::array rows{
    Row{"/healthz", Match::Exact, "GET", Route::Health, RouteClass::Open},
    Row{"/metrics", Match::Exact, "GET", Route::Metrics, RouteClass::Control},
    Row{"/headway/v1/state", Match::Exact, "GET", Route::State, RouteClass::Control},
    Row{"/headway/v1/feed", Match::Exact, "GET", Route::Feed, RouteClass::Control, true},
    Row{"/messages/count_tokens", Match::End, "POST", Route::CountTokens, RouteClass::Model},
    Row{"/messages", Match::End, "POST", Route::Messages, RouteClass::Model},
    Row{"/responses", Match::End, "POST", Route::Responses, RouteClass::Model},
    Row{"/responses", Match::End, "GET", Route::Responses, RouteClass::Model, true},
    Row{"/chat/completions", Match::End, "POST", Route::ChatCompletions, RouteClass::Model},
    Row{"/models", Match::ListOrItem, "GET", Route::Models, RouteClass::Model},
    Row{"/api/hello", Match::End, "HEAD", Route::Probe, RouteClass::Open},
    Row{"/", Match::Slash, "HEAD", Route::Probe, RouteClass::Open},
};

bool endsWith(std::string_view text, std::string_view end)
{
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool fits(const Row &row, std::string_view path)
{
    switch (row.match) {
    case Match::Exact:
        return path == row.path;
    case Match::ListOrItem: {
        const std::size_t at = path.rfind(std::string{row.path} + '/');
        return endsWith(path, row.path)
            || (at != std::string_view::npos && at + row.path.size() + 1 < path.size());
    }
    case Match::End:
    case Match::Slash:
        break;
    }
    return endsWith(path, row.path);
}

} // namespace

ErrorDialect dialectOf(std::string_view path)
{
    return endsWith(path, "/messages") || endsWith(path, "/messages/count_tokens")
        ? ErrorDialect::Anthropic
        : ErrorDialect::OpenAi;
}

Refusal noSocketHere(std::string message)
{
    return {.status = 426,
            .message = std::move(message),
            .headers = {{"upgrade", "websocket"}},
            .code = "upgrade_required"};
}

tl::expected<RouteMatch, Refusal> findRoute(std::string_view method, std::string_view path,
                                            bool upgrade)
{
    std::string allowed;
    std::string_view place; // path of the row that fitted first
    bool socketOnly = false;
    for (const Row &row : rows) {
        if ((!place.empty() && row.path != place) || !fits(row, path))
            continue;
        if (row.match == Match::Slash && path != row.path && method != row.method)
            continue; // a base URL with a prefix is probed; nothing else is there
        place = row.path;
        const bool methodFits
            = method == row.method || (method == "HEAD" && row.method == "GET" && !row.upgradeOnly);
        if (methodFits && row.upgradeOnly == upgrade)
            return RouteMatch{row.route, row.routeClass};
        socketOnly = socketOnly || (methodFits && row.upgradeOnly);
        allowed += allowed.empty() ? "" : ", ";
        allowed += row.method;
        if (row.method == "GET" && !row.upgradeOnly)
            allowed += ", HEAD";
    }
    if (upgrade)
        return tl::unexpected(
            noSocketHere("No WebSocket is spoken at this address; use plain HTTP requests here."));
    if (socketOnly)
        return tl::unexpected(noSocketHere(
            "GET at this address needs a WebSocket upgrade; plain HTTP clients use POST."));
    if (!place.empty())
        return tl::unexpected(Refusal{.status = 405,
                                      .message = "This address takes only " + allowed + '.',
                                      .headers = {{"allow", allowed}},
                                      .code = "method_not_allowed"});
    return tl::unexpected(
        Refusal{.status = 404,
                .message = "Nothing is served at this path. Model routes end in /v1/messages, "
                           "/v1/messages/count_tokens, /v1/responses, /v1/chat/completions or "
                           "/v1/models.",
                .headers = {},
                .code = "not_found"});
}

} // namespace headway::net
