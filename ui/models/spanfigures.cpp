// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/spanfigures.h"

#include <algorithm>

namespace headway::ui {

namespace {

void add(SpanFigures &sum, const live::SecondStats &s)
{
    ++sum.reported;
    sum.continued += s.continued;
    sum.laneOrSpare += s.laneOrSpare;
    sum.openedAtOnce += s.openedAtOnce;
    sum.openedAfterWait += s.openedAfterWait;
    sum.refused += s.refused;
    sum.rejections += s.rejections;
    sum.completed += s.completed;
    sum.failed += s.failed;
    sum.warnings += s.warnings;
    sum.inputTokens += s.inputTokens;
    sum.cachedTokens += s.cachedTokens;
    if (s.waits > 0)
        sum.longestWaitMs = std::max(sum.longestWaitMs.value_or(0), s.waitMaxMs);
}

double ratio(std::uint64_t part, std::uint64_t whole)
{
    return static_cast<double>(part) / static_cast<double>(whole);
}

} // namespace

SpanFigures spanFigures(const SecondRing &ring, std::int64_t to, int seconds)
{
    SpanFigures sum;
    sum.from = to - seconds;
    sum.to = to;
    std::int64_t opened = 0;
    for (std::int64_t second = sum.from; second < to; ++second) {
        if (const live::SecondStats *s = ring.at(second))
            add(sum, *s);
        opened += openingsOf(ring.at(second));
        if (second - 60 >= sum.from)
            opened -= openingsOf(ring.at(second - 60));
        if (opened > sum.mostOpenedInAMinute)
            sum.mostOpenedInAMinute = static_cast<std::uint32_t>(opened);
    }
    sum.started = sum.continued + sum.laneOrSpare + sum.openedAtOnce + sum.openedAfterWait;
    if (sum.started > 0)
        sum.reuse = ratio(sum.continued, sum.started);
    if (sum.inputTokens > 0)
        sum.cached = ratio(sum.cachedTokens, sum.inputTokens);
    return sum;
}

} // namespace headway::ui
