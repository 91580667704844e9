// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/turns.h"

#include "proxy/net/clock.h"

#include <algorithm>
#include <chrono>

namespace headway::engine {

namespace {

constexpr std::chrono::hours longestSleep{1};

} // namespace

Turns::Turns(Services &services, QObject *parent)
    : QObject(parent)
    , m_services(services)
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        m_armedFor.reset();
        pump();
    });
    m_services.wakeAt = [this](base::TurnId turn, base::SteadyTime at) {
        m_heap.schedule(turn.value(), at);
        arm();
    };
    m_services.expectDeparture
        = [this](pacing::WaiterId waiter, base::TurnId turn) { m_waiters.emplace(waiter, turn); };
    m_services.pacerChanged = [this] { arm(); };
    m_services.headFreed = [this](heads::HeadId head) {
        // After the turn that freed it has ended; then one after the other without a yield.
        QMetaObject::invokeMethod(
            this, [this, head] { freed(head); }, Qt::QueuedConnection);
    };
    m_services.forkStarted = [this] {
        QMetaObject::invokeMethod(this, &Turns::releaseAdvances, Qt::QueuedConnection);
    };
    m_services.roomMade
        = [this] { QMetaObject::invokeMethod(this, &Turns::fillRoom, Qt::QueuedConnection); };
}

Turns::~Turns()
{
    m_services.wakeAt = nullptr;
    m_services.expectDeparture = nullptr;
    m_services.pacerChanged = nullptr;
    m_services.headFreed = nullptr;
    m_services.forkStarted = nullptr;
    m_services.roomMade = nullptr;
}

TurnRun &Turns::begin(TurnRun::Start start)
{
    const base::TurnId id = start.turn;
    auto *const run = new TurnRun(m_services, std::move(start), this);
    m_runs.emplace(id, run);
    connect(run, &TurnRun::ended, this, [this, id] { remove(id); });
    run->begin(net::readClock());
    return *run;
}

void Turns::remove(base::TurnId turn)
{
    const auto found = m_runs.find(turn);
    if (found == m_runs.end())
        return;
    found->second->deleteLater();
    m_runs.erase(found);
    if (m_runs.empty())
        Q_EMIT emptied();
}

void Turns::pacerChanged()
{
    pump();
}

void Turns::pacerMoved()
{
    arm();
}

void Turns::pump()
{
    if (m_pumping)
        return;
    m_pumping = true;
    const base::Now now = net::readClock();
    for (const pacing::Departure &departure : m_services.pacer.due(now)) {
        const auto waiter = m_waiters.find(departure.id);
        if (waiter == m_waiters.end())
            continue;
        const auto run = m_runs.find(waiter->second);
        m_waiters.erase(waiter);
        if (run != m_runs.end())
            run->second->departed(departure, now);
    }
    wakeWaiting(m_services.waits.due(now.steady));
    while (const auto owner = m_heap.take(now.steady)) {
        if (const auto run = m_runs.find(base::TurnId{*owner}); run != m_runs.end())
            run->second->wake(now);
    }
    m_services.closeEvicted(m_services.pool.sweep(now), now);
    m_pumping = false;
    arm();
}

void Turns::wakeWaiting(const std::vector<heads::ExpectedWaits::Woken> &woken)
{
    for (const auto &[turn, waited] : woken) {
        if (const auto run = m_runs.find(turn); run != m_runs.end())
            run->second->lookedFor(waited, net::readClock());
    }
}

void Turns::freed(heads::HeadId head)
{
    releaseAdvances(); // it may have been a fork
    fillRoom();
    if (m_services.waits.size() == 0)
        return;
    wakeWaiting(m_services.waits.headFreed(head, net::readClock().steady));
    // The probe may have died with it: then somebody else has to ask.
    if (m_services.pool.laneVerdict(m_services.endpointUrl) != heads::LaneVerdict::Probing)
        wakeWaiting(m_services.waits.probeAnswered(net::readClock().steady));
}

void Turns::probeAnswered()
{
    QMetaObject::invokeMethod(
        this,
        [this] {
            wakeWaiting(m_services.waits.probeAnswered(net::readClock().steady));
            fillRoom();
        },
        Qt::QueuedConnection);
}

