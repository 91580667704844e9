// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/autopacer.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace headway::pacing {

namespace {

using namespace std::chrono_literals;
using base::Nanoseconds;
using base::SteadyTime;

constexpr base::Seconds longestHint{60};
constexpr std::size_t mostDialling = 4'096;

} // namespace

AutoPacer::AutoPacer(const PacerSettings &settings, base::Now now)
    : m_door(now.steady)
    , m_at(now.steady)
{
    applySettings(settings, now);
}

void AutoPacer::advance(base::Now now)
{
    m_at = std::max(m_at, now.steady);
    m_door.forget(m_at);
    m_tickets.advance(m_at);
}

Door::Permit AutoPacer::nextPermit(bool inTime) const
{
    Door::Permit permit = m_door.permit(m_at, m_queue.size());
    const bool canKeep = !m_door.rate().isActive() || m_door.rate().burst() >= 2;
    const std::size_t kept = canKeep ? std::min<std::size_t>(1, m_tickets.held()) : 0;
    if (!permit.may || permit.probe || inTime || permit.room > kept)
        return permit;
    permit.may = false;
    permit.again = m_at + m_door.perOpening(m_at);
    if (const auto change = m_tickets.nextChange())
        permit.again = std::min(*permit.again, std::max(*change, m_at));
    return permit;
}

AdmissionDecision AutoPacer::request(const AdmissionRequest &request, base::Now now)
{
    advance(now);
    const Attempt attempt = attemptOf(request, m_at);
    const auto returned = m_tickets.back(attempt.ticketKey, m_at);
    FairQueue::Waiter waiter{attempt, latestStart(attempt, m_firstOutputs), 0, 0};
    waiter.order = returned ? returned->order : m_queue.nextOrder();
    const bool inTime = returned && returned->inTime;
    if (m_queue.empty() || inTime) {
        if (const Door::Permit permit = nextPermit(inTime); permit.may)
            return admit(waiter, permit, false);
    }
    if (waiter.latest <= m_at)
        return refuse(waiter, m_queue.size() + 1);
    m_queue.push(attempt, waiter.latest, waiter.order);
    return queuedAt(attempt.id);
}

Admitted AutoPacer::admit(const FairQueue::Waiter &waiter, const Door::Permit &permit, bool queued)
{
    const Attempt &attempt = waiter.attempt;
    // Dials whose end nobody reported must not pile up.
    if (m_dialling.size() >= mostDialling)
        std::erase_if(m_dialling, [this](const auto &entry) { return entry.second.latest < m_at; });
    const bool withTicket = m_tickets.charge(attempt.ticketKey);
    m_door.dialled(attempt.id, permit, m_at);
    m_dialling.insert_or_assign(attempt.id, Dialling{attempt, waiter.latest, waiter.order, false});
    return {m_at - attempt.arrivedAt, queued, permit.sockets.shedTo, withTicket};
}

Queued AutoPacer::queuedAt(WaiterId id) const
{
    const std::size_t place = m_queue.placeOf(id);
    const SteadyTime turn = m_door.expectedTurn(place, m_queue.size(), m_at);
    return {turn, place, turn - m_at};
}

Refused AutoPacer::refuse(const FairQueue::Waiter &waiter, std::size_t place)
{
    const Nanoseconds wait = m_door.expectedTurn(place, m_queue.size(), m_at) - m_at;
    const auto hint = std::chrono::ceil<base::Seconds>(std::min<Nanoseconds>(wait, longestHint));
    const Tickets::Issued issued
        = m_tickets.issue(waiter.attempt.ticketKey, hint, waiter.order, m_at);
    return {.required = wait,
            .hint = issued.hint,
            .waited = m_at - waiter.attempt.arrivedAt,
            .final = true,
            .slot = issued.slot};
}

std::vector<std::uint64_t> AutoPacer::takeLapsedTickets(base::Now now)
{
    advance(now);
    return m_tickets.takeLapsed();
}

void AutoPacer::cancel(WaiterId id, base::Now now)
{
    advance(now);
    if (const FairQueue::Waiter *waiter = m_queue.find(id)) {
        m_tickets.gone(waiter->attempt.ticketKey);
        m_queue.remove(id);
        return;
    }
    giveBack(id, now);
}

void AutoPacer::giveBack(WaiterId id, base::Now now)
{
    advance(now);
    const auto dialling = m_dialling.find(id);
    if (dialling == m_dialling.end() || dialling->second.settled)
        return;
    m_dialling.erase(dialling);
    m_door.withdrawn(id, m_at);
}

