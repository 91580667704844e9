// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <optional>
#include <string>
#include <vector>

namespace headway::pacing {

// A fact a person should know once. Keys are namespaced ("pacing.disabled:…"), so that no
// configuration string can suppress another notice (spec: pacing 2-3, case B08).
struct Notice
{
    std::string key;
    std::string text;

    friend bool operator==(const Notice &, const Notice &) = default;
};

// What the user set; empty means "default".
struct BudgetSettings
{
    std::optional<base::Milliseconds> idle;
    std::optional<base::Milliseconds> total;
    std::optional<int> retries;
};

// spec/pacing.md sections 1 and 2, resolved. A turn keeps the budget it arrived with.
struct RequestBudget
{
    base::Milliseconds idle{120'000};
    base::Milliseconds total{600'000};
    int retries = 5;
    base::Milliseconds bound{4'833}; // longest wait for an admission in one attempt
    base::Milliseconds hintCap{4'000}; // longest retry hint, a whole number of seconds
    std::vector<Notice> notices;

    friend bool operator==(const RequestBudget &, const RequestBudget &) = default;
};

[[nodiscard]] RequestBudget resolveBudget(const BudgetSettings &settings);

// Sum of the rungs 2, 4, 8 … s of `retries` retries: 2000 * (2^n - 1) ms.
[[nodiscard]] base::Milliseconds ladder(int retries);

} // namespace headway::pacing