// In the order of the queue, until there is no room for the next.
void Turns::fillRoom()
{
    if (m_services.pool.laneVerdict(m_services.endpointUrl) != heads::LaneVerdict::On)
        return;
    for (const pacing::Pacer::Place &place : m_services.pacer.queue()) {
        const auto waiter = m_waiters.find(place.id);
        const auto run = waiter == m_waiters.end() ? m_runs.end() : m_runs.find(waiter->second);
        if (run != m_runs.end() && !run->second->takeRoom(net::readClock()))
            return;
    }
}

// Turns whose lane was held back for forks that have started now, or have gone.
void Turns::releaseAdvances()
{
    for (const heads::HeadId head : m_services.pool.takeReleased()) {
        for (const auto &[id, run] : m_runs) {
            if (run->head() != head)
                continue;
            run->advance(net::readClock());
            break;
        }
    }
}

void Turns::arm()
{
    const base::Now now = net::readClock();
    base::SteadyTime next = now.steady + longestSleep;
    if (const auto due = m_services.pacer.nextDue())
        next = std::min(next, *due);
    if (const auto waiting = m_services.waits.next())
        next = std::min(next, *waiting);
    if (const auto deadline = m_heap.next())
        next = std::min(next, *deadline);
    if (m_armedFor && *m_armedFor <= next && m_timer.isActive())
        return;
    m_armedFor = next;
    const auto wait = std::max(next - now.steady, base::Nanoseconds::zero());
    m_timer.start(std::chrono::ceil<std::chrono::milliseconds>(wait));
}

void Turns::tick(base::Now now)
{
    std::vector<TurnRun *> runs;
    runs.reserve(m_runs.size());
    for (const auto &[id, run] : m_runs)
        runs.push_back(run);
    for (TurnRun *const run : runs)
        run->tick(now); // a run that ends here is deleted later, not at once
    m_services.closeEvicted(m_services.pool.sweep(now), now);
    std::erase_if(m_waiters, [this](const auto &entry) { return !m_runs.contains(entry.second); });
}

void Turns::holdsChanged()
{
    const base::Now now = net::readClock();
    for (const pacing::Pacer::Place &place : m_services.pacer.queue()) { // in their order
        const auto waiter = m_waiters.find(place.id);
        if (waiter == m_waiters.end())
            continue;
        const auto run = m_runs.find(waiter->second);
        if (run == m_runs.end())
            continue;
        run->second->holdsChanged(now);
        if (m_services.holds.placeOf(run->first) != 0)
            m_waiters.erase(waiter);
    }
    for (const base::TurnId turn : m_services.holds.release()) {
        if (const auto run = m_runs.find(turn); run != m_runs.end())
            run->second->released(now);
    }
    pump();
}

void Turns::moveToFront(base::TurnId turn)
{
    if (const auto run = m_runs.find(turn); run != m_runs.end())
        run->second->moveToFront(net::readClock());
    pump();
}

void Turns::cancelWaiting(base::TurnId turn, const dialects::TurnError &error, base::Now now)
{
    const auto run = m_runs.find(turn);
    if (run != m_runs.end() && run->second->isWaiting())
        run->second->abandon(error, now);
}

void Turns::abandonAll(const dialects::TurnError &error, base::Now now)
{
    std::vector<TurnRun *> runs;
    for (const auto &[id, run] : m_runs)
        runs.push_back(run);
    for (TurnRun *const run : runs)
        run->abandon(error, now);
}

std::vector<live::TurnRow> Turns::rows(base::Now now) const
{
    for (const pacing::Pacer::Place &place : m_services.pacer.queue()) {
        const auto waiter = m_waiters.find(place.id);
        if (waiter == m_waiters.end())
            continue;
        if (const auto run = m_runs.find(waiter->second); run != m_runs.end())
            run->second->setPlace(place);
    }
    std::vector<live::TurnRow> rows;
    rows.reserve(m_runs.size());
    for (const auto &[id, run] : m_runs)
        rows.push_back(run->row(now));
    std::ranges::sort(
        rows, [](const live::TurnRow &a, const live::TurnRow &b) { return a.turn < b.turn; });
    return rows;
}

} // namespace headway::engine
