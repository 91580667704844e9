// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/secondring.h"

#include <cstdint>
#include <optional>

namespace headway::ui {

// The sums of a span of seconds, for a report. What nobody reported counts as nothing; ratios and
// waits are empty where nothing happened.
struct SpanFigures
{
    std::int64_t from = 0; // unix seconds, first and one past the last
    std::int64_t to = 0;
    int reported = 0; // seconds of the span that are known
    std::uint64_t started = 0; // refused ones are not
    std::uint64_t continued = 0;
    std::uint64_t laneOrSpare = 0;
    std::uint64_t openedAtOnce = 0;
    std::uint64_t openedAfterWait = 0;
    std::uint64_t refused = 0;
    std::uint64_t rejections = 0;
    std::uint64_t completed = 0;
    std::uint64_t failed = 0;
    std::uint64_t warnings = 0;
    std::uint64_t inputTokens = 0;
    std::uint64_t cachedTokens = 0;
    std::uint32_t mostOpenedInAMinute = 0; // in any 60 seconds of the span
    std::optional<double> longestWaitMs;
    std::optional<double> reuse; // continued / started
    std::optional<double> cached; // cached / input tokens
};

// Of the seconds from `to` - seconds up to, not including, `to`.
[[nodiscard]] SpanFigures spanFigures(const SecondRing &ring, std::int64_t to, int seconds);

} // namespace headway::ui
