// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/lostheads.h"

#include "proxy/core/heads/toolschemas.h"

namespace headway::heads {

void LostHeads::add(std::size_t partition, const History &history, const LostHead &lost)
{
    if (history.size() == 0)
        return;
    m_entries.push_back({partition, history.lineage(), lost});
    if (m_entries.size() > most)
        m_entries.pop_front();
}

std::optional<LostHead> LostHeads::find(std::size_t partition, const RequestTrail &request) const
{
    const base::Fingerprint schemas
        = request.schemas() != nullptr ? request.schemas()->id() : base::Fingerprint{};
    const Entry *longest = nullptr;
    for (const Entry &entry : m_entries) {
        if (entry.partition != partition || entry.lineage.schemas != schemas
            || !request.continues(entry.lineage.firmItems, entry.lineage.firmDigest))
            continue;
        if (longest == nullptr || entry.lineage.firmItems >= longest->lineage.firmItems)
            longest = &entry; // the latest of equal ones
    }
    return longest == nullptr ? std::nullopt : std::optional(longest->lost);
}

} // namespace headway::heads
