// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/services.h"

namespace headway::engine {

void Services::makeRoom(base::Now now)
{
    const std::size_t wanted = connections.size() + 1;
    if (wanted > mostConnections)
        closeEvicted(pool.shed(wanted - mostConnections), now);
}

void Services::closeEvicted(const std::vector<heads::Eviction> &evictions, base::Now now)
{
    for (const heads::Eviction &eviction : evictions) {
        headFacts.erase(eviction.head);
        if (eviction.closes)
            connections.close(eviction.connection, name(eviction.reason), true, now);
        else
            connections.noteEvicted(eviction.connection, eviction.lane, name(eviction.reason), now);
    }
}

} // namespace headway::engine
