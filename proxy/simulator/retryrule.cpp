// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/retryrule.h"

#include <algorithm>
#include <cmath>

namespace headway::simulator {

namespace {

constexpr double firstRungSeconds = 0.5;
constexpr double lastRungSeconds = 32;
constexpr double longestRetryAfterSeconds = 60;
constexpr int overloadedRetries = 2;

bool isRetryable(int status)
{
    return status == 0 || status == 408 || status == 409 || status == 429 || status >= 500;
}

} // namespace

std::optional<base::Milliseconds> retryDelay(const FailedAttempt &attempt, int retriesMade,
                                             int maxRetries, base::Random &random)
{
    const int allowed = attempt.overloaded ? std::min(overloadedRetries, maxRetries) : maxRetries;
    if (!isRetryable(attempt.status) || attempt.shouldRetry == "false" || retriesMade >= allowed)
        return std::nullopt;
    bool isNumber = false;
    const double stated = attempt.retryAfter.toDouble(&isNumber);
    const double retryAfter = isNumber ? std::max(0.0, stated) : 0.0;
    if (retryAfter > longestRetryAfterSeconds)
        return std::nullopt;
    const double rung = std::min(lastRungSeconds, firstRungSeconds * std::exp2(retriesMade));
    const double seconds = std::max(retryAfter, rung) * random.uniform(1, 1.25);
    return base::Milliseconds{std::llround(seconds * 1000)};
}

} // namespace headway::simulator
