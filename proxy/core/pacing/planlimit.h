// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <cstdint>
#include <optional>

namespace headway::pacing {

// A limit of the plan (usage_limit_reached, insufficient_quota: it resets in hours, spec/pacing.md
// section 6). It is not retried: the turn that met it gets one answer with the reset time, later
// ones are answered here. On a paid plan one turn is let through as a probe from time to time:
// after 5 min, then after twice as long each time, at most 30 min. Wall time, since the provider
// states the reset as wall time and a suspended machine counts. One for each endpoint and account.
class PlanLimit final
{
public:
    // The provider said so. Without a reset time it is asked again by probes only; on a plan
    // without probes, after 30 min.
    void reached(std::optional<base::WallTime> resetsAt, bool paid, base::WallTime now);
    void passed(); // a call went through: the limit is gone

    enum class Answer : std::uint8_t {
        Send, // no limit is known
        Probe, // send this one and report how it ended
        Local, // answer here, with resetsAt()
    };
    // A probe is given to one turn only, until it has been reported or its time comes again.
    [[nodiscard]] Answer ask(base::WallTime now);
    [[nodiscard]] std::optional<base::WallTime> resetsAt() const { return m_resetsAt; }

private:
    bool m_reached = false;
    bool m_paid = false;
    std::optional<base::WallTime> m_resetsAt;
    base::WallTime m_nextProbe{};
    base::Milliseconds m_interval{0};
};

} // namespace headway::pacing
