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
    std::vector<Eviction> evictions;
    Socket *socket = m_state->findSocket(connection);
    if (socket == nullptr)
        return evictions;
    if (id == HeadId{})
        socket->dismissed = true;
    for (Head *head : socket->heads) {
        if (head->id == id || id == HeadId{})
            head->dismissed = true;
    }
    if (id == HeadId{}) {
        m_state->dropIdleHeads(*socket, EvictionReason::User, evictions);
    } else if (Head *head = m_state->find(id);
               head != nullptr && head->dismissed && !head->inFlight) {
        evictions.push_back(m_state->drop(*head, EvictionReason::User));
    }
    return evictions;
}

} // namespace headway::heads
