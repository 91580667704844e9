// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/core/lab/laberror.h"
#include "proxy/core/pacing/pacer.h"
#include "proxy/core/settings/settings.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace headway::lab {

// A turn that needs a new connection.
struct Arrival
{
    base::Nanoseconds at{0}; // since the beginning of the span
    std::uint64_t session = 0; // hashed; 0: none named
    std::uint64_t agent = 0; // hashed; 0: the main agent
    std::optional<base::Nanoseconds> cancelAfter{}; // the client leaves, unless admitted before

    friend bool operator==(const Arrival &, const Arrival &) = default;
};

// What pacing is set to; the budget counts for those who arrive from then on.
struct PacingSetup
{
    pacing::PacerSettings pacer;
    pacing::RequestBudget budget;
    // Openings a minute that policy `auto` has learned and does not exceed; 0: none known.
    double learnedPerMinute = 0;
};

// A change in flight.
struct SetupChange
{
    base::Nanoseconds at{0};
    std::size_t before = 0; // index of the arrival it comes before
    PacingSetup setup;
};

// Sorted by time.
struct Arrivals
{
    std::vector<Arrival> arrivals;
    std::vector<SetupChange> changes;
    std::vector<std::string> notices; // settings that were clamped
};

[[nodiscard]] PacingSetup pacingSetup(const settings::Settings &settings);

// 0 for an empty name.
[[nodiscard]] std::uint64_t hashedName(std::string_view name);

// The lines of `headway lab replay` (spec/lab.md): arrivals, and changes of `settings` in flight.
// Empty lines are skipped.
[[nodiscard]] tl::expected<Arrivals, LabError> readArrivals(std::string_view text,
                                                            settings::Settings settings);

} // namespace headway::lab
