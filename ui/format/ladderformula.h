// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/pacing/budget.h"

#include <QString>

namespace headway::ui {

// The ladder inequality of spec/pacing.md sections 1-2 as a sentence:
// (retries + 1) · bound + ladder(retries) < idle.
struct LadderFormula
{
    enum class State { Holds, Tight, Broken };

    State state = State::Holds;
    QString text; // "6 × 4833 + 62000 = 90998 < 120000 ✓"
    QString advice; // what a person should know or do; empty while there is room

    friend bool operator==(const LadderFormula &, const LadderFormula &) = default;
};

// `asked` is what the user set, `budget` what came of it. Tight: less than a tenth of the idle
// deadline is left, the asked retries do not fit, or there is no room to queue: all of these hold
// still, so the warning stands before the inequality breaks.
[[nodiscard]] LadderFormula ladderFormula(const pacing::RequestBudget &budget,
                                          const pacing::BudgetSettings &asked);

} // namespace headway::ui
