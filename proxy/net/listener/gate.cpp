// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/listener/gate.h"

#include "proxy/net/listener/routes.h"

#include <utility>

namespace headway::net {
namespace {

Refusal wrongKey(RouteClass routeClass)
{
    return {.status = 401,
            .message = routeClass == RouteClass::Model
                ? "No valid access key came with the request. Send Headway's access key as "
                  "x-headway-key, x-api-key or Bearer, or use the base URL that \"headway env\" "
                  "prints."
                : "No valid control key came with the request. Send Headway's control key as "
                  "Bearer or x-headway-key; the access key is not enough here.",
            .headers = {{"www-authenticate", "Bearer realm=\"headway\""}},
            .code = "invalid_api_key"};
}

} // namespace

Gate::Gate(KeyCheck keys, const ListenerTimes &times)
    : m_hosts({}, {}, 0)
    , m_keys(std::move(keys))
    , m_brake(times)
{
}

std::optional<Gate::Closed> Gate::check(RequestHead &head, bool isHttp10, base::SteadyTime now)
{
    if (auto refusal = m_hosts.check(head, isHttp10))
        return Closed{.refusal = std::move(*refusal)};
    const std::string pathKey = KeyCheck::takePathKey(head);
    auto match = findRoute(head.method, head.path, head.upgrade);
    if (!match)
        return Closed{.refusal = std::move(match.error())};
    head.route = match->route;
    if (!m_keys.admits(head, match->routeClass, pathKey))
        return Closed{.refusal = wrongKey(match->routeClass), .delay = m_brake.wrongKey(now)};
    m_keys.strip(head);
    return std::nullopt;
}

} // namespace headway::net
