// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/waitqueue.h"

#include <cassert>
#include <iterator>

namespace headway::pacing {

std::optional<WaitQueue::Iterator> WaitQueue::find(WaiterId id)
{
    const auto found = m_index.find(id);
    if (found == m_index.end())
        return std::nullopt;
    return found->second;
}

void WaitQueue::push(Waiter waiter)
{
    assert(!m_index.contains(waiter.id));
    m_promised += waiter.share + waiter.debtBehind;
    m_waiters.push_back(waiter);
    m_index.emplace(waiter.id, std::prev(m_waiters.end()));
}

void WaitQueue::owe(double tokens)
{
    assert(!m_waiters.empty());
    m_waiters.back().debtBehind += tokens;
    m_promised += tokens;
}

void WaitQueue::setShare(Iterator waiter, double share)
{
    m_promised += share - waiter->share;
    waiter->share = share;
}

void WaitQueue::moveToFront(Iterator waiter)
{
    if (waiter == m_waiters.begin())
        return;
    std::prev(waiter)->debtBehind += waiter->debtBehind;
    waiter->debtBehind = 0;
    m_waiters.splice(m_waiters.begin(), m_waiters, waiter);
}

WaitQueue::Removed WaitQueue::remove(Iterator waiter)
{
    double orphaned = 0;
    if (waiter == m_waiters.begin()) {
        orphaned = waiter->debtBehind;
        m_promised -= orphaned;
    } else {
        std::prev(waiter)->debtBehind += waiter->debtBehind;
    }
    m_promised -= waiter->share;
    m_index.erase(waiter->id);
    const Iterator next = m_waiters.erase(waiter);
    // Rounding errors of the running sum must not outlive the queue.
    if (m_waiters.empty())
        m_promised = 0;
    return {next, orphaned};
}

} // namespace headway::pacing