void AutoPacer::settle(WaiterId id)
{
    if (const auto dialling = m_dialling.find(id); dialling != m_dialling.end())
        dialling->second.settled = true;
}

void AutoPacer::opened(WaiterId id, base::Now now)
{
    advance(now);
    const bool throttled = m_door.state() != DoorState::Open;
    m_dialling.erase(id);
    m_door.passed(id, m_queue.size(), m_at);
    if (throttled)
        m_evidence = now.wall;
}

std::optional<AdmissionDecision> AutoPacer::rejected(WaiterId id, const Rejection &rejection,
                                                     base::Now now)
{
    advance(now);
    m_door.rejected(id, rejection, m_at);
    m_evidence = now.wall;
    const auto found = m_dialling.find(id);
    if (found == m_dialling.end())
        return std::nullopt;
    const Dialling dialling = found->second;
    m_dialling.erase(found);
    if (dialling.latest <= m_at)
        return refuse({dialling.attempt, dialling.latest, dialling.order, 0}, 1);
    m_queue.push(dialling.attempt, dialling.latest, dialling.order);
    return queuedAt(id);
}

void AutoPacer::dialFailed(WaiterId id, base::Now now)
{
    advance(now);
    m_dialling.erase(id);
    m_door.withdrawn(id, m_at);
}

// A recovery connection passes by the queue; it counts when it opens.
void AutoPacer::debitRecovery(const RequestBudget &, base::Now now)
{
    advance(now);
}

void AutoPacer::recoveryOpened(base::Now now)
{
    advance(now);
    m_door.otherPassed(m_at);
}

void AutoPacer::startedElsewhere(base::Now now)
{
    advance(now);
}

void AutoPacer::socketsChanged(const SocketLevel &sockets, base::Now now)
{
    advance(now);
    m_door.socketsChanged(sockets);
}

void AutoPacer::firstOutput(Nanoseconds time)
{
    m_firstOutputs.add(time);
}

void AutoPacer::moveToFront(WaiterId id, base::Now now)
{
    advance(now);
    m_queue.moveToFront(id);
}

std::vector<Departure> AutoPacer::due(base::Now now)
{
    advance(now);
    std::vector<Departure> out;
    refuseLate(out);
    while (!m_queue.empty()) {
        const Door::Permit permit = nextPermit(false);
        if (!permit.may)
            break;
        const FairQueue::Waiter waiter = m_queue.pop();
        out.push_back({waiter.attempt.id, admit(waiter, permit, true)});
    }
    return out;
}

void AutoPacer::refuseLate(std::vector<Departure> &out)
{
    for (const FairQueue::Waiter *late = m_queue.firstToExpire();
         late && late->latest <= m_at + timeTolerance; late = m_queue.firstToExpire())
    {
        const FairQueue::Waiter waiter = *late;
        const std::size_t place = m_queue.placeOf(waiter.attempt.id);
        m_queue.remove(waiter.attempt.id);
        out.push_back({waiter.attempt.id, refuse(waiter, place)});
    }
}

std::optional<SteadyTime> AutoPacer::nextDue() const
{
    const FairQueue::Waiter *late = m_queue.firstToExpire();
    if (!late)
        return std::nullopt;
    const Door::Permit permit = nextPermit(false);
    if (permit.may)
        return m_at;
    return permit.again ? std::min(*permit.again, late->latest) : late->latest;
}

void AutoPacer::applySettings(const PacerSettings &settings, base::Now now)
{
    advance(now);
    m_door.setRate(std::max(1.0, settings.ratePerMinute), settings.ratePinned);
}

std::vector<Notice> AutoPacer::notices(const RequestBudget &) const
{
    return {};
}

std::vector<Attempt> AutoPacer::handOver(base::Now now)
{
    advance(now);
    std::vector<Attempt> attempts;
    attempts.reserve(m_queue.size());
    while (!m_queue.empty())
        attempts.push_back(m_queue.pop().attempt);
    return attempts;
}

void AutoPacer::adopt(const std::vector<Attempt> &attempts, base::Now now)
{
    advance(now);
    for (const Attempt &attempt : attempts)
        m_queue.push(attempt, latestStart(attempt, m_firstOutputs), m_queue.nextOrder());
}

} // namespace headway::pacing
