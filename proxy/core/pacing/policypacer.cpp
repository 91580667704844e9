// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/policypacer.h"

#include <algorithm>

namespace headway::pacing {

namespace {

// The bucket keeps its count under every policy; only `off` switches it off.
PacerSettings forBucket(PacerSettings settings)
{
    if (settings.policy != Policy::Off)
        settings.policy = Policy::Bucket;
    return settings;
}

} // namespace

PolicyPacer::PolicyPacer(const PacerSettings &settings, base::Now now,
                         [[maybe_unused]] std::uint64_t seed)
    : m_bucket(forBucket(settings), now)
    , m_spaced(settings, now)
    , m_auto(settings, now)
    , m_settings(effective(settings))
    , m_active(&queueOf(m_settings))
{
}

PolicyQueue &PolicyPacer::queueOf(const PacerSettings &settings)
{
    if (!(settings.ratePerMinute > 0))
        return m_bucket;
    switch (settings.policy) {
    case Policy::Fixed:
    case Policy::Adaptive:
        return m_spaced;
    case Policy::Auto:
        return m_auto;
    case Policy::Off:
    case Policy::Bucket:
        break;
    }
    return m_bucket;
}

void PolicyPacer::countElsewhere(base::Now now)
{
    if (m_active != &m_bucket)
        m_bucket.startedElsewhere(now);
    if (m_active != &m_spaced)
        m_spaced.startedElsewhere(now);
}

AdmissionDecision PolicyPacer::request(const AdmissionRequest &request, base::Now now)
{
    AdmissionDecision decision = m_active->request(request, now);
    if (std::holds_alternative<Admitted>(decision))
        countElsewhere(now);
    return decision;
}

void PolicyPacer::cancel(WaiterId id, base::Now now)
{
    m_bucket.cancel(id, now);
    m_spaced.cancel(id, now);
    m_auto.cancel(id, now);
}

void PolicyPacer::giveBack(WaiterId id, base::Now now)
{
    m_bucket.giveBack(id, now);
    m_spaced.giveBack(id, now);
    m_auto.giveBack(id, now);
}

void PolicyPacer::settle(WaiterId id)
{
    m_bucket.settle(id);
    m_spaced.settle(id);
    m_auto.settle(id);
}

void PolicyPacer::opened(WaiterId id, base::Now now)
{
    if (m_settings.policy == Policy::Adaptive)
        m_spaced.opened(id, now);
    m_auto.opened(id, now);
}

std::optional<AdmissionDecision> PolicyPacer::rejected(WaiterId id, const Rejection &rejection,
                                                       base::Now now)
{
    if (m_settings.policy == Policy::Adaptive)
        (void)m_spaced.rejected(id, rejection, now);
    if (m_active == &m_auto)
        return m_auto.rejected(id, rejection, now);
    m_auto.dialFailed(id, now); // of an attempt it let go before the policy changed
    return std::nullopt;
}

void PolicyPacer::dialFailed(WaiterId id, base::Now now)
{
    m_auto.dialFailed(id, now);
}

void PolicyPacer::debitRecovery(const RequestBudget &budget, base::Now now)
{
    m_bucket.debitRecovery(budget, now);
    m_spaced.debitRecovery(budget, now);
    m_auto.debitRecovery(budget, now);
}

void PolicyPacer::recoveryOpened(base::Now now)
{
    if (m_settings.policy == Policy::Adaptive)
        m_spaced.recoveryOpened(now);
    m_auto.recoveryOpened(now);
}

void PolicyPacer::recoveryRejected(const Rejection &rejection, base::Now now)
{
    if (m_settings.policy == Policy::Adaptive)
        m_spaced.recoveryRejected(rejection, now);
}

void PolicyPacer::socketsChanged(const SocketLevel &sockets, base::Now now)
{
    m_auto.socketsChanged(sockets, now);
}

void PolicyPacer::firstOutput(base::Nanoseconds time)
{
    m_spaced.firstOutput(time);
    m_auto.firstOutput(time);
}

void PolicyPacer::moveToFront(WaiterId id, base::Now now)
{
    m_active->moveToFront(id, now);
}

std::vector<Departure> PolicyPacer::due(base::Now now)
{
    // Also when another policy is active: those whom a change sent back are told by the bucket.
    std::vector<Departure> out
        = m_active == &m_bucket ? std::vector<Departure>{} : m_bucket.due(now);
    const std::vector<Departure> departures = m_active->due(now);
    for (const Departure &departure : departures) {
        if (std::holds_alternative<Admitted>(departure.outcome))
            countElsewhere(now);
    }
    out.insert(out.end(), departures.begin(), departures.end());
    return out;
}

std::vector<std::uint64_t> PolicyPacer::takeLapsedTickets(base::Now now)
{
    return m_auto.takeLapsedTickets(now);
}

std::optional<base::SteadyTime> PolicyPacer::nextDue() const
{
    const auto left = m_bucket.nextDue();
    const auto next = m_active->nextDue();
    if (left && next)
        return std::min(*left, *next);
    return left ? left : next;
}

void PolicyPacer::applySettings(const PacerSettings &settings, base::Now now)
{
    const PacerSettings next = effective(settings);
    PolicyQueue *const active = &queueOf(next);
    std::vector<Attempt> moving;
    if (active != m_active)
        moving = m_active->handOver(now);
    m_bucket.applySettings(forBucket(next), now);
    m_spaced.applySettings(next, now);
    m_auto.applySettings(next, now);
    m_settings = next;
    m_active = active;
    if (!moving.empty())
        m_active->adopt(moving, now);
}

PacerLevel PolicyPacer::level(base::Now now) const
{
    PacerLevel level = m_active->level(now);
    if (m_active == &m_bucket)
        return level;
    level.tokens = m_bucket.level(now).tokens;
    level.waiting += m_bucket.level(now).waiting;
    return level;
}

std::vector<Pacer::Place> PolicyPacer::queue() const
{
    return m_active->queue();
}

CeilingEstimate PolicyPacer::estimate(base::Now now) const
{
    return m_auto.estimate(now);
}

void PolicyPacer::recall(const CeilingEstimate &estimate, base::Now now)
{
    m_auto.recall(estimate, now);
}

std::vector<Notice> PolicyPacer::notices(const RequestBudget &budget) const
{
    return m_active->notices(budget);
}

} // namespace headway::pacing
