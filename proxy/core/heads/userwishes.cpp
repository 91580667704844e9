// SPDX-License-Identifier: GPL-3.0-or-later
// What the user may ask of a head: to be kept, or to go.
#include "proxy/core/heads/poolstate.h"

namespace headway::heads {

void HeadPool::pin(HeadId id, bool pinned)
{
    Head *head = m_state->find(id);
    if (head == nullptr || head->pinned == pinned)
        return;
    head->pinned = pinned;
    if (head->inFlight)
        return;
    if (pinned)
        m_state->leaveIdle(*head);
    else
        m_state->idleOf(head->generation).emplace(head->lastUsed, head->id);
}

void HeadPool::pinConnection(base::ConnectionId connection, bool pinned)
{
    if (const Socket *socket = m_state->findSocket(connection)) {
        for (const Head *head : socket->heads)
            pin(head->id, pinned);
    }
}

std::vector<Eviction> HeadPool::evict(base::ConnectionId connection, HeadId id)
{
    if (id == HeadId{})
        return retire(connection, EvictionReason::User);
    Head *head = m_state->find(id);
    if (head == nullptr || head->socket->id != connection)
        return {};
    head->dismissed = true;
    if (head->inFlight)
        return {};
    return {m_state->drop(*head, EvictionReason::User)};
}

} // namespace headway::heads
