// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/core/dialects/turnerror.h"
#include "proxy/core/json/document.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headway::dialects {

using HeaderList = std::vector<std::pair<std::string, std::string>>;

// An error in any of its shapes: the frame {"type":"error","status":…,"error":{…},"headers":{…}},
// the flat {"type":"error","code":…,"message":…}, the `response` of response.failed, a body
// {"error":{…}}. Delays are carried: headers first, then fields of the body, then "try again in Ns"
// in the text; times that are stated as wall time are turned into delays with `now`.
[[nodiscard]] TurnError readUpstreamError(json::Value holder, base::WallTime now);

// An HTTP reply that is an error (a refused upgrade, a failed POST). `headers` have any case.
[[nodiscard]] TurnError readHttpError(int status, const HeaderList &headers, std::string_view body,
                                      base::WallTime now);

} // namespace headway::dialects
