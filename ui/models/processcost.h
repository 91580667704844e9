// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace headway::ui {

// What this program costs the machine.
struct ProcessCost
{
    double cores = 0; // of CPU: 0.006 is 0.6 % of one core
    std::uint64_t residentBytes = 0; // 0: the system does not say

    friend bool operator==(const ProcessCost &, const ProcessCost &) = default;
};

// Works a share out of sums: CPU time spent and time gone by since the look before.
class ProcessCostMeter final
{
public:
    using Time = std::chrono::nanoseconds;

    // Nothing for the first look, and for looks less than half a second apart.
    [[nodiscard]] std::optional<ProcessCost> look(Time cpu, Time steady, std::uint64_t resident);
    // The same with what the system says now.
    [[nodiscard]] std::optional<ProcessCost> look();

private:
    std::optional<Time> m_at;
    Time m_cpu{};
};

} // namespace headway::ui
