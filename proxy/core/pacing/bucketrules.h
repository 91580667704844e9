// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/core/pacing/budget.h"
#include "proxy/core/pacing/pacer.h"

#include <vector>

namespace headway::pacing {

// spec/pacing.md, introduction: quantities this close are equal, and equality admits.
constexpr double tokenTolerance = 1e-6;
constexpr base::Nanoseconds timeTolerance{1'000};

// The settings as the pacer applies them: burst 1 to 100, rate 0 or 1 to 600 (a negative rate is
// 1: zero would switch the limiter off). The settings table has clamped, and said so, before.
[[nodiscard]] PacerSettings effective(PacerSettings settings);

// What one waiting or arriving attempt may use of its turn's budget (section 2).
struct WaitBudget
{
    base::Nanoseconds bound{0};
    base::Milliseconds hintCap{1'000};
    int retries = 0;
};

[[nodiscard]] WaitBudget waitBudget(const RequestBudget &budget);

// Whether an overflowing attempt may be sent back to its ladder: only if the retries, each told
// at most the hint cap, outlast one refill interval (section 3). Never with a bound of zero, where
// pacing is off, nor without retries, nor without a rate.
[[nodiscard]] bool canRefuse(const WaitBudget &budget, double ratePerMinute);

// The hint a refused attempt gets: its honest wait in whole seconds, at least one, at most the cap.
[[nodiscard]] base::Seconds retryHint(base::Nanoseconds required, base::Milliseconds hintCap);

// What a person should know about these settings with this budget, each under a key of its own
// kind ("pacing.disabled:…"); empty when the policy can keep its promise.
[[nodiscard]] std::vector<Notice> bucketNotices(const PacerSettings &settings,
                                                const RequestBudget &budget);

} // namespace headway::pacing
