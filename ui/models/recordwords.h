// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/record.h"
#include "ui/format/words.h"

#include <QString>
#include <QStringList>

namespace headway::ui {

// Display names of the record kinds, in the order of ledger::Body's alternatives.
[[nodiscard]] QStringList recordKinds();
[[nodiscard]] QString recordKind(const ledger::Record &record);

// The record in one line of plain words, with the glyph that sorts it at a glance. A turn that was
// completed is never shown as a fault.
[[nodiscard]] Word recordWords(const ledger::Record &record);

} // namespace headway::ui
