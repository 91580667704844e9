// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/door.h"
#include "proxy/core/pacing/quota.h"

#include <string>
#include <utility>
#include <vector>

namespace headway::dialects {

// The allowances of a ChatGPT plan in the words in which a Messages client knows those of its own:
// anthropic-ratelimit-unified-5h-utilization and the like (table 5.4 of the protocol notes). A
// window is told by its length, 5 h or 7 d; others have no word there, and other doors none at all.
// `rejected`: this reply is the refusal for it, whose status and reset stand in it already.
[[nodiscard]] std::vector<std::pair<std::string, std::string>>
quotaHeaders(Door door, const std::vector<pacing::QuotaWindow> &windows, bool rejected);

} // namespace headway::dialects
