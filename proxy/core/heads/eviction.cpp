// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/poolstate.h"

#include <algorithm>

namespace headway::heads {

namespace {

// spec/heads.md section 2: idle heads of an agent seen this recently go last.
constexpr base::Seconds recentlySeen{300};
// The random part of the rotation age; of short ages half, so that none becomes zero.
constexpr base::Seconds rotationSpread{300};

} // namespace

base::WallTime HeadPool::State::rotationTime(const Head &head) const
{
    const base::Milliseconds most = settings.rotateAfter;
    const base::Milliseconds spread = std::min<base::Milliseconds>(rotationSpread, most / 2);
    const auto earlier
        = static_cast<base::Milliseconds::rep>(head.earlier * static_cast<double>(spread.count()));
    return head.created + most - base::Milliseconds{earlier};
}

base::Seconds HeadPool::State::idleLimit(Generation generation) const
{
    return generation == Generation::Nursery ? settings.nurseryIdle : settings.establishedIdle;
}

// Least recently used first; those of agents seen lately only when there is nobody else. A head
// used lately belongs to such an agent, so the search ends where those begin.
Head *HeadPool::State::evictable(Generation generation, base::Now now)
{
    const IdleOrder &order = idleOf(generation);
    for (const auto &[lastUsed, id] : order) {
        if (now.steady - lastUsed < recentlySeen)
            break;
        Head &head = heads.at(id);
        if (now.steady - head.partition->second.lastSeen >= recentlySeen)
            return &head;
    }
    return order.empty() ? nullptr : &heads.at(order.begin()->second);
}

void HeadPool::State::evictDown(Generation generation, std::size_t most, EvictionReason reason,
                                base::Now now, std::vector<Eviction> &out)
{
    while (countOf(generation) > most) {
        Head *head = evictable(generation, now);
        if (head == nullptr)
            return; // all busy: the cap is exceeded for a while
        out.push_back(drop(*head, reason));
    }
}

// Room for one more head of the generation.
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

std::vector<Eviction> HeadPool::sweep(base::Now now)
{
    std::vector<Eviction> evictions;
    auto &rotation = m_state->rotation;
    while (!rotation.empty() && rotation.begin()->first <= now.wall)
        evictions.push_back(
            m_state->drop(m_state->heads.at(rotation.begin()->second), EvictionReason::HardTtl));
    for (const Generation generation : {Generation::Nursery, Generation::Established}) {
        const auto &order = m_state->idleOf(generation);
        const EvictionReason reason = generation == Generation::Nursery
            ? EvictionReason::NurseryIdleTtl
            : EvictionReason::IdleTtl;
        while (!order.empty()
               && now.steady - order.begin()->first >= m_state->idleLimit(generation))
            evictions.push_back(m_state->drop(m_state->heads.at(order.begin()->second), reason));
    }
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
    return next ? std::optional(std::max(*next, now.steady)) : std::nullopt;
}

std::vector<Eviction> HeadPool::shed(std::size_t count)
{
    std::vector<Eviction> evictions;
    auto &[nursery, established] = m_state->idle;
    while (evictions.size() < count && !(nursery.empty() && established.empty())) {
        const bool fromNursery
            = established.empty() || (!nursery.empty() && *nursery.begin() < *established.begin());
        const auto &oldest = *(fromNursery ? nursery : established).begin();
        evictions.push_back(
            m_state->drop(m_state->heads.at(oldest.second), EvictionReason::SocketCap));
    }
    return evictions;
}

std::vector<Eviction> HeadPool::applySettings(const PoolSettings &settings, base::Now now)
{
    m_state->settings = settings;
    m_state->rotation.clear();
    for (const auto &order : m_state->idle) {
        for (const auto &[lastUsed, id] : order)
            m_state->rotation.emplace(m_state->rotationTime(m_state->heads.at(id)), id);
    }
    std::vector<Eviction> evictions = sweep(now);
    m_state->evictDown(Generation::Nursery, settings.nurseryCap, EvictionReason::Settings, now,
                       evictions);
    m_state->evictDown(Generation::Established, settings.establishedCap, EvictionReason::Settings,
                       now, evictions);
    return evictions;
}

} // namespace headway::heads
