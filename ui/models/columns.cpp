// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/columns.h"

#include <algorithm>
#include <cmath>

namespace headway::ui {

namespace {

std::uint32_t starts(const live::SecondStats &s)
{
    return s.continued + s.laneOrSpare + s.openedAtOnce + s.openedAfterWait;
}

void raise(std::optional<double> &largest, double value)
{
    largest = std::max(largest.value_or(value), value);
}

void addStarts(Column &column, const live::SecondStats &s)
{
    const std::array<std::uint32_t, startKinds> counts{s.continued, s.laneOrSpare, s.openedAtOnce,
                                                       s.openedAfterWait, s.refused};
    for (std::size_t kind = 0; kind < startKinds; ++kind)
        column.startsPerSecond[kind] += counts[kind];
}

// Adds one second; the medians' middle is weighted by how many waits stand behind each.
void add(Column &column, const live::SecondStats &s, double &waits)
{
    ++column.reported;
    addStarts(column, s);
    column.rejections += s.rejections;
    column.warnings += s.warnings;
    raise(column.queue, s.queueLength);
    column.bucketLow = std::min(column.bucketLow.value_or(s.bucketLevel), s.bucketLevel);
    if (s.waits == 0)
        return;
    raise(column.waitP95, s.waitP95Ms);
    raise(column.waitMax, s.waitMaxMs);
    const double weight = s.waits;
    column.waitP50 = (column.waitP50.value_or(0) * waits + s.waitP50Ms * weight) / (waits + weight);
    waits += weight;
}

void addRatios(Column &column, const SecondRing &ring)
{
    double continued = 0;
    double all = 0;
    double cached = 0;
    double input = 0;
    const std::int64_t end = column.second + column.width;
    for (std::int64_t second = end - std::max(ratioSeconds, column.width); second < end; ++second) {
        if (const live::SecondStats *s = ring.at(second)) {
            continued += s->continued;
            all += starts(*s);
            cached += static_cast<double>(s->cachedTokens);
            input += static_cast<double>(s->inputTokens);
        }
    }
    if (all > 0)
        column.reuse = continued / all;
    if (input > 0)
        column.cached = std::min(1.0, cached / input);
}

Column columnAt(const SecondRing &ring, std::int64_t second, int width, std::int64_t end)
{
    Column column;
    column.second = second;
    column.width = width;
    double waits = 0;
    for (std::int64_t at = second; at < std::min(second + width, end); ++at)
        if (const live::SecondStats *s = ring.at(at))
            add(column, *s, waits);
    if (column.reported > 0) {
        for (double &kind : column.startsPerSecond)
            kind /= column.reported;
        addRatios(column, ring);
    }
    return column;
}

// A running sum, so that its cost does not grow with the minute.
void addOpenings(std::vector<Column> &columns, const SecondRing &ring)
{
    constexpr std::int64_t minute = 60;
    const auto opened
        = [&ring](std::int64_t second) { return static_cast<double>(openingsOf(ring.at(second))); };
    if (columns.empty())
        return;
    std::int64_t end = columns.front().second - 1; // sum: the minute that ends here
    double sum = 0;
    for (std::int64_t second = end - minute; second < end; ++second)
        sum += opened(second);
    for (Column &column : columns) {
        for (; end < column.second + column.width; ++end)
            sum += opened(end) - opened(end - minute);
        if (column.reported > 0)
            column.openedInMinute = std::max(0.0, sum);
    }
}

} // namespace

int columnWidth(int spanSeconds, int pixels)
{
    for (const int width : {1, 2, 5, 10, 15, 20, 30})
        if (spanSeconds / width <= pixels)
            return width;
    return 60;
}

void buildColumns(const SecondRing &ring, const Span &span, int width, std::vector<Column> &columns)
{
    columns.clear();
    const auto end = static_cast<std::int64_t>(std::floor(span.end)); // the running second: not yet
    const auto first = static_cast<std::int64_t>(std::ceil(span.end)) - span.seconds;
    const std::int64_t aligned = first / width * width;
    for (std::int64_t second = aligned; second < end; second += width)
        columns.push_back(columnAt(ring, second, width, end));
    addOpenings(columns, ring);
}

} // namespace headway::ui
