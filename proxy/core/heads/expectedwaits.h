// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/ids.h"
#include "proxy/core/base/time.h"
#include "proxy/core/heads/poolvalues.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headway::heads {

// The turns that wait for a head in flight (`expected_head`) or for the answer to a lane probe, all
// without an admission. Each leaves exactly once: woken, timed out or cancelled; the caller then
// scans again with the bound less what it waited.
class ExpectedWaits final
{
public:
    struct Woken
    {
        base::TurnId turn;
        base::Nanoseconds waited{0}; // off this attempt's wait bound

        friend bool operator==(const Woken &, const Woken &) = default;
    };

    // One wait per turn; a second one replaces the first.
    void forHead(base::TurnId turn, HeadId head, base::Nanoseconds most, base::SteadyTime now);
    void forProbe(base::TurnId turn, base::Nanoseconds most, base::SteadyTime now);

    // The head is idle or gone: everybody who waits for it, in the order of arrival, to be run one
    // after the other without a yield in between; so one adopts it and the next sees that.
    [[nodiscard]] std::vector<Woken> headFreed(HeadId head, base::SteadyTime now);
    [[nodiscard]] std::vector<Woken> probeAnswered(base::SteadyTime now);
    [[nodiscard]] std::vector<Woken> due(base::SteadyTime now);
    bool cancel(base::TurnId turn); // false: it does not wait

    [[nodiscard]] std::optional<base::SteadyTime> next() const;
    [[nodiscard]] std::size_t size() const { return m_waits.size(); }

private:
    struct Wait
    {
        base::TurnId turn;
        HeadId head; // zero: a probe
        base::SteadyTime since;
        base::SteadyTime until;
    };
    template <typename Predicate>
    [[nodiscard]] std::vector<Woken> take(Predicate leaves, base::SteadyTime now);

    std::vector<Wait> m_waits; // in the order of arrival
};

} // namespace headway::heads
