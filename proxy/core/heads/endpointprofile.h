// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/heads/poolvalues.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace headway::heads {

// The defaults that depend on whom we talk to (spec/heads.md sections 2 and 6, protocol notes
// 1.11); settings of the user come before them. `host` and `path` of the endpoint's URL, any case.
//
//   public endpoint   60 min, lanes are probed        ChatGPT plan   smaller pool, no lanes
//   xAI               25 min, no lanes                Azure          60 min, no lanes
//   Vercel            13 min, no lanes, frames of at most 4 MiB; closes after 5 min without a
//   frame,
//                     which the pings of the liveness rule keep off
[[nodiscard]] PoolSettings profileOf(std::string_view host, std::string_view path);

// The largest request that a frame of this endpoint can carry, where it states a limit.
[[nodiscard]] std::optional<std::size_t> frameLimitOf(std::string_view host);

// The ChatGPT-plan endpoint: …chatgpt.com/backend-api/…
[[nodiscard]] bool isPlanEndpoint(std::string_view host, std::string_view path);

} // namespace headway::heads
