// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/lab/provider.h"

#include "proxy/core/lab/clock.h"
#include "proxy/core/lab/workload.h"

#include <algorithm>
#include <cmath>

namespace headway::lab {

namespace {

constexpr double nanosecondsPerMinute = 60e9;
constexpr base::Nanoseconds meterWindow = base::Seconds{60};

} // namespace

Provider::Provider(const ProviderPlan &plan, std::uint64_t seed)
    : m_plan(plan)
    , m_limits(plan.upgradeLimits, startOfRun, randomFor(seed, Chance::Provider))
    , m_othersRandom(randomFor(seed, Chance::Others))
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
    while (!m_charges.empty() && m_charges.front().first + meterWindow <= now) {
        m_used -= m_charges.front().second;
        m_charges.pop_front();
    }
    if (m_charges.empty())
        m_used = 0; // rounding must not outlive what it came from
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
    m_charges.emplace_back(now, inputTokens);
    m_used += inputTokens;
    return std::nullopt;
}

std::optional<Provider::TokenReading> Provider::tokens(base::SteadyTime now)
{
    if (!m_plan.tokensPerMinute)
        return std::nullopt;
    bringUpTo(now);
    const double left = std::max(0.0, *m_plan.tokensPerMinute - m_used);
    const base::Nanoseconds reset
        = m_charges.empty() ? base::Nanoseconds{0} : m_charges.front().first + meterWindow - now;
    return TokenReading{static_cast<std::uint64_t>(*m_plan.tokensPerMinute),
                        static_cast<std::uint64_t>(left),
                        std::chrono::ceil<base::Milliseconds>(reset)};
}

base::SteadyTime Provider::earliestSend(double inputTokens, base::SteadyTime now)
{
    if (!m_plan.tokensPerMinute)
        return now;
    bringUpTo(now);
    double used = m_used;
    base::SteadyTime when = now;
    for (const auto &[at, tokens] : m_charges) {
        if (used + inputTokens <= *m_plan.tokensPerMinute)
            break;
        used -= tokens;
        when = at + meterWindow;
    }
    return when;
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
