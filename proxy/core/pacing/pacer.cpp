// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/pacer.h"

#include "proxy/core/pacing/policypacer.h"

namespace headway::pacing {

std::unique_ptr<Pacer> makePacer(const PacerSettings &settings, base::Now now, std::uint64_t seed)
{
    return std::make_unique<PolicyPacer>(settings, now, seed);
}

} // namespace headway::pacing
