// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/statedwait.h"

#include "proxy/core/dialects/translate/upstreamerror.h"
#include "proxy/core/pacing/backoff.h"

namespace headway::engine {

std::optional<base::Milliseconds> statedWait(const net::UpgradeReply &refusal, base::WallTime now)
{
    if (const auto wait = pacing::parseRetryAfterMs(refusal.header("retry-after-ms")))
        return wait;
    if (const auto wait = pacing::parseRetryAfter(refusal.header("retry-after"), now))
        return wait;
    if (refusal.body.empty())
        return std::nullopt;
    return dialects::readHttpError(refusal.status, {}, refusal.body, now).retryAfter;
}

} // namespace headway::engine
