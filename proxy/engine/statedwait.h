// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/net/upstream/httpreply.h"

#include <optional>

namespace headway::engine {

// How long the provider said to wait when it refused: `retry-after-ms`, `retry-after` in seconds or
// as a date, else a field of the body (spec/pacing.md section 6).
[[nodiscard]] std::optional<base::Milliseconds> statedWait(const net::UpgradeReply &refusal,
                                                           base::WallTime now);

} // namespace headway::engine
