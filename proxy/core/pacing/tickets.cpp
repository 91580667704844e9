// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/tickets.h"

#include <algorithm>
#include <chrono>

namespace headway::pacing {

namespace {

using namespace std::chrono_literals;
using base::SteadyTime;

constexpr base::Nanoseconds heldBefore = 200ms;
constexpr base::Nanoseconds heldAfter = 2s;
constexpr base::Seconds longestHint = 60s;
constexpr base::Nanoseconds seniorityLasts = 10min;

} // namespace

Tickets::Issued Tickets::issue(std::uint64_t key, base::Seconds hint, std::uint64_t order,
                               SteadyTime now)
{
    advance(now);
    const base::Seconds told = std::clamp(hint, base::Seconds(1), longestHint);
    if (key == 0)
        return {told, now + told};
    if (const auto found = m_tickets.find(key); found != m_tickets.end()) {
        Ticket &earlier = found->second;
        if (now < earlier.lapses) {
            gone(key);
            const auto left = std::chrono::ceil<base::Seconds>(earlier.slot - now);
            return {std::clamp(left, base::Seconds(1), longestHint), earlier.slot};
        }
        m_forgotten.erase({earlier.lapses + seniorityLasts, key});
        order = std::min(order, earlier.order);
    }
    const Ticket ticket{now + told, now + told + told * 3 / 10 + heldAfter, order, false};
    m_tickets.insert_or_assign(key, ticket);
    m_coming.emplace(ticket.slot - heldBefore, key);
    m_forgotten.emplace(ticket.lapses + seniorityLasts, key);
    return {told, ticket.slot};
}

std::optional<Tickets::Return> Tickets::back(std::uint64_t key, SteadyTime now)
{
    advance(now);
    const auto found = m_tickets.find(key);
    if (found == m_tickets.end())
        return std::nullopt;
    Ticket &ticket = found->second;
    ticket.present = true;
    m_coming.erase({ticket.slot - heldBefore, key});
    const bool inTime = m_held.erase({ticket.lapses, key}) > 0;
    return Return{ticket.order, inTime};
}

void Tickets::gone(std::uint64_t key)
{
    const auto found = m_tickets.find(key);
    if (found == m_tickets.end() || !found->second.present)
        return;
    found->second.present = false;
    m_coming.emplace(found->second.slot - heldBefore, key);
    m_forgotten.emplace(found->second.lapses + seniorityLasts, key);
}

bool Tickets::charge(std::uint64_t key)
{
    const auto found = m_tickets.find(key);
    if (found == m_tickets.end())
        return false;
    const Ticket &ticket = found->second;
    m_coming.erase({ticket.slot - heldBefore, key});
    m_held.erase({ticket.lapses, key});
    m_forgotten.erase({ticket.lapses + seniorityLasts, key});
    m_tickets.erase(found);
    return true;
}

std::optional<SteadyTime> Tickets::nextChange() const
{
    std::optional<SteadyTime> next;
    if (!m_coming.empty())
        next = m_coming.begin()->first;
    if (!m_held.empty())
        next = next ? std::min(*next, m_held.begin()->first) : m_held.begin()->first;
    return next;
}

void Tickets::advance(SteadyTime now)
{
    while (!m_coming.empty() && m_coming.begin()->first <= now) {
        const std::uint64_t key = m_coming.begin()->second;
        m_coming.erase(m_coming.begin());
        const Ticket &ticket = m_tickets.at(key);
        m_held.emplace(ticket.lapses, key);
    }
    while (!m_held.empty() && m_held.begin()->first <= now) {
        m_lapsed.push_back(m_held.begin()->second);
        m_held.erase(m_held.begin());
    }
    while (!m_forgotten.empty() && m_forgotten.begin()->first <= now) {
        const std::uint64_t key = m_forgotten.begin()->second;
        m_forgotten.erase(m_forgotten.begin());
        if (!m_tickets.at(key).present)
            m_tickets.erase(key);
    }
}

} // namespace headway::pacing
