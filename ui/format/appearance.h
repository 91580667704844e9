// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QPalette>

namespace headway::ui {

enum class Appearance { System, Light, Dark };

// The palettes of --screenshot and --dark, and of systems that have none of their own.
[[nodiscard]] QPalette lightPalette();
[[nodiscard]] QPalette darkPalette();

// Sets style and palette of the running QApplication. System leaves the platform's palette alone.
// GUI thread, before the first window.
void applyAppearance(Appearance appearance);

// Relative sizes, so that a larger system font enlarges everything.
[[nodiscard]] QFont smaller(QFont font);
[[nodiscard]] QFont larger(QFont font, double factor = 1.35);
// Titles, and what is said first.
[[nodiscard]] QFont bolder(QFont font);

// Text that is read second: captions, units. Blended from the palette, at least 4.5 : 1.
[[nodiscard]] QColor secondary(const QPalette &palette);
// `palette` with another colour for text, whatever role its widget draws text with.
[[nodiscard]] QPalette inked(QPalette palette, const QColor &ink);
// Style sheet of tool buttons of which one is chosen: Fusion hardly shows which on a dark ground.
[[nodiscard]] QString choiceButtonStyle();
// Hairlines: grid, separators.
[[nodiscard]] QColor hairline(const QPalette &palette);

} // namespace headway::ui
