// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/policynames.h"

namespace headway::pacing {

std::string_view name(Policy policy)
{
    switch (policy) {
    case Policy::Off:
        return "off";
    case Policy::Fixed:
        return "fixed";
    case Policy::Bucket:
        return "bucket";
    case Policy::Adaptive:
        return "adaptive";
    case Policy::Auto:
        return "auto";
    }
    return {};
}

std::optional<Policy> policyNamed(std::string_view wanted)
{
    for (const Policy policy : policies) {
        if (name(policy) == wanted)
            return policy;
    }
    return std::nullopt;
}

} // namespace headway::pacing
