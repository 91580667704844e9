// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/listener/descriptorlimit.h"

#include "proxy/net/listener/limits.h"

#include <algorithm>
#include <sys/resource.h>

namespace headway::net {

std::size_t raiseDescriptorLimit()
{
    constexpr std::size_t usual = 1024;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return usual;
    if (limit.rlim_cur < limit.rlim_max) {
        const rlimit raised{limit.rlim_max, limit.rlim_max};
        if (::setrlimit(RLIMIT_NOFILE, &raised) == 0)
            limit = raised;
    }
    return static_cast<std::size_t>(limit.rlim_cur);
}

std::size_t connectionsFor(std::size_t descriptors)
{
    if (descriptors <= limits::reservedDescriptors + 2)
        return 1;
    return std::min(limits::connectionCeiling, (descriptors - limits::reservedDescriptors) / 2);
}

} // namespace headway::net
