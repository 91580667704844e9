// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/random.h"
#include "proxy/core/base/time.h"

#include <QByteArray>

#include <optional>

namespace headway::simulator {

// A request that did not become a reply.
struct FailedAttempt
{
    int status = 0; // 0: the connection failed
    bool overloaded = false; // 529, or overloaded_error in the body
    QByteArray retryAfter; // header values, empty when absent
    QByteArray shouldRetry;
};

// Claude Code's rule, measured (clients.md 1.6). With k retries already made:
//   wait = max(Retry-After, min(0.5 s · 2^k, 32 s)) · U(1, 1.25)
// Retried: no connection, 408, 409, 429, 5xx. Given up: `maxRetries` made, two made while
// overloaded, Retry-After above 60 s, x-should-retry: false. Retry-After of 0 and dates do not
// count.
[[nodiscard]] std::optional<base::Milliseconds>
retryDelay(const FailedAttempt &attempt, int retriesMade, int maxRetries, base::Random &random);

} // namespace headway::simulator
