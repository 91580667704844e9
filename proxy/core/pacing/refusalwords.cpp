// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/refusalwords.h"

#include <chrono>

namespace headway::pacing {

namespace {

std::string seconds(base::Nanoseconds time)
{
    return std::to_string(std::chrono::ceil<base::Seconds>(time).count()) + " s";
}

} // namespace

std::string refusalWords(Policy policy, const Refused &refusal)
{
    std::string words = "Headway's own pacing: no new upstream connection may be opened yet";
    switch (policy) {
    case Policy::Auto:
        words += ". What was learned of this account, an estimate, leaves no opening before this "
                 "turn's idle deadline ends";
        if (refusal.slot)
            words += "; one is kept for it, for when it comes back after the Retry-After";
        return words + ". Run fewer agents at once, or raise idle_ms.";
    case Policy::Fixed:
    case Policy::Adaptive:
        return words + ". The distance kept between openings would have held this turn for "
            + seconds(refusal.required)
            + ", past its idle deadline. Run fewer agents at once, raise idle_ms, or set the "
              "policy auto.";
    case Policy::Off: // those whom a change of policy sent back were the bucket's
    case Policy::Bucket:
        break;
    }
    return words + ". The set rate is used up; the next opening would have been in "
        + seconds(refusal.required) + ". Raise rate_per_min or burst, or run fewer agents at once.";
}

} // namespace headway::pacing
