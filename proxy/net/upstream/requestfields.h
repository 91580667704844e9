// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/upstream/endpoint.h"

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace headway::net {

using RequestHeaders = std::vector<std::pair<std::string, std::string>>;

// Path and query of `url`, "/" when it has none.
[[nodiscard]] std::string requestTarget(const QUrl &url);

// "METHOD target HTTP/1.1" and Host.
[[nodiscard]] std::string requestStart(std::string_view method, std::string_view target,
                                       const QUrl &url);

// `headers` as they go out, and besides them Authorization: Bearer with the endpoint's key and
// User-Agent, unless `headers` has its own. A name or value that would break the request, or a name
// that is the request's own (Host, Connection, the lengths, Upgrade, Sec-WebSocket-*), is an error
// with a sentence that says `what` cannot carry it; a value is never told, it may be a credential.
[[nodiscard]] tl::expected<std::string, QString>
requestFields(const Endpoint &endpoint, const RequestHeaders &headers, const QString &what);

} // namespace headway::net
