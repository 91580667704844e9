// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/fairqueue.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace headway::pacing {

namespace {

constexpr std::uint64_t sharesToWait = 4;
constexpr int weightOfPerson = 2;
constexpr int weightOfAgents = 1;

// Mostly the first one leaves, and whoever joins does so at the end: neither needs a search.
template <typename Set>
void takeOut(Set &set, const typename Set::value_type &value)
{
    if (!set.empty() && *set.begin() == value)
        set.erase(set.begin());
    else
        set.erase(value);
}

template <typename Set>
void putIn(Set &set, const typename Set::value_type &value)
{
    set.insert(set.end(), value);
}

} // namespace

const FairQueue::Waiter *FairQueue::find(WaiterId id) const
{
    const auto found = m_waiters.find(id);
    return found == m_waiters.end() ? nullptr : &found->second;
}

void FairQueue::push(const Attempt &attempt, base::SteadyTime latest, std::uint64_t order)
{
    assert(!m_waiters.contains(attempt.id));
    const std::uint64_t share = m_waiters.size() + 1;
    const Waiter waiter{attempt, latest, order, m_departures + sharesToWait * share};
    Session &session = m_sessions[attempt.session];
    putIn(attempt.interactive ? session.interactive : session.batch, {order, attempt.id});
    putIn(m_overdue, {waiter.overdueAt, attempt.id});
    putIn(m_latest, {latest, attempt.id});
    m_waiters.emplace(attempt.id, waiter);
}

void FairQueue::remove(WaiterId id)
{
    const auto found = m_waiters.find(id);
    if (found == m_waiters.end())
        return;
    const Waiter &waiter = found->second;
    const auto session = m_sessions.find(waiter.attempt.session);
    Line &line = waiter.attempt.interactive ? session->second.interactive : session->second.batch;
    takeOut(line, {waiter.order, id});
    if (session->second.interactive.empty() && session->second.batch.empty())
        m_sessions.erase(session);
    takeOut(m_overdue, {waiter.overdueAt, id});
    takeOut(m_latest, {waiter.latest, id});
    m_waiters.erase(found);
}

// Overdue since before the first departure, the latest move the longest.
void FairQueue::moveToFront(WaiterId id)
{
    const auto found = m_waiters.find(id);
    if (found == m_waiters.end())
        return;
    m_overdue.erase({found->second.overdueAt, id});
    found->second.overdueAt = --m_front;
    m_overdue.emplace(found->second.overdueAt, id);
}

WaiterId FairQueue::choose()
{
    if (m_overdue.begin()->first <= m_departures)
        return m_overdue.begin()->second;
    auto session = m_sessions.lower_bound(m_turn);
    if (session != m_sessions.end() && session->first == m_turn) {
        const bool person = !session->second.interactive.empty();
        if (m_sent >= (person ? weightOfPerson : weightOfAgents)) {
            ++session;
            m_sent = 0;
        }
    } else {
        m_sent = 0;
    }
    if (session == m_sessions.end())
        session = m_sessions.begin();
    m_turn = session->first;
    ++m_sent;
    const Session &lines = session->second;
    return (lines.interactive.empty() ? lines.batch : lines.interactive).begin()->second;
}

FairQueue::Waiter FairQueue::pop()
{
    assert(!empty());
    const WaiterId id = choose();
    const Waiter waiter = m_waiters.at(id);
    remove(id);
    ++m_departures;
    return waiter;
}

std::size_t FairQueue::placeOf(WaiterId id) const
{
    const Waiter *waiter = find(id);
    if (!waiter)
        return 0;
    const Session &session = m_sessions.at(waiter->attempt.session);
    const bool person = waiter->attempt.interactive;
    const Line &line = person ? session.interactive : session.batch;
    std::size_t rank = person ? 1 : session.interactive.size() + 1;
    const auto own = line.find({waiter->order, id});
    // Mostly it has just joined at the end; the way from the front is only walked otherwise.
    if (std::next(own) == line.end())
        rank += line.size() - 1;
    else
        rank += static_cast<std::size_t>(std::distance(line.begin(), own));
    return std::min(m_waiters.size(), rank * m_sessions.size());
}

const FairQueue::Waiter *FairQueue::firstToExpire() const
{
    return m_latest.empty() ? nullptr : find(m_latest.begin()->second);
}

std::vector<FairQueue::Waiter> FairQueue::inOrder() const
{
    FairQueue copy(*this);
    std::vector<Waiter> waiters;
    waiters.reserve(copy.size());
    while (!copy.empty())
        waiters.push_back(copy.pop());
    return waiters;
}

} // namespace headway::pacing
