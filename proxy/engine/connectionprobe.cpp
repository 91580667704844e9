// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the provider has lanes (spec/heads.md section 6): the first create that names one asks,
// and nobody else's goes up on that connection before the answer.
#include "proxy/engine/connectionentry.h"
#include "proxy/net/clock.h"

#include <utility>

namespace headway::engine {

namespace {

using dialects::EventType;

constexpr std::uint16_t closeProtocolError = 1002;

} // namespace

bool Connections::forgetName(base::ConnectionId id, std::string_view lane)
{
    Entry *const entry = find(id);
    if (!entry || !entry->lanes.contains(lane) || entry->lanes.contains(std::string_view()))
        return false;
    auto node = entry->lanes.extract(entry->lanes.find(lane));
    node.key().clear();
    entry->lanes.insert(std::move(node));
    if (entry->asking == lane)
        entry->asking = std::string(); // whether it is answered at all tells the same
    return true;
}

bool Connections::isAsking(base::ConnectionId id, std::string_view lane) const
{
    const auto found = m_entries.find(id);
    return found != m_entries.end() && found->second->asking == lane;
}

bool Connections::mustWait(const Entry &entry, std::string_view lane) const
{
    return !m_hasLanes && entry.asking && *entry.asking != lane;
}

// Lanes that are not kept apart are none.
void Connections::takeStray(base::ConnectionId id)
{
    m_hasLanes = false;
    Q_EMIT laneRefused(id);
    giveUp(id,
           {.reason = "stray_event",
            .eviction = heads::EvictionReason::PeerClosed,
            .code = closeProtocolError,
            .text = QStringLiteral("an event did not say whose it is")},
           net::readClock());
}

// False: the turn has lost its lane and goes on without a name.
bool Connections::learn(base::ConnectionId id, std::string_view lane,
                        const dialects::UpstreamEvent &event)
{
    const Entry &entry = *find(id);
    const bool asked = entry.asking == lane;
    if (lane.empty() && !asked)
        return true;
    const bool isReply
        = event.isModelEvent() && event.type != EventType::Error && event.type != EventType::Failed;
    if (event.type != EventType::Created && !(asked && isReply))
        return true;
    if (!event.streamId.empty() && !lane.empty()) {
        if (!m_hasLanes)
            takeEcho(id);
        return true;
    }
    takeRefusal(id, lane);
    return find(id, lane) != nullptr;
}

void Connections::takeEcho(base::ConnectionId id)
{
    m_hasLanes = true;
    std::vector<base::ConnectionId> all;
    for (auto &[other, entry] : m_entries) {
        entry->asking.reset();
        all.push_back(other);
    }
    Q_EMIT laneEchoed(id);
    for (const base::ConnectionId other : all)
        sendHeld(other);
}

// The reply came without the name. Whoever was held back until this was known goes elsewhere.
void Connections::takeRefusal(base::ConnectionId id, std::string_view lane)
{
    m_hasLanes = false;
    find(id)->asking.reset();
    if (forgetName(id, lane)) {
        if (const Lane *const place = find(id, {}); place && place->user)
            place->user->laneLost();
    }
    Q_EMIT laneRefused(id);
    std::vector<ConnectionUser *> held;
    for (const auto &[name, other] : find(id)->lanes) {
        if (!other.sent && other.user)
            held.push_back(other.user);
    }
    for (ConnectionUser *const user : held)
        user->laneUnavailable();
}

} // namespace headway::engine
