// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/budget.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace headway::pacing {

namespace {

using base::Milliseconds;

// spec/pacing.md section 1, column "range".
constexpr Milliseconds idleMinimum{10'000};
constexpr Milliseconds idleMaximum{3'600'000};
constexpr Milliseconds totalMinimum{60'000};
constexpr Milliseconds totalMaximum{21'600'000};
constexpr int retriesMaximum = 10;
// Section 2.
constexpr Milliseconds boundMaximum{15'000};

std::string number(std::int64_t value)
{
    return std::to_string(value);
}

// The settings table clamps (and says so) before this room sees a value; a caller that bypasses
// it gets the same treatment here.
std::int64_t clampedWithNotice(std::int64_t value, std::int64_t low, std::int64_t high,
                               std::string_view name, std::vector<Notice> &notices)
{
    const std::int64_t kept = std::clamp(value, low, high);
    if (kept != value) {
        const std::string title(name);
        notices.push_back({"pacing.clamped:" + title + ":" + number(value),
                           title + " " + number(value) + " is outside " + number(low) + " to "
                               + number(high) + "; using " + number(kept)});
    }
    return kept;
}

Milliseconds resolvedDeadline(const std::optional<Milliseconds> &set, Milliseconds fallback,
                              Milliseconds low, Milliseconds high, std::string_view name,
                              std::vector<Notice> &notices)
{
    if (!set)
        return fallback;
    return Milliseconds(clampedWithNotice(set->count(), low.count(), high.count(), name, notices));
}

// The pair rule: a turn can never wait longer for its first event than for its first output.
void applyPairRule(const BudgetSettings &settings, RequestBudget &budget)
{
    if (budget.total >= budget.idle)
        return;
    const std::string idle = number(budget.idle.count());
    const std::string total = number(budget.total.count());
    const std::string pair = idle + ":" + total;
    if (settings.idle && !settings.total) {
        budget.total = budget.idle;
        budget.notices.push_back({"pacing.total_raised:" + pair,
                                  "total_ms raised from " + total + " to " + idle
                                      + " ms: it cannot be shorter than idle_ms"});
    } else {
        budget.idle = budget.total;
        budget.notices.push_back({"pacing.idle_lowered:" + pair,
                                  "idle_ms lowered from " + idle + " to " + total
                                      + " ms: it cannot be longer than total_ms"});
    }
}

void capRetries(const BudgetSettings &settings, RequestBudget &budget)
{
    const int asked = budget.retries;
    while (budget.retries > 0 && ladder(budget.retries) >= budget.idle)
        --budget.retries;
    if (!settings.retries || budget.retries == asked)
        return;
    const std::string idle = number(budget.idle.count());
    budget.notices.push_back({"pacing.retries_capped:" + number(asked) + ":" + idle,
                              "retries lowered from " + number(asked) + " to "
                                  + number(budget.retries)
                                  + ": the delays of more retries do not fit inside the resolved "
                                  + idle + " ms deadline"});
}

} // namespace

Milliseconds ladder(int retries)
{
    // Beyond 40 rungs the sum passes every deadline by far; the cap keeps the shift defined.
    const int rungs = std::clamp(retries, 0, 40);
    return Milliseconds(2'000 * ((std::int64_t{1} << rungs) - 1));
}

RequestBudget resolveBudget(const BudgetSettings &settings)
{
    RequestBudget budget;
    budget.idle = resolvedDeadline(settings.idle, budget.idle, idleMinimum, idleMaximum, "idle_ms",
                                   budget.notices);
    budget.total = resolvedDeadline(settings.total, budget.total, totalMinimum, totalMaximum,
                                    "total_ms", budget.notices);
    if (settings.retries) {
        budget.retries = static_cast<int>(
            clampedWithNotice(*settings.retries, 0, retriesMaximum, "retries", budget.notices));
    }
    applyPairRule(settings, budget);
    capRetries(settings, budget);

    // Half of what the ladder leaves is reserved for the provider's first byte; the other half is
    // shared by all attempts. Integer division rounds down, as section 2 asks.
    const Milliseconds left = budget.idle - ladder(budget.retries);
    budget.bound = std::clamp(left / 2 / (budget.retries + 1), Milliseconds(0), boundMaximum);
    budget.hintCap = std::max(Milliseconds(1'000), budget.bound / 1'000 * 1'000);
    return budget;
}

} // namespace headway::pacing
