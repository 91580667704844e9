// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/spares.h"

#include "proxy/core/pacing/unusedopening.h"
#include "proxy/core/turn/recovery.h"
#include "proxy/engine/statedwait.h"
#include "proxy/net/clock.h"

#include <chrono>
#include <variant>

namespace headway::engine {

namespace {

using namespace std::chrono_literals;

constexpr int switchingProtocols = 101;
constexpr base::Nanoseconds pauseAfterFailure = 60s;

bool isRejection(int status)
{
    return status == 403 || status == 429 || status == 503;
}

} // namespace

Spares::Spares(Services &services, QObject *parent)
    : QObject(parent)
    , m_services(services)
{
    connect(&services.connections, &Connections::aheadEnded, this, &Spares::ended);
}

heads::Route Spares::route() const
{
    return {m_services.endpointUrl, {}, m_services.credential};
}

void Spares::applySettings(std::size_t wanted, const pacing::PacerSettings &pacing, base::Now now)
{
    m_wanted = wanted;
    m_pacing = pacing;
    std::size_t have = m_services.pool.spares(m_services.endpointUrl);
    for (const heads::HeadView &view : m_services.pool.views(now)) {
        if (!view.spare || have <= m_wanted)
            continue;
        m_services.closeEvicted(
            m_services.pool.retire(view.connection, heads::EvictionReason::Settings), now);
        --have;
    }
}

void Spares::tick(const pacing::RequestBudget &budget, base::Now now)
{
    forgetClosed(now);
    if (m_services.holds.holdsAll() || m_services.passThrough)
        return; // a person wants none
    if (m_services.transport.cause())
        return; // a turn tries WebSocket again, once in a while
    if (m_services.connections.size() >= m_services.mostConnections)
        return; // it would cost a head
    if (!m_dialling.empty() || (m_pausedUntil && now.steady < *m_pausedUntil)
        || m_services.pool.spares(m_services.endpointUrl) >= m_wanted)
        return;
    const Throttles &throttles = m_services.throttles;
    const pacing::Idleness idleness{
        .level = m_services.pacer.level(now),
        .settings = m_pacing,
        .gated = throttles.gated,
        .cooling = throttles.schedule.coolingUntil(now).has_value(),
        .lastDial = m_services.connections.lastDial(),
    };
    if (pacing::isUnused(idleness, now.steady))
        open(budget, now);
}

void Spares::open(const pacing::RequestBudget &budget, base::Now now)
{
    const pacing::WaiterId waiter{m_services.nextWaiter++};
    pacing::AdmissionRequest request{waiter, budget};
    request.budget.bound = base::Milliseconds{1}; // at once or not at all; zero would not be paced
    const auto decision = m_services.pacer.request(request, now);
    if (const auto *admitted = std::get_if<pacing::Admitted>(&decision)) {
        record(waiter, "admitted", now);
        if (!admitted->shedTo) {
            dial(waiter, now);
        } else { // it would cost a head
            m_services.pacer.giveBack(waiter, now);
            record(waiter, "returned", now);
        }
    } else if (std::holds_alternative<pacing::Queued>(decision)) {
        record(waiter, "queued", now);
        m_services.pacer.cancel(waiter, now);
        record(waiter, "cancelled", now);
    } else {
        record(waiter, "refused", now);
    }
    m_services.pacerChanged();
}

void Spares::dial(pacing::WaiterId waiter, base::Now now)
{
    m_services.pacer.settle(waiter);
    const auto id = m_services.connections.dial({nullptr, {}, waiter.value()}, now);
    m_dialling.emplace(id, waiter);
    m_services.closeEvicted(m_services.pool.addSpare(id, route(), now), now);
}

void Spares::ended(base::ConnectionId id, const net::UpgradeReply &reply)
{
    const auto found = m_dialling.find(id);
    if (found == m_dialling.end())
        return;
    const base::Now now = net::readClock();
    const pacing::WaiterId waiter = found->second;
    m_dialling.erase(found);
    if (reply.status == switchingProtocols) {
        m_services.pacer.opened(waiter, now);
        m_services.pacerChanged();
        return;
    }
    m_pausedUntil = now.steady + pauseAfterFailure;
    if (isRejection(reply.status)) {
        if (m_services.pacer.rejected(waiter, {reply.status, statedWait(reply, now.wall)}, now))
            m_services.pacer.cancel(waiter, now); // nobody needs it
    } else {
        m_services.pacer.dialFailed(waiter, now);
    }
    m_services.pacerChanged();
}

// Evicted while it was being dialled.
void Spares::forgetClosed(base::Now now)
{
    std::erase_if(m_dialling, [&](const auto &entry) {
        if (m_services.connections.contains(entry.first))
            return false;
        m_services.pacer.dialFailed(entry.second, now);
        return true;
    });
}

void Spares::record(pacing::WaiterId waiter, std::string_view outcome, base::Now now)
{
    ledger::Admission admission;
    admission.outcome = std::string(outcome);
    admission.request = waiter.value();
    admission.policy = m_services.policyName;
    m_services.recorder.add({}, {}, {}, std::move(admission), now.wall);
}

} // namespace headway::engine
