// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/services.h"

namespace headway::engine {

void Services::closeEvicted(const std::vector<heads::Eviction> &evictions, base::Now now)
{
    for (const heads::Eviction &eviction : evictions) {
        headFacts.erase(eviction.head);
        if (eviction.closes)
            connections.close(eviction.connection, name(eviction.reason), true, now);
    }
}

} // namespace headway::engine
