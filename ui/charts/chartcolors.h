// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/columns.h"

#include <QBrush>
#include <QColor>

class QPalette;

namespace headway::ui {

// Everything a chart is painted with, from the palette in force: charts do not follow it alone.
struct ChartColors
{
    bool dark = false;
    QColor ground;
    QColor grid;
    QColor text;
    QColor label;
    QColor active;
    QColor waiting;
    QColor limit;
    QColor done;

    friend bool operator==(const ChartColors &, const ChartColors &) = default;
};

[[nodiscard]] ChartColors chartColors(const QPalette &palette);

// The fill of a stacked kind: colour plus a texture as the second sign (spec/window.md: waiting is
// hatched, refused is dashed).
[[nodiscard]] QBrush kindBrush(StartKind kind, const ChartColors &colors);

enum class Hatch { Rising, Falling, Dotted };
[[nodiscard]] QBrush hatched(const QColor &color, Hatch hatch);
[[nodiscard]] QColor faded(QColor color, double alpha);

} // namespace headway::ui
