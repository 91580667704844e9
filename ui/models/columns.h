// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/secondring.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace headway::ui {

// How a turn started, in stacking order from the bottom.
enum class StartKind : std::uint8_t {
    Continued,
    LaneOrSpare,
    OpenedAtOnce,
    OpenedAfterWait,
    Refused
};
inline constexpr std::size_t startKinds = 5;

// One drawn column: `width` seconds from `second` on. What nobody reported or what did not happen
// is empty, so that it is drawn as a gap.
struct Column
{
    std::int64_t second = 0;
    int width = 1;
    int reported = 0; // how many of its seconds are known
    std::array<double, startKinds> startsPerSecond{}; // by StartKind, over the reported seconds
    std::uint32_t rejections = 0;
    std::uint32_t warnings = 0;
    std::optional<double> waitP50; // milliseconds; middle of the seconds' medians
    std::optional<double> waitP95; // milliseconds; largest of the seconds
    std::optional<double> waitMax;
    std::optional<double> queue; // largest
    std::optional<double> bucketLow; // lowest level, so that a dip is never hidden
    std::optional<double> openedInMinute; // connections in the 60 s up to its end
    std::optional<double> ceiling; // openings a minute as learned, at its end (steptrace.h)
    std::optional<double> spacing; // milliseconds between two openings, likewise
    std::optional<double> reuse; // continued / starts over the trailing ratioSeconds, 0 – 1
    std::optional<double> cached; // cached / input tokens over the same
};

inline constexpr int ratioSeconds = 10;

struct Span
{
    double end = 0; // unix seconds: the right edge
    int seconds = 300;

    friend bool operator==(const Span &, const Span &) = default;
};

// Seconds per column, so that a column is at least one pixel wide. 1, 2, 5, 10, 15, 20, 30 or 60.
[[nodiscard]] int columnWidth(int spanSeconds, int pixels);

// The complete seconds of the span, decimated. Columns start at multiples of their width, so that
// a column keeps its content while the chart scrolls. The vector keeps its memory.
void buildColumns(const SecondRing &ring, const Span &span, int width,
                  std::vector<Column> &columns);

} // namespace headway::ui
