// SPDX-License-Identifier: GPL-3.0-or-later
// Whether and when a turn may go: the gate in front of every upstream call, and the admission of a
// new connection.
#include "proxy/core/base/overloaded.h"
#include "proxy/core/pacing/refusalwords.h"
#include "proxy/engine/turnrun.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

namespace headway::engine {

namespace {

double ms(base::Nanoseconds duration)
{
    return std::chrono::duration<double, std::milli>(duration).count();
}

std::uint64_t hashOf(std::string_view text)
{
    return text.empty() ? 0 : std::hash<std::string_view>{}(text) | 1U; // 0 means nobody
}

} // namespace

// Token budget and cool-down (spec/pacing.md sections 5 and 6). What the gate still owes after its
// own wait is paid in the same place. The turn holds no admission here, and its idle deadline
// stands still.
bool TurnRun::passesGate(base::Now now)
{
    Throttles &throttles = m_services.throttles;
    leaveGate(now);
    if (!m_clearAt)
        m_clearAt = throttles.schedule.clearAt(now);
    const auto gate = throttles.tokens.ask(throttles.gated, m_request.interactive, now);
    const base::SteadyTime opens = std::max(*m_clearAt, now.steady + gate.wait + gate.owed);
    if (opens <= now.steady)
        return true;
    ++throttles.gated;
    m_gateUntil = opens;
    m_deadline.hold(now.steady);
    enter(live::Phase::Gate, now);
    scheduleWake();
    return false;
}

void TurnRun::leaveGate(base::Now now)
{
    if (!m_gateUntil)
        return;
    m_gateUntil.reset();
    --m_services.throttles.gated;
    m_deadline.release(now.steady);
}

pacing::AdmissionRequest TurnRun::admissionRequest() const
{
    pacing::AdmissionRequest request{m_waiterId, m_budget};
    // Both waits together never exceed the bound (spec/heads.md section 4).
    const auto waited = std::chrono::ceil<base::Milliseconds>(m_waitedForHead);
    if (m_budget.bound.count() > 0) // zero would switch pacing off for it
        request.budget.bound = std::max(m_budget.bound - waited, base::Milliseconds{1});
    request.session = hashOf(m_request.identity.session);
    request.agent = hashOf(m_request.identity.agent);
    request.interactive = m_request.interactive;
    request.idleDeadline = m_deadline.idleEnds();
    request.ticketKey = ticketKey();
    return request;
}

// By session, agent and the last canonical input item: whole bodies change between a client's
// retries (spec/pacing.md section 7). 0: none.
std::uint64_t TurnRun::ticketKey() const
{
    const std::uint64_t session = hashOf(m_request.identity.session);
    if (session == 0 || m_prints.empty())
        return 0;
    return m_prints.back().print.low ^ (session * 31) ^ (hashOf(m_request.identity.agent) * 17);
}

void TurnRun::askAdmission(const heads::ScanResult &scan, base::Now now)
{
    if (m_services.holds.holds(m_session)) {
        hold(scan, now);
        return;
    }
    if (goesWithoutDial(scan, now))
        return;
    m_scan = scan;
    m_continued = false;
    m_waiterId = pacing::WaiterId{m_services.nextWaiter++};
    m_admission = m_waiterId.value();
    decided(m_services.pacer.request(admissionRequest(), now), now);
}

void TurnRun::decided(const pacing::AdmissionDecision &decision, base::Now now)
{
    std::visit(base::Overloaded{
                   [&](const pacing::Admitted &admitted) {
                       watchCache(false, now);
                       m_log.admitted(false);
                       recordAdmitted(admitted, now);
                       shed(admitted, now);
                       dial(m_scan, heads::RescanOutcome::NotRun, {}, now);
                   },
                   [&](const pacing::Queued &queued) {
                       watchCache(true, now);
                       m_waiter = m_waiterId;
                       m_queuedUntil = queued.departsAt;
                       m_queuePlace = queued.place;
                       m_log.waits(TurnLog::WaitsFor::Opening);
                       enter(live::Phase::Queued, now);
                       recordAdmission("queued", {}, queued.required, {}, queued.place, now);
                       m_services.expectDeparture(m_waiterId, m_turn);
                   },
                   [&](const pacing::Refused &refusal) {
                       watchCache(false, now);
                       refused(refusal, now);
                   },
               },
               decision);
    m_services.pacerChanged();
}

void TurnRun::departed(const pacing::Departure &departure, base::Now now)
{
    if (m_over || m_waiter != departure.id)
        return;
    m_waiter.reset();
    if (const auto *refusal = std::get_if<pacing::Refused>(&departure.outcome)) {
        refused(*refusal, now);
        return;
    }
    const auto &admitted = std::get<pacing::Admitted>(departure.outcome);
    m_log.admitted(true);
    recordAdmitted(admitted, now);
    lookAgain(admitted, now);
    if (!m_over)
        scheduleWake();
}

void TurnRun::giveBackAdmission(base::Nanoseconds waited, base::Now now)
{
    m_services.pacer.giveBack(m_waiterId, now);
    recordAdmission("returned", waited, {}, {}, 0, now);
    m_services.pacerChanged();
}

void TurnRun::refused(const pacing::Refused &refusal, base::Now now)
{
    settleWarnings(now);
    m_log.refused();
    const auto hint = static_cast<std::uint64_t>(refusal.hint.count());
    recordAdmission("refused", refusal.waited, refusal.required, hint, 0, now);
    if (refusal.slot && ticketKey() != 0) {
        const auto ticket = admission("ticket_issued", {}, *refusal.slot - now.steady, hint, 0);
        record(ticket, now);
        m_services.tickets.issued(ticketKey(), {m_turn, m_session, m_agent, ticket},
                                  m_services.recorder, now);
    }
    turn::Fault refusedFault;
    refusedFault.kind = turn::FaultKind::Refused;
    refusedFault.stated = refusal.hint;
    refusedFault.error.kind = dialects::ErrorKind::RefusedByUs;
    refusedFault.error.retryAfter = refusal.hint;
    refusedFault.error.message = pacing::refusalWords(m_services.policy, refusal);
    if (refusal.final)
        fail(refusedFault.error, now);
    else
        fault(refusedFault, now);
}

// The provider rejected the upgrade. True: the pacer has taken the attempt back, at its place.
bool TurnRun::takenBack(const pacing::Rejection &rejection, base::Now now)
{
    if (!m_dialling) {
        m_services.pacer.recoveryRejected(rejection, now);
        m_services.pacerChanged();
        return false;
    }
    const auto decision = m_services.pacer.rejected(*std::exchange(m_dialling, {}), rejection, now);
    m_services.pacerChanged();
    if (!decision)
        return false;
    dropConnection(heads::EvictionReason::FailedTurn, now);
    m_admission = m_services.nextWaiter++; // the ledger counts each request once
    decided(*decision, now);
    holdsChanged(now);
    return true;
}

void TurnRun::recordAdmission(std::string_view outcome, base::Nanoseconds waited,
                              base::Nanoseconds required, std::optional<std::uint64_t> hint,
                              std::uint64_t place, base::Now now)
{
    record(admission(outcome, waited, required, hint, place), now);
}

void TurnRun::recordAdmitted(const pacing::Admitted &admitted, base::Now now)
{
    recordAdmission("admitted", admitted.waited, {}, {}, 0, now);
    if (!admitted.withTicket)
        return;
    m_services.tickets.used(ticketKey());
    recordAdmission("ticket_used", admitted.waited, {}, {}, 0, now);
}

ledger::Admission TurnRun::admission(std::string_view outcome, base::Nanoseconds waited,
                                     base::Nanoseconds required, std::optional<std::uint64_t> hint,
                                     std::uint64_t place) const
{
    ledger::Admission admission;
    admission.outcome = std::string(outcome);
    admission.request = m_admission;
    admission.waitedMs = ms(waited);
    admission.requiredMs = ms(required);
    admission.hintS = hint;
    admission.policy = m_services.policyName;
    admission.place = place;
    return admission;
}

void TurnRun::leaveQueue(base::Now now)
{
    leaveGate(now);
    m_services.waits.cancel(m_turn);
    m_services.holds.leave(m_turn);
    if (!m_waiter)
        return;
    m_services.pacer.cancel(*m_waiter, now);
    recordAdmission("cancelled", now.steady - m_log.phaseSince(), {}, {}, 0, now);
    m_waiter.reset();
    m_services.pacerChanged();
}

} // namespace headway::engine
