// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/simulator/scenario.h"

#include <optional>
#include <vector>

namespace headway::simulator {

// Which fault of the scenario strikes now. Asking uses up one of its `count` occasions.
class FaultSchedule final
{
public:
    FaultSchedule(std::vector<Fault> faults, base::SteadyTime start);

    // One more, for the next occasions.
    void add(Fault fault);

    [[nodiscard]] std::optional<Fault> onUpgrade(base::SteadyTime now);
    [[nodiscard]] std::optional<Fault> onTurn(base::SteadyTime now);

    // Faults that hit every open socket at one instant, with the time since the start in `at`.
    [[nodiscard]] std::vector<Fault> instants() const;

private:
    [[nodiscard]] std::optional<Fault> take(base::SteadyTime now, bool upgrade);

    std::vector<Fault> m_faults;
    base::SteadyTime m_start;
};

} // namespace headway::simulator
