// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/ledger/limitwatch.h"

#include <chrono>

namespace headway::ledger {

namespace {

using namespace std::chrono_literals;

constexpr base::Nanoseconds tellEvery = 1s;
constexpr base::Nanoseconds tellBudgetEvery = 1min;
constexpr base::Milliseconds sameReset = 5s;

Ms milliseconds(base::Nanoseconds span)
{
    return std::chrono::duration<double, std::milli>(span).count();
}

std::optional<double> rateIfAny(const pacing::CeilingEstimate &estimate)
{
    return estimate.perMinute > 0 ? std::optional(estimate.perMinute) : std::nullopt;
}

std::optional<std::uint64_t> capIfAny(const pacing::CeilingEstimate &estimate)
{
    return estimate.socketCap > 0 ? std::optional<std::uint64_t>(estimate.socketCap) : std::nullopt;
}

bool isSameCeiling(const pacing::CeilingEstimate &a, const pacing::CeilingEstimate &b)
{
    return a.shape == b.shape && a.perMinute == b.perMinute && a.spacing == b.spacing
        && a.socketCap == b.socketCap;
}

bool isSameReset(const std::optional<base::WallTime> &a, const std::optional<base::WallTime> &b)
{
    if (!a || !b)
        return a.has_value() == b.has_value();
    return *a - *b <= sameReset && *b - *a <= sameReset;
}

bool isSameBudget(const pacing::TokenBudget::Level &a, const pacing::TokenBudget::Level &b)
{
    return a.limit == b.limit && a.remaining == b.remaining && a.left == b.left
        && a.isHolding == b.isHolding;
}

} // namespace

bool LimitWatch::Pace::allows(base::SteadyTime now, base::Nanoseconds every) const
{
    return !m_at || now - *m_at >= every;
}

std::vector<Body> LimitWatch::look(const Limits &limits, base::Now now)
{
    std::vector<Body> told;
    lookAtSpacing(limits, now.steady, told);
    lookAtCeiling(limits, now.steady, told);
    lookAtTokens(limits, now.steady, told);
    lookAtQuota(limits, now, told);
    return told;
}

void LimitWatch::lookAtSpacing(const Limits &limits, base::SteadyTime now, std::vector<Body> &told)
{
    if (limits.spacing == m_spacing || !m_spacingPace.allows(now, tellEvery))
        return;
    told.emplace_back(SpacingChanged{std::string(limits.policy), milliseconds(m_spacing),
                                     milliseconds(limits.spacing)});
    m_spacing = limits.spacing;
    m_spacingPace.told(now);
}

void LimitWatch::lookAtCeiling(const Limits &limits, base::SteadyTime now, std::vector<Body> &told)
{
    const pacing::CeilingEstimate &estimate = limits.estimate;
    if (isSameCeiling(estimate, m_ceiling) || !m_ceilingPace.allows(now, tellEvery))
        return;
    CeilingChanged change;
    change.oldShape = name(m_ceiling.shape);
    change.shape = name(estimate.shape);
    change.oldPerMinute = rateIfAny(m_ceiling);
    change.perMinute = rateIfAny(estimate);
    if (estimate.spacing.count() > 0)
        change.spacingMs = milliseconds(estimate.spacing);
    change.oldSocketCap = capIfAny(m_ceiling);
    change.socketCap = capIfAny(estimate);
    change.confidence = estimate.confidence;
    told.emplace_back(std::move(change));
    m_ceiling = estimate;
    m_ceilingPace.told(now);
}

void LimitWatch::lookAtTokens(const Limits &limits, base::SteadyTime now, std::vector<Body> &told)
{
    for (const pacing::TokenBudget::Level &level : limits.tokens.levels(now)) {
        const auto [known, isNew] = m_tokens.try_emplace(level.family);
        ToldBudget &last = known->second;
        if (!isNew && isSameBudget(level, last.level))
            continue;
        const bool matters
            = level.isHolding != last.level.isHolding || level.limit != last.level.limit;
        if (!last.pace.allows(now, matters ? tellEvery : tellBudgetEvery))
            continue;
        TokenBudget budget{std::string(level.family),
                           level.limit,
                           level.remaining,
                           level.left,
                           level.floor,
                           {},
                           level.isHolding};
        if (level.untilReset)
            budget.resetMs = milliseconds(*level.untilReset);
        told.emplace_back(std::move(budget));
        last.level = level;
        last.pace.told(now);
    }
}

void LimitWatch::lookAtQuota(const Limits &limits, base::Now now, std::vector<Body> &told)
{
    for (const pacing::QuotaWindow &window : limits.quota.windows(now.wall)) {
        const auto [known, isNew] = m_quota.try_emplace({window.meter, window.length});
        ToldQuota &last = known->second;
        const auto &ends = last.window.resetsAt;
        const bool isOver = ends && *ends <= now.wall && !window.resetsAt; // nobody told so
        const bool isSame
            = window.usedPercent == last.window.usedPercent && isSameReset(window.resetsAt, ends);
        if ((!isNew && (isSame || isOver)) || !last.pace.allows(now.steady, tellEvery))
            continue;
        told.emplace_back(QuotaWindow{window.meter, window.name, milliseconds(window.length),
                                      window.usedPercent, window.resetsAt});
        last.window = window;
        last.pace.told(now.steady);
    }
}

} // namespace headway::ledger
