// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/rejectionschedule.h"

#include "proxy/core/pacing/backoff.h"
#include "proxy/core/pacing/bucketrules.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace headway::pacing {

namespace {

using namespace std::chrono_literals;
using base::Milliseconds;
using base::Nanoseconds;
using base::SteadyTime;

constexpr Milliseconds longestStated = 120s;
constexpr Milliseconds marginAfterStated = 1s;
constexpr Milliseconds firstSpacedRetry = 3s;
constexpr Nanoseconds burstLasts = 2s;
constexpr Nanoseconds placeStep = 100ms;
constexpr Nanoseconds jitter = 20ms;

Nanoseconds uniform(Nanoseconds most, base::Random &random)
{
    return Nanoseconds(std::llround(random.uniform(0, static_cast<double>(most.count()))));
}

Nanoseconds offset(std::size_t place, const RequestBudget &budget)
{
    const Milliseconds spare
        = budget.idle - ladder(budget.retries) - (budget.retries + 1) * budget.bound;
    const Nanoseconds most = spare / (2 * std::max(1, budget.retries));
    const Nanoseconds wanted
        = placeStep * static_cast<std::int64_t>(std::min<std::size_t>(place, 1'000'000));
    return std::min(wanted, std::max(most, Nanoseconds(0)));
}

bool isSpaced(Policy policy)
{
    return policy == Policy::Fixed || policy == Policy::Adaptive;
}

} // namespace

RejectionSchedule::RejectionSchedule(std::uint64_t seed)
    : m_random(seed)
{
}

std::size_t RejectionSchedule::takePlace(SteadyTime now)
{
    if (!m_burstSince || now - *m_burstSince > burstLasts + timeTolerance) {
        m_burstSince = now;
        m_victims = 0;
    }
    return m_victims++;
}

ThrottleAnswer RejectionSchedule::next(const Throttled &turn, const RequestBudget &budget,
                                       base::Now now)
{
    const std::size_t place = takePlace(now.steady);
    const int retry = turn.retriesUsed + 1;
    const bool spacedFirst
        = turn.by == Throttled::By::Upgrade && turn.rejections == 0 && isSpaced(turn.policy);
    const Milliseconds guess = spacedFirst ? firstSpacedRetry : rungOf(retry);
    const Milliseconds base = std::max(turn.stated.value_or(guess), Milliseconds(0));
    if (turn.by == Throttled::By::Event) {
        const SteadyTime until = now.steady + std::min(base, longestStated);
        if (!m_coolUntil || *m_coolUntil < until)
            m_coolUntil = until;
    }
    if (turn.retriesUsed >= budget.retries)
        return PassOn{turn.stated};
    if (turn.stated
        && (base > longestStated || base + budget.bound + marginAfterStated > turn.remaining))
        return PassOn{turn.stated};
    Nanoseconds delay = base + offset(place, budget) + uniform(jitter, m_random);
    if (place == 0 && !turn.stated && !spacedFirst)
        delay = Nanoseconds(std::llround(m_random.uniform(0.8, 1.0)
                                         * static_cast<double>(Nanoseconds(base).count())));
    if (delay >= turn.remaining)
        return PassOn{turn.stated};
    return RetryIn{delay};
}

std::optional<SteadyTime> RejectionSchedule::coolingUntil(base::Now now) const
{
    if (!m_coolUntil || *m_coolUntil <= now.steady + timeTolerance)
        return std::nullopt;
    return m_coolUntil;
}

SteadyTime RejectionSchedule::clearAt(base::Now now)
{
    const auto until = coolingUntil(now);
    if (!until) {
        m_held = 0;
        return now.steady;
    }
    const Nanoseconds step = placeStep * static_cast<std::int64_t>(m_held++);
    return *until + step + uniform(jitter, m_random);
}

} // namespace headway::pacing
