// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/ticketbook.h"

#include <utility>

namespace headway::engine {

void TicketBook::issued(std::uint64_t key, Holder holder, Recorder &recorder, base::Now now)
{
    const auto [at, isNew] = m_holders.try_emplace(key);
    if (!isNew)
        recordExpired(std::move(at->second), recorder, now);
    at->second = std::move(holder);
}

void TicketBook::recordExpired(Holder holder, Recorder &recorder, base::Now now)
{
    holder.issued.outcome = "ticket_expired";
    recorder.add(holder.turn, std::move(holder.session), std::move(holder.agent),
                 std::move(holder.issued), now.wall);
}

void TicketBook::recordLapsed(pacing::Pacer &pacer, Recorder &recorder, base::Now now)
{
    for (const std::uint64_t key : pacer.takeLapsedTickets(now)) {
        const auto found = m_holders.find(key);
        if (found == m_holders.end())
            continue;
        recordExpired(std::move(found->second), recorder, now);
        m_holders.erase(found);
    }
}

} // namespace headway::engine
