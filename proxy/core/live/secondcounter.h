// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/core/live/snapshot.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace headway::live {

// Sums what happens into wall-clock seconds. The percentiles are exact over the second's waits
// (nearest rank).
class SecondCounter final
{
public:
    enum class Start : std::uint8_t {
        Continued,
        LaneOrSpare,
        OpenedAtOnce,
        OpenedAfterWait,
        Refused
    };

    void start(Start kind, base::WallTime at);
    void wait(base::Nanoseconds waited, base::WallTime at); // of one admission or refusal
    void rejection(base::WallTime at);
    void ended(bool completed, base::WallTime at);
    void turnRefused(base::WallTime at); // beside ended()
    void tokens(std::uint64_t input, std::uint64_t cached, base::WallTime at);
    void warning(base::WallTime at);
    void level(double bucket, std::uint32_t queueLength, base::WallTime at);

    // Seconds new or changed since the last call, ascending; the newest `mostKept` of them.
    static constexpr std::size_t mostKept = 3'600;
    [[nodiscard]] std::vector<SecondStats> take();

private:
    SecondStats &second(base::WallTime at);
    void close();

    std::deque<SecondStats> m_done;
    SecondStats m_current;
    std::vector<double> m_waits; // of the current second, ms
};

} // namespace headway::live
