// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/lab/replay.h"

#include <QString>

#include <vector>

namespace headway::ui {

// One figure of two replays, side by side.
struct ReplayFigure
{
    QString name;
    QString before;
    QString after;
    QString difference; // in words: "3 fewer", "1.2 s shorter", "the same"

    friend bool operator==(const ReplayFigure &, const ReplayFigure &) = default;
};

[[nodiscard]] std::vector<ReplayFigure> replayFigures(const lab::ReplaySummary &before,
                                                      const lab::ReplaySummary &after);

// What the change does, in a sentence or two: refusals first, then waits.
[[nodiscard]] QString replayVerdict(const lab::ReplaySummary &before,
                                    const lab::ReplaySummary &after);

} // namespace headway::ui
