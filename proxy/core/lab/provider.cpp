// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/lab/provider.h"

#include "proxy/core/lab/clock.h"
#include "proxy/core/lab/workload.h"

#include <algorithm>
#include <cmath>

namespace headway::lab {

namespace {

constexpr double nanosecondsPerMinute = 60e9;

} // namespace

Provider::Provider(const ProviderPlan &plan, std::uint64_t seed)
    : m_plan(plan)
    , m_limits(plan.upgradeLimits, startOfRun, randomFor(seed, Chance::Provider))
    , m_othersRandom(randomFor(seed, Chance::Others))
    , m_tokens(plan.tokensPerMinute.value_or(0))
    , m_tokensAt(startOfRun)
{
    for (const Outage &outage : plan.outages)
        m_outages.push_back({outage, outage.count.value_or(0)});
    if (plan.othersPerMinute > 0) {
        m_nextOther = startOfRun;
        drawNextOther();
    }
}

// Gaps between the openings of others: half to one and a half times the mean one.
void Provider::drawNextOther()
{
    const double mean = nanosecondsPerMinute / m_plan.othersPerMinute;
    m_nextOther += base::Nanoseconds(
        std::max<std::int64_t>(1, std::llround(mean * m_othersRandom.uniform(0.5, 1.5))));
}

void Provider::bringUpTo(base::SteadyTime now)
{
    while (m_nextOther <= now) {
        m_limits.openedByOthers(m_nextOther);
        drawNextOther();
    }
    if (!m_plan.tokensPerMinute)
        return;
    const auto passed = static_cast<double>((now - m_tokensAt).count());
    m_tokens = std::min(*m_plan.tokensPerMinute,
                        m_tokens + passed * *m_plan.tokensPerMinute / nanosecondsPerMinute);
    m_tokensAt = now;
}

Provider::RunningOutage *Provider::outageAt(base::SteadyTime now)
{
    for (RunningOutage &running : m_outages) {
        const base::SteadyTime from = startOfRun + running.outage.from;
        const bool begun = from <= now;
        const bool over = running.outage.length && now >= from + *running.outage.length;
        const bool usedUp = running.outage.count && running.left <= 0;
        if (begun && !over && !usedUp)
            return &running;
    }
    return nullptr;
}

UpgradeReply Provider::upgrade(base::SteadyTime now)
{
    bringUpTo(now);
    if (RunningOutage *running = outageAt(now)) {
        --running->left;
        return {false, running->outage.status, running->outage.retryAfter};
    }
    const UpgradeLimits::Verdict verdict = m_limits.ask(now, m_open);
    if (!verdict.accepted)
        return {false, 403, verdict.retryAfter};
    ++m_open;
    return {};
}

std::optional<base::Nanoseconds> Provider::send(double inputTokens, base::SteadyTime now)
{
    if (!m_plan.tokensPerMinute)
        return std::nullopt;
    const base::SteadyTime when = earliestSend(inputTokens, now);
    if (when > now)
        return when - now;
    m_tokens = std::max(0.0, m_tokens - inputTokens);
    return std::nullopt;
}

std::optional<Provider::TokenReading> Provider::tokens(base::SteadyTime now)
{
    if (!m_plan.tokensPerMinute)
        return std::nullopt;
    bringUpTo(now);
    const double limit = *m_plan.tokensPerMinute;
    const double ms = (limit - m_tokens) * nanosecondsPerMinute / limit / 1e6;
    return TokenReading{static_cast<std::uint64_t>(limit), static_cast<std::uint64_t>(m_tokens),
                        base::Milliseconds(static_cast<std::int64_t>(std::ceil(ms)))};
}

base::SteadyTime Provider::earliestSend(double inputTokens, base::SteadyTime now)
{
    if (!m_plan.tokensPerMinute)
        return now;
    bringUpTo(now);
    const double rate = *m_plan.tokensPerMinute / nanosecondsPerMinute;
    const double missing = std::min(inputTokens, *m_plan.tokensPerMinute) - m_tokens;
    // A millionth of a token is none.
    if (missing <= 1e-6)
        return now;
    return now + base::Nanoseconds(static_cast<std::int64_t>(std::ceil(missing / rate)));
}

std::optional<base::SteadyTime> Provider::earliestUpgrade(base::SteadyTime now)
{
    bringUpTo(now);
    auto earliest = m_limits.earliest(now);
    // Outages may follow one another; a counted one ends by being dialled into.
    for (std::size_t i = 0; earliest && i <= m_outages.size(); ++i) {
        const RunningOutage *running = outageAt(*earliest);
        if (running == nullptr || running->outage.count || !running->outage.length)
            break;
        earliest = startOfRun + running->outage.from + *running->outage.length;
    }
    return earliest;
}

std::size_t Provider::socketsInTheWay(base::SteadyTime now) const
{
    const auto room = m_limits.socketRoom(now);
    if (!room || m_open < *room)
        return 0;
    return m_open + 1 - *room;
}

} // namespace headway::lab
