// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/spacedpacer.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <iterator>

namespace headway::pacing {

namespace {

using namespace std::chrono_literals;
using base::Nanoseconds;
using base::SteadyTime;

constexpr Nanoseconds fixedSpacing = 1s;
// Longer ones are not honoured by the clients in the field.
constexpr base::Seconds longestHint{60};

} // namespace

SpacedPacer::SpacedPacer(const PacerSettings &settings, base::Now now)
    : m_at(now.steady)
{
    applySettings(settings, now);
}

Nanoseconds SpacedPacer::spacing() const
{
    return m_adaptive ? m_law.spacing() : fixedSpacing;
}

// Never before the latest instant seen: a clock that steps back opens nothing.
SteadyTime SpacedPacer::nextStart() const
{
    std::optional<SteadyTime> last = m_lastStart;
    for (const auto &[id, start] : m_unsettled)
        last = last ? std::max(*last, start) : start;
    return last ? std::max(m_at, *last + spacing()) : m_at;
}

void SpacedPacer::advance(base::Now now)
{
    m_at = std::max(m_at, now.steady);
}

Refused SpacedPacer::refusal(Nanoseconds required, Nanoseconds waited) const
{
    return {.required = required,
            .hint = std::min(retryHint(required, longestHint), longestHint),
            .waited = waited,
            .final = true};
}

AdmissionDecision SpacedPacer::request(const AdmissionRequest &request, base::Now now)
{
    advance(now);
    const Attempt attempt = attemptOf(request, m_at);
    const SteadyTime first = nextStart();
    if (m_queue.empty() && first <= m_at + timeTolerance) {
        m_unsettled.insert_or_assign(attempt.id, m_at);
        return Admitted{};
    }
    const auto ahead = static_cast<std::int64_t>(m_queue.size());
    const SteadyTime departsAt = first + ahead * spacing();
    const SteadyTime latest = latestStart(attempt, m_firstOutputs);
    if (latest <= m_at)
        return refusal(departsAt - m_at, Nanoseconds(0));
    push(attempt, latest);
    return Queued{departsAt, m_queue.size(), departsAt - m_at};
}

void SpacedPacer::push(const Attempt &attempt, SteadyTime latest)
{
    assert(!m_index.contains(attempt.id));
    m_queue.emplace_back(attempt, latest);
    m_index.emplace(attempt.id, std::prev(m_queue.end()));
    m_latest.emplace(latest, attempt.id);
}

void SpacedPacer::erase(Queue::iterator waiter)
{
    m_latest.erase({waiter->second, waiter->first.id});
    m_index.erase(waiter->first.id);
    m_queue.erase(waiter);
}

void SpacedPacer::cancel(WaiterId id, base::Now now)
{
    advance(now);
    if (const auto waiter = m_index.find(id); waiter != m_index.end())
        erase(waiter->second);
    else
        giveBack(id, now);
}

void SpacedPacer::giveBack(WaiterId id, base::Now now)
{
    advance(now);
    m_unsettled.erase(id);
}

void SpacedPacer::settle(WaiterId id)
{
    const auto admitted = m_unsettled.find(id);
    if (admitted == m_unsettled.end())
        return;
    m_lastStart = std::max(m_lastStart.value_or(admitted->second), admitted->second);
    m_unsettled.erase(admitted);
}

void SpacedPacer::opened(WaiterId id, base::Now now)
{
    advance(now);
    settle(id);
    m_law.succeeded();
}

std::optional<AdmissionDecision> SpacedPacer::rejected(WaiterId id, const Rejection &,
                                                       base::Now now)
{
    advance(now);
    settle(id);
    m_law.rejected();
    return std::nullopt;
}

void SpacedPacer::debitRecovery(const RequestBudget &, base::Now now)
{
    startedElsewhere(now);
}

void SpacedPacer::recoveryOpened(base::Now now)
{
    advance(now);
    m_law.succeeded();
}

void SpacedPacer::recoveryRejected(const Rejection &, base::Now now)
{
    advance(now);
    m_law.rejected();
}

void SpacedPacer::firstOutput(Nanoseconds time)
{
    m_firstOutputs.add(time);
}

void SpacedPacer::moveToFront(WaiterId id, base::Now now)
{
    advance(now);
    if (const auto waiter = m_index.find(id); waiter != m_index.end())
        m_queue.splice(m_queue.begin(), m_queue, waiter->second);
}

std::vector<Departure> SpacedPacer::due(base::Now now)
{
    advance(now);
    std::vector<Departure> out;
    refuseLate(out);
    while (!m_queue.empty() && nextStart() <= m_at + timeTolerance) {
        const Attempt attempt = m_queue.front().first;
        erase(m_queue.begin());
        m_unsettled.insert_or_assign(attempt.id, m_at);
        out.push_back({attempt.id, Admitted{m_at - attempt.arrivedAt, true}});
    }
    return out;
}

void SpacedPacer::refuseLate(std::vector<Departure> &out)
{
    while (!m_latest.empty() && m_latest.begin()->first <= m_at + timeTolerance) {
        const WaiterId id = m_latest.begin()->second;
        const auto waiter = m_index.at(id);
        const std::int64_t ahead = std::distance(m_queue.begin(), waiter);
        const Nanoseconds required = nextStart() + ahead * spacing() - m_at;
        out.push_back({id, refusal(required, m_at - waiter->first.arrivedAt)});
        erase(waiter);
    }
}

std::optional<SteadyTime> SpacedPacer::nextDue() const
{
    if (m_queue.empty())
        return std::nullopt;
    return std::min(nextStart(), m_latest.begin()->first);
}

void SpacedPacer::applySettings(const PacerSettings &settings, base::Now now)
{
    advance(now);
    m_adaptive = settings.policy == Policy::Adaptive;
    m_law.setFloor(settings.spacingFloor);
}

PacerLevel SpacedPacer::level(base::Now) const
{
    PacerLevel level;
    level.waiting = m_queue.size();
    level.spacing = spacing();
    return level;
}

std::vector<Pacer::Place> SpacedPacer::queue() const
{
    std::vector<Place> places;
    places.reserve(m_queue.size());
    SteadyTime departsAt = nextStart();
    for (const auto &[attempt, latest] : m_queue) {
        places.push_back({attempt.id, places.size() + 1, std::min(departsAt, latest),
                          attempt.session, attempt.interactive, departsAt > latest});
        departsAt += spacing();
    }
    return places;
}

std::vector<Notice> SpacedPacer::notices(const RequestBudget &) const
{
    return {};
}

std::vector<Attempt> SpacedPacer::handOver(base::Now now)
{
    advance(now);
    std::vector<Attempt> attempts;
    attempts.reserve(m_queue.size());
    for (const auto &[attempt, latest] : m_queue)
        attempts.push_back(attempt);
    m_queue.clear();
    m_index.clear();
    m_latest.clear();
    return attempts;
}

void SpacedPacer::adopt(const std::vector<Attempt> &attempts, base::Now now)
{
    advance(now);
    for (const Attempt &attempt : attempts)
        push(attempt, latestStart(attempt, m_firstOutputs));
}

void SpacedPacer::startedElsewhere(base::Now now)
{
    advance(now);
    m_lastStart = std::max(m_lastStart.value_or(m_at), m_at);
}

} // namespace headway::pacing
