// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/ticketbook.h"

#include <utility>

namespace headway::engine {

void TicketBook::issued(std::uint64_t key, Holder holder)
{
    m_holders.insert_or_assign(key, std::move(holder));
}

void TicketBook::recordLapsed(pacing::Pacer &pacer, Recorder &recorder, base::Now now)
{
    for (const std::uint64_t key : pacer.takeLapsedTickets(now)) {
        const auto found = m_holders.find(key);
        if (found == m_holders.end())
            continue;
        Holder holder = std::move(found->second);
        m_holders.erase(found);
        holder.issued.outcome = "ticket_expired";
        recorder.add(holder.turn, std::move(holder.session), std::move(holder.agent),
                     std::move(holder.issued), now.wall);
    }
}

} // namespace headway::engine
