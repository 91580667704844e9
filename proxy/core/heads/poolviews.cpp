// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/poolstate.h"

#include <algorithm>

namespace headway::heads {

std::vector<HeadView> HeadPool::views(base::Now now) const
{
    std::vector<HeadView> views;
    views.reserve(m_state->heads.size());
    for (const auto &[id, head] : m_state->heads) {
        views.push_back({
            .head = id,
            .connection = head.socket->id,
            .lane = head.lane,
            .partition = head.partition != nullptr ? head.partition->first.value() : std::string{},
            .generation = head.generation,
            .inFlight = head.inFlight,
            .pinned = head.pinned,
            .age = std::max(base::Milliseconds{0}, now.wall - head.socket->created),
            .idle = head.inFlight ? base::Nanoseconds{0} : now.steady - head.lastUsed,
            .turns = head.turns,
            .items = head.inFlight ? head.current.size() : head.stored.size(),
            .contextTokens = head.contextTokens,
            .lastMatch = head.lastMatch,
        });
    }
    for (const auto &[lastUsed, id] : m_state->idleSpares) {
        HeadView view;
        view.connection = id;
        view.spare = true;
        view.age = std::max(base::Milliseconds{0}, now.wall - m_state->sockets.at(id).created);
        view.idle = now.steady - lastUsed;
        views.push_back(std::move(view));
    }
    std::stable_sort(views.begin(), views.end(),
                     [](const HeadView &a, const HeadView &b) { return a.head < b.head; });
    return views;
}

std::size_t HeadPool::connections() const
{
    return m_state->sockets.size();
}

std::size_t HeadPool::size() const
{
    return m_state->heads.size();
}

} // namespace headway::heads
