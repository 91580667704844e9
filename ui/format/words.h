// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "ui/format/palette.h"

#include <QString>

#include <optional>
#include <string_view>

namespace headway::ui {

// What a person reads for the engine's values; with the meaning that picks glyph and colour.
struct Word
{
    Meaning meaning = Meaning::Done;
    char16_t glyph = idleGlyph;
    QString text;
};

[[nodiscard]] Word phaseWord(live::Phase phase);
// It does not run: in the queue, before the gate, held back, or between two attempts.
[[nodiscard]] bool waitsToRun(live::Phase phase);

// "continued", "new head", "new head, history differs", "beside a busy parent" … and where it
// runs: "on an open lane", "on a spare connection". Nothing decided yet: an en dash.
[[nodiscard]] QString decisionWords(const std::optional<heads::Decision> &decision,
                                    const std::optional<heads::Place> &place);

[[nodiscard]] QString generationWord(heads::Generation generation);

// "agent 3 · refactor-auth"; "main" for an empty agent.
[[nodiscard]] QString agentWords(std::string_view session, std::string_view agent);

// The state of the provider as Snapshot::upstreamState spells it.
[[nodiscard]] Word upstreamWord(std::string_view state);

} // namespace headway::ui
