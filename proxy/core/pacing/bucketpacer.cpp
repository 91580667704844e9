// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/bucketpacer.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <variant>

namespace headway::pacing {

namespace {

using base::Nanoseconds;

constexpr double nanosecondsPerMinute = 60e9;
// Section 8: a queue that is let go leaves in this step, not as one burst.
constexpr base::Milliseconds releaseStep{50};

} // namespace

BucketPacer::BucketPacer(const PacerSettings &settings, base::Now now)
    : m_settings(effective(settings))
    , m_perNanosecond(m_settings.ratePerMinute / nanosecondsPerMinute)
    , m_tokens(m_settings.burst)
    , m_at(now.steady)
{
}

bool BucketPacer::limiterOff() const
{
    return m_settings.policy == Policy::Off || !(m_perNanosecond > 0);
}

Nanoseconds BucketPacer::timeToGain(double tokens) const
{
    return Nanoseconds(std::llround(std::max(0.0, tokens) / m_perNanosecond));
}

double BucketPacer::gainedIn(Nanoseconds time) const
{
    return static_cast<double>(time.count()) * m_perNanosecond;
}

// Equality admits, whether it is seen in time or in tokens.
bool BucketPacer::isWithin(Nanoseconds wait, Nanoseconds limit) const
{
    return wait <= limit + timeTolerance || gainedIn(wait - limit) <= tokenTolerance;
}

bool BucketPacer::isReady(const Waiter &waiter) const
{
    if (waiter.releaseAt)
        return *waiter.releaseAt <= m_at + timeTolerance;
    return isWithin(timeToGain(waiter.share - m_tokens), Nanoseconds(0));
}

// When the bucket will have brought what everybody up to and including this waiter takes.
base::SteadyTime BucketPacer::departure(const Waiter &waiter, double tokensNeeded) const
{
    return waiter.releaseAt ? *waiter.releaseAt : m_at + timeToGain(tokensNeeded - m_tokens);
}

// A clock that steps back refills nothing, and neither does the way forward again.
void BucketPacer::refill(base::SteadyTime now)
{
    if (now <= m_at)
        return;
    m_tokens += gainedIn(now - m_at);
    m_at = now;
    if (m_tokens <= m_settings.burst)
        return;
    if (m_tokens - m_settings.burst > tokenTolerance && !m_queue.empty() && !limiterOff())
        m_lostTokens = true;
    m_tokens = m_settings.burst;
}

void BucketPacer::take(WaiterId id, double share)
{
    m_tokens -= share;
    if (share > 0)
        m_admitted.insert_or_assign(id, share);
}

AdmissionDecision BucketPacer::request(const AdmissionRequest &request, base::Now now)
{
    refill(now.steady);
    if (limiterOff()) {
        take(request.id, 0);
        return Admitted{};
    }
    const double free = freeTokens();
    if (request.budget.bound.count() <= 0) {
        take(request.id, std::clamp(free, 0.0, 1.0));
        return Admitted{};
    }
    const Nanoseconds required = timeToGain(1 - free);
    if (m_queue.empty() && isWithin(required, Nanoseconds(0))) {
        take(request.id, 1);
        return Admitted{};
    }
    if (isWithin(required, request.budget.bound))
        return enqueue(request, 1, required, required);
    return overflow(request, required);
}

// Rules 3 and 4.
AdmissionDecision BucketPacer::overflow(const AdmissionRequest &request, Nanoseconds required)
{
    const WaitBudget budget = waitBudget(request.budget);
    if (canRefuse(budget, m_settings.ratePerMinute))
        return Refused{required, retryHint(required, budget.hintCap), Nanoseconds(0)};
    const double aboveFloor = freeTokens() + gainedIn(budget.bound);
    if (aboveFloor > tokenTolerance)
        return enqueue(request, aboveFloor, budget.bound, required);
    take(request.id, 0);
    return Admitted{};
}

Queued BucketPacer::enqueue(const AdmissionRequest &request, double share, Nanoseconds wait,
                            Nanoseconds required)
{
    m_queue.push({attemptOf(request, m_at), share, 0, std::nullopt});
    return {m_at + wait, m_queue.size(), required};
}

// Takes a waiter out of the queue; a debt nobody is left to carry falls on the bucket.
WaitQueue::Iterator BucketPacer::leave(WaitQueue::Iterator waiter)
{
    const WaitQueue::Removed removed = m_queue.remove(waiter);
    m_tokens -= removed.orphanedDebt;
    return removed.next;
}

void BucketPacer::cancel(WaiterId id, base::Now now)
{
    refill(now.steady);
    if (const auto waiter = m_queue.find(id)) {
        leave(*waiter);
        return;
    }
    const auto isIt = [id](const Leaver &leaver) { return leaver.id == id; };
    if (std::erase_if(m_leavers, isIt) == 0)
        giveBack(id, now);
}

void BucketPacer::giveBack(WaiterId id, base::Now now)
{
    refill(now.steady);
    const auto admitted = m_admitted.find(id);
    if (admitted == m_admitted.end())
        return;
    m_tokens = std::min(m_settings.burst, m_tokens + admitted->second);
    m_admitted.erase(admitted);
}

void BucketPacer::settle(WaiterId id)
{
    m_admitted.erase(id);
}

// Those who already wait keep their times: the debt stands behind the last of them.
void BucketPacer::debitRecovery(const RequestBudget &budget, base::Now now)
{
    refill(now.steady);
    if (limiterOff())
        return;
    const double aboveFloor = freeTokens() + gainedIn(waitBudget(budget).bound);
    const double debit = std::clamp(aboveFloor, 0.0, 1.0);
    if (m_queue.empty())
        m_tokens -= debit;
    else
        m_queue.owe(debit);
}

void BucketPacer::moveToFront(WaiterId id, base::Now now)
{
    refill(now.steady);
    const auto waiter = m_queue.find(id);
    if (!waiter)
        return;
    m_queue.moveToFront(*waiter);
    if (limiterOff())
        (*waiter)->releaseAt = m_at;
    else
        replan(); // whom it passed may have no time left for a later place
}

std::vector<Departure> BucketPacer::due(base::Now now)
{
    refill(now.steady);
    std::vector<Departure> out;
    departReady(out);
    if (m_lostTokens) {
        replan();
        departReady(out);
    }
    for (const Leaver &leaver : m_leavers) {
        const Nanoseconds waited = m_at - leaver.arrivedAt;
        if (leaver.refused)
            out.push_back(
                {leaver.id, Refused{leaver.refused->required, leaver.refused->hint, waited}});
        else
            out.push_back({leaver.id, Admitted{waited, true}});
    }
    m_leavers.clear();
    return out;
}

void BucketPacer::departReady(std::vector<Departure> &out)
{
    while (!m_queue.empty() && isReady(m_queue.front())) {
        const Waiter waiter = m_queue.front();
        leave(m_queue.begin());
        take(waiter.id, waiter.share);
        out.push_back({waiter.id, Admitted{m_at - waiter.arrivedAt, true}});
    }
}

std::optional<base::SteadyTime> BucketPacer::nextDue() const
{
    if (!m_leavers.empty())
        return m_at;
    if (m_queue.empty())
        return std::nullopt;
    return departure(m_queue.front(), m_queue.front().share);
}

void BucketPacer::applySettings(const PacerSettings &settings, base::Now now)
{
    refill(now.steady);
    const PacerSettings next = effective(settings);
    if (next == m_settings)
        return;
    const bool wasOff = limiterOff();
    m_settings = next;
    m_perNanosecond = m_settings.ratePerMinute / nanosecondsPerMinute;
    m_tokens = std::min(m_tokens, m_settings.burst);
    if (!limiterOff())
        replan();
    else if (!wasOff)
        releaseAll();
}

// Section 8: every share is handed back, then each waiter is judged again in its order.
void BucketPacer::replan()
{
    m_lostTokens = false;
    double free = m_tokens;
    for (auto waiter = m_queue.begin(); waiter != m_queue.end();)
        waiter = replanOne(waiter, free);
}

// `free`: tokens that those in front leave over, with the debts that stand behind them.
WaitQueue::Iterator BucketPacer::replanOne(WaitQueue::Iterator waiter, double &free)
{
    waiter->releaseAt.reset();
    const Nanoseconds required = timeToGain(1 - free);
    const Nanoseconds left = waiter->arrivedAt + waiter->budget.bound - m_at;
    double share = 1;
    if (!isWithin(required, std::max(left, Nanoseconds(0)))) {
        const bool refusable = canRefuse(waiter->budget, m_settings.ratePerMinute);
        share = free + gainedIn(std::max(left, Nanoseconds(0)));
        if (refusable || share <= tokenTolerance) {
            Leaver leaver{waiter->id, waiter->arrivedAt, std::nullopt};
            if (refusable)
                leaver.refused = Refused{required, retryHint(required, waiter->budget.hintCap), {}};
            m_leavers.push_back(leaver);
            free -= waiter->debtBehind;
            return leave(waiter);
        }
    }
    m_queue.setShare(waiter, share);
    free -= share + waiter->debtBehind;
    return std::next(waiter);
}

// Section 8: the limiter was switched off; nobody takes anything any more.
void BucketPacer::releaseAll()
{
    base::SteadyTime at = m_at;
    for (auto waiter = m_queue.begin(); waiter != m_queue.end(); ++waiter) {
        m_queue.setShare(waiter, 0);
        waiter->releaseAt = at;
        at += releaseStep;
    }
}

PacerLevel BucketPacer::level(base::Now now) const
{
    const Nanoseconds ahead = std::max(now.steady - m_at, Nanoseconds(0));
    const double tokens = std::min(m_settings.burst, m_tokens + gainedIn(ahead));
    return {tokens - m_queue.promised(), m_queue.size(), !limiterOff()};
}

std::vector<Pacer::Place> BucketPacer::queue() const
{
    std::vector<Place> places;
    places.reserve(m_queue.size());
    double needed = 0;
    for (const Waiter &waiter : m_queue.waiters()) {
        needed += waiter.share;
        places.push_back({waiter.id, places.size() + 1, departure(waiter, needed), waiter.session,
                          waiter.interactive});
        needed += waiter.debtBehind;
    }
    return places;
}

std::vector<Notice> BucketPacer::notices(const RequestBudget &budget) const
{
    return bucketNotices(m_settings, budget);
}

} // namespace headway::pacing
