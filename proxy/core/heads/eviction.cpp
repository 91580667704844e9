// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/poolstate.h"

#include <algorithm>

namespace headway::heads {

namespace {

// spec/heads.md section 2: idle heads of an agent seen this recently go last.
constexpr base::Seconds recentlySeen{300};

bool seenSince(const Socket &socket, base::SteadyTime since)
{
    return std::any_of(socket.heads.begin(), socket.heads.end(), [since](const Head *head) {
        return head->partition != nullptr && head->partition->second.lastSeen > since;
    });
}

} // namespace

base::Seconds HeadPool::State::idleLimit(Generation generation) const
{
    return generation == Generation::Nursery ? settings.nurseryIdle : settings.establishedIdle;
}

// Least recently used first; those of agents seen lately only when there is nobody else. A
// connection used lately belongs to such an agent, so the search ends where those begin.
Socket *HeadPool::State::evictable(Generation generation, base::Now now)
{
    const base::SteadyTime recent = now.steady - recentlySeen;
    Socket *best = nullptr;
    for (const auto &[lastUsed, id] : idleSockets[static_cast<std::size_t>(generation)]) {
        Socket &socket = sockets.at(id);
        if (socket.isPinned())
            continue;
        if (best == nullptr)
            best = &socket;
        if (lastUsed > recent)
            break;
        if (!seenSince(socket, recent))
            return &socket;
    }
    return best;
}

void HeadPool::State::evictDown(Generation generation, std::size_t most, EvictionReason reason,
                                base::Now now, std::vector<Eviction> &out)
{
    while (counts[static_cast<std::size_t>(generation)] > most) {
        Socket *socket = evictable(generation, now);
        if (socket == nullptr)
            return; // all busy: the cap is exceeded for a while
        dropSocket(*socket, reason, out);
    }
}

void HeadPool::State::dropSocket(Socket &socket, EvictionReason reason, std::vector<Eviction> &out)
{
    socket.spare = false;
    if (socket.heads.empty()) {
        out.push_back({{}, socket.id, reason, true});
        closeIfUnused(socket);
        return;
    }
    const std::vector<Head *> all = socket.heads;
    for (Head *head : all)
        out.push_back(drop(*head, reason));
}

// A spare is idle as a whole.
void HeadPool::State::dropIdleHeads(Socket &socket, EvictionReason reason,
                                    std::vector<Eviction> &out)
{
    if (socket.spare) {
        dropSocket(socket, reason, out);
        return;
    }
    std::vector<Head *> ones;
    std::copy_if(socket.heads.begin(), socket.heads.end(), std::back_inserter(ones),
                 [](const Head *head) { return !head->inFlight; });
    for (Head *head : ones)
        out.push_back(drop(*head, reason));
}

// May free the socket.
void HeadPool::State::retire(Socket &socket, EvictionReason reason, std::vector<Eviction> &out)
{
    socket.leaving = reason;
    dropIdleHeads(socket, reason, out);
}

// Room for one more connection of the generation.
std::vector<Eviction> HeadPool::State::makeRoom(Generation generation, base::Now now)
{
    std::vector<Eviction> evictions;
    const bool nursery = generation == Generation::Nursery;
    const std::size_t cap = nursery ? settings.nurseryCap : settings.establishedCap;
    evictDown(generation, cap == 0 ? 0 : cap - 1,
              nursery ? EvictionReason::NurseryLruCap : EvictionReason::EstablishedLruCap, now,
              evictions);
    return evictions;
}

// spec/heads.md section 4, last paragraph. Another head holds the same lineage when its history
// begins with this turn's input: then the client goes on there, and this one was a second try.
bool HeadPool::State::keepsIsolated(const Head &head) const
{
    if (head.partition == nullptr)
        return false;
    const auto &siblings = head.partition->second.heads;
    return std::none_of(siblings.begin(), siblings.end(), [&head](const Head *sibling) {
        return sibling != &head && (sibling->inFlight || sibling->stored.beginsWith(head.current));
    });
}

std::vector<Eviction> HeadPool::addSpare(base::ConnectionId connection, const Route &route,
                                         base::Now now)
{
    std::vector<Eviction> evictions;
    if (m_state->findSocket(connection) != nullptr)
        return evictions;
    evictions = m_state->makeRoom(Generation::Nursery, now);
    Socket &socket = m_state->socketOf(connection, route, now);
    socket.spare = true;
    m_state->rank(socket);
    return evictions;
}

std::size_t HeadPool::spares(std::string_view endpoint) const
{
    return static_cast<std::size_t>(std::count_if(
        m_state->sockets.begin(), m_state->sockets.end(), [endpoint](const auto &row) {
            return row.second.spare && row.second.endpoint == endpoint;
        }));
}

std::vector<Eviction> HeadPool::sweep(base::Now now)
{
    std::vector<Eviction> evictions;
    auto &rotation = m_state->rotation;
    while (!rotation.empty() && rotation.begin()->first <= now.wall)
        m_state->dropIdleHeads(m_state->sockets.at(rotation.begin()->second),
                               EvictionReason::HardTtl, evictions);
    for (const Generation generation : {Generation::Nursery, Generation::Established}) {
        const auto &order = m_state->idleOf(generation);
        const EvictionReason reason = generation == Generation::Nursery
            ? EvictionReason::NurseryIdleTtl
            : EvictionReason::IdleTtl;
        while (!order.empty()
               && now.steady - order.begin()->first >= m_state->idleLimit(generation))
            evictions.push_back(m_state->drop(m_state->heads.at(order.begin()->second), reason));
    }
    auto &spares = m_state->idleSpares;
    while (!spares.empty() && now.steady - spares.begin()->first >= m_state->settings.nurseryIdle)
        m_state->dropSocket(m_state->sockets.at(spares.begin()->second),
                            EvictionReason::NurseryIdleTtl, evictions);
    return evictions;
}

std::optional<base::SteadyTime> HeadPool::nextExpiry(base::Now now) const
{
    std::optional<base::SteadyTime> next;
    const auto consider = [&next](base::SteadyTime at) { next = next ? std::min(*next, at) : at; };
    if (!m_state->rotation.empty())
        consider(now.steady + (m_state->rotation.begin()->first - now.wall));
    for (const Generation generation : {Generation::Nursery, Generation::Established}) {
        const auto &order = m_state->idleOf(generation);
        if (!order.empty())
            consider(order.begin()->first + m_state->idleLimit(generation));
    }
    if (!m_state->idleSpares.empty())
        consider(m_state->idleSpares.begin()->first + m_state->settings.nurseryIdle);
    return next ? std::optional(std::max(*next, now.steady)) : std::nullopt;
}

std::vector<Eviction> HeadPool::shed(std::size_t count)
{
    std::vector<std::pair<base::SteadyTime, base::ConnectionId>> oldest;
    for (const auto &order : m_state->idleSockets)
        oldest.insert(oldest.end(), order.begin(), order.end());
    std::sort(oldest.begin(), oldest.end());
    std::vector<Eviction> evictions;
    for (const auto &[lastUsed, id] : oldest) {
        Socket &socket = m_state->sockets.at(id);
        if (count == 0)
            break;
        if (socket.isPinned())
            continue;
        m_state->dropSocket(socket, EvictionReason::SocketCap, evictions);
        --count;
    }
    return evictions;
}

std::vector<Eviction> HeadPool::applySettings(const PoolSettings &settings, base::Now now)
{
    m_state->settings = settings;
    for (auto &[id, socket] : m_state->sockets)
        m_state->rank(socket);
    std::vector<Eviction> evictions = sweep(now);
    m_state->evictDown(Generation::Nursery, settings.nurseryCap, EvictionReason::Settings, now,
                       evictions);
    m_state->evictDown(Generation::Established, settings.establishedCap, EvictionReason::Settings,
                       now, evictions);
    return evictions;
}

} // namespace headway::heads
