// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows of policy `auto`, and what outlives a restart.
#include "proxy/core/pacing/autopacer.h"

#include <algorithm>
#include <cstdint>

namespace headway::pacing {

namespace {

using base::Nanoseconds;
using base::SteadyTime;

constexpr double leastToRecall = 0.1;
constexpr double halfLifeMs = 6 * 3'600'000.0;

// 0.5^exponent, exact at whole exponents and linear in between: products alone come out the same on
// every machine.
double halved(double exponent)
{
    double value = 1;
    for (; exponent >= 1 && value > 0; exponent -= 1)
        value *= 0.5;
    return value > 0 ? value * (1 - 0.5 * exponent) : 0;
}

// A ceiling of yesterday says little about today.
double faded(double confidence, base::Milliseconds age)
{
    if (!(confidence > 0))
        return 0;
    const double aged = static_cast<double>(std::max<std::int64_t>(0, age.count()));
    return std::min(1.0, confidence) * halved(aged / halfLifeMs);
}

} // namespace

PacerLevel AutoPacer::level(base::Now now) const
{
    PacerLevel level;
    level.waiting = m_queue.size();
    level.state = m_door.state();
    level.until = m_door.stateUntil(m_queue.size(), m_at);
    level.spacing = m_door.rate().isActive() ? m_door.rate().interval() : Nanoseconds(0);
    level.estimate = estimate(now);
    return level;
}

std::vector<Pacer::Place> AutoPacer::queue() const
{
    std::vector<Place> places;
    places.reserve(m_queue.size());
    for (const FairQueue::Waiter &waiter : m_queue.inOrder()) {
        const std::size_t place = places.size() + 1;
        const SteadyTime turn = m_door.expectedTurn(place, m_queue.size(), m_at);
        places.push_back({waiter.attempt.id, place, std::min(turn, waiter.latest),
                          waiter.attempt.session, waiter.attempt.interactive,
                          turn > waiter.latest});
    }
    return places;
}

CeilingEstimate AutoPacer::estimate(base::Now now) const
{
    CeilingEstimate estimate;
    estimate.measuredAt = m_evidence;
    int confirmations = 0;
    if (const auto cap = m_door.cap().cap()) {
        estimate.shape = CeilingShape::Cap;
        estimate.socketCap = *cap;
        confirmations = m_door.cap().confirmations();
    }
    if (const auto ceiling = m_door.window().ceiling()) {
        estimate.perMinute = 60 * static_cast<double>(*ceiling)
            / static_cast<double>(m_door.window().length().count());
        estimate.shape = CeilingShape::Window;
        confirmations = std::max(1, m_door.window().confirmations());
    }
    if (m_door.rate().isActive()) {
        estimate.spacing = m_door.rate().interval();
        estimate.perMinute = 60e9 / static_cast<double>(estimate.spacing.count());
        estimate.shape = CeilingShape::Rate;
        confirmations = m_door.rate().confirmations();
    }
    estimate.confidence = faded(1 - halved(confirmations), now.wall - m_evidence);
    return estimate;
}

void AutoPacer::recall(const CeilingEstimate &estimate, base::Now now)
{
    advance(now);
    if (!(faded(estimate.confidence, now.wall - estimate.measuredAt) >= leastToRecall))
        return;
    m_evidence = estimate.measuredAt;
    m_door.recall(estimate, m_at);
}

} // namespace headway::pacing
