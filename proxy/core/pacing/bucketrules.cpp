// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/bucketrules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>

namespace headway::pacing {

namespace {

constexpr double msPerMinute = 60'000;

// "60", "0.5": a rate as a person would write it.
std::string plain(double value)
{
    std::array<char, 32> text{};
    const int length = std::snprintf(text.data(), text.size(), "%.6g", value);
    return std::string(text.data(), static_cast<std::size_t>(std::max(length, 0)));
}

Notice pacingIsOff(const RequestBudget &budget)
{
    const std::string retries = std::to_string(budget.retries);
    const std::string deadline = std::to_string(budget.idle.count());
    return {"pacing.disabled:" + retries + ":" + deadline,
            "not pacing new connections: a " + retries
                + "-retry budget leaves no room to queue inside the resolved " + deadline
                + " ms deadline"};
}

Notice cannotRefuse(double rate, const RequestBudget &budget)
{
    const std::string retries = std::to_string(budget.retries);
    const std::int64_t span = budget.retries * (budget.hintCap.count() / 1'000);
    return {
        "pacing.cannot_refuse:" + plain(rate) + ":" + retries + ":" + std::to_string(span),
        "pacing new connections at " + plain(rate) + "/minute without refusing overflow: a "
            + retries + "-retry schedule spans only " + std::to_string(span)
            + " s, which cannot outlast the " + plain(msPerMinute / rate)
            + " ms wait for a slot, so excess connections are admitted late rather than failed"};
}

} // namespace

PacerSettings effective(PacerSettings settings)
{
    if (!std::isfinite(settings.ratePerMinute))
        settings.ratePerMinute = PacerSettings{}.ratePerMinute;
    if (settings.ratePerMinute != 0)
        settings.ratePerMinute = std::clamp(settings.ratePerMinute, 1.0, 600.0);
    if (!std::isfinite(settings.burst))
        settings.burst = PacerSettings{}.burst;
    settings.burst = std::clamp(settings.burst, 1.0, 100.0);
    return settings;
}

WaitBudget waitBudget(const RequestBudget &budget)
{
    return {std::max(budget.bound, base::Milliseconds(0)), budget.hintCap, budget.retries};
}

bool canRefuse(const WaitBudget &budget, double ratePerMinute)
{
    if (budget.retries <= 0 || budget.bound.count() <= 0 || !(ratePerMinute > 0))
        return false;
    const double span = static_cast<double>(budget.retries * budget.hintCap.count());
    const double toleranceMs = 1e-3;
    return span + toleranceMs >= msPerMinute / ratePerMinute;
}

base::Seconds retryHint(base::Nanoseconds required, base::Milliseconds hintCap)
{
    const auto seconds = std::chrono::ceil<base::Seconds>(required - timeTolerance);
    const auto cap = std::chrono::floor<base::Seconds>(hintCap);
    return std::min(std::max(base::Seconds(1), seconds), std::max(base::Seconds(1), cap));
}

std::vector<Notice> bucketNotices(const PacerSettings &settings, const RequestBudget &budget)
{
    const double rate = settings.ratePerMinute;
    if (settings.policy != Policy::Bucket || !(rate > 0))
        return {};
    std::vector<Notice> found;
    if (budget.bound.count() <= 0)
        found.push_back(pacingIsOff(budget));
    else if (budget.retries > 0 && !canRefuse(waitBudget(budget), rate))
        found.push_back(cannotRefuse(rate, budget));
    return found;
}

} // namespace headway::pacing
