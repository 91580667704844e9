// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/pacing/attempt.h"
#include "proxy/core/pacing/pacer.h"

#include <vector>

namespace headway::pacing {

// A policy whose queue another policy can take over while people wait in it (spec/pacing.md
// section 8). Between handOver() and adopt() nobody is lost and nobody is in two queues.
class PolicyQueue : public Pacer
{
public:
    // Empties the queue, in order of departure; what the waiters were promised goes back.
    [[nodiscard]] virtual std::vector<Attempt> handOver(base::Now now) = 0;

    // They join in this order, with the arrival times and deadlines they have. Whoever does not fit
    // appears in the next due() as refused.
    virtual void adopt(const std::vector<Attempt> &attempts, base::Now now) = 0;

    // A start that another policy allowed: the limits of this one count it.
    virtual void startedElsewhere(base::Now now) = 0;
};

} // namespace headway::pacing
