// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/durations.h"

#include <algorithm>

namespace headway::heads {

void Durations::Ring::add(base::Nanoseconds duration, std::size_t most)
{
    if (took.size() < most)
        took.push_back(duration);
    else
        took[next] = duration;
    next = (next + 1) % most;
}

void Durations::add(std::size_t partition, std::string_view model, base::Nanoseconds took)
{
    const auto [own, isNew] = m_partitions.try_emplace(partition);
    own->second.add(took, perPartition);
    if (isNew)
        m_order.push_back(partition);
    if (m_order.size() > partitions) {
        m_partitions.erase(m_order.front());
        m_order.pop_front();
    }
    const std::string key(model);
    if (m_models.size() < models || m_models.contains(key))
        m_models[key].add(took, perModel);
}

std::optional<Durations::Remaining>
Durations::remaining(std::size_t partition, std::string_view model, base::Nanoseconds elapsed) const
{
    if (const auto own = m_partitions.find(partition); own != m_partitions.end()) {
        if (const auto known = remaining(own->second, elapsed))
            return known;
    }
    const auto general = m_models.find(std::string(model));
    return general == m_models.end() ? std::nullopt : remaining(general->second, elapsed);
}

// Nearest rank: the smallest of which at least the share asked for is not larger.
std::optional<Durations::Remaining> Durations::remaining(const Ring &ring,
                                                         base::Nanoseconds elapsed)
{
    std::vector<base::Nanoseconds> beyond;
    for (const base::Nanoseconds took : ring.took) {
        if (took > elapsed)
            beyond.push_back(took - elapsed);
    }
    if (beyond.size() < enough)
        return std::nullopt;
    std::sort(beyond.begin(), beyond.end());
    const std::size_t count = beyond.size();
    return Remaining{beyond[(count + 1) / 2 - 1], beyond[(3 * count + 3) / 4 - 1]};
}

} // namespace headway::heads
