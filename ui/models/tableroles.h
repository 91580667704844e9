// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

namespace headway::ui {

// Roles of every table of the window besides Qt's own.
enum TableRole {
    OrderRole = Qt::UserRole + 1, // what to sort by
    MeaningRole, // int of Meaning, for the glyph's colour
    GlyphRole, // QString, one glyph before the text
};

} // namespace headway::ui
