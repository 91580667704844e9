// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/lab/arrivals.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headway::lab {

enum class Outcome : std::uint8_t { Admitted, Refused, Cancelled };

// What became of one arrival.
struct ReplayedArrival
{
    Outcome outcome = Outcome::Cancelled;
    base::Nanoseconds at{0}; // departure, or the instant of refusal or cancellation
    base::Nanoseconds wait{0}; // from the arrival to `at`
    base::Nanoseconds required{0}; // the honest wait, told on arrival or with the refusal
    base::Seconds retryAfter{0}; // refused: the hint
};

struct ReplaySummary
{
    std::size_t arrivals = 0;
    std::size_t admitted = 0;
    std::size_t waited = 0; // admitted, but not at once
    std::size_t refused = 0;
    std::size_t cancelled = 0;
    base::Nanoseconds waitP50{0}; // of those admitted, nearest rank
    base::Nanoseconds waitP95{0};
    base::Nanoseconds waitMax{0};
    std::size_t maxPerMinute = 0; // admissions in any 60 s
};

// Drives the shipped pacer over the arrivals on a virtual clock (spec/lab.md). Every admission
// counts as an opening that succeeded, so policy `auto` finds no limit by itself; refused arrivals
// are not retried. At one instant departures
// come first, then cancellations, then lines in their order. Same input, same result.
[[nodiscard]] std::vector<ReplayedArrival> replay(const Arrivals &input, const PacingSetup &setup);

[[nodiscard]] ReplaySummary summarize(const std::vector<ReplayedArrival> &arrivals);

[[nodiscard]] std::string_view name(Outcome outcome);

// One line per arrival and the summary, as the specification prints them.
[[nodiscard]] std::string replayText(const std::vector<ReplayedArrival> &arrivals);

} // namespace headway::lab
