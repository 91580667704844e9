// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/timechart.h"

class QPainter;

namespace headway::ui {

// A diamond or triangle of half-width `size` around `center`; other shapes paint nothing.
void paintSymbol(QPainter &painter, LegendItem::Shape shape, const QColor &color,
                 const QPointF &center, double size);

// The swatch of a legend.
void paintSwatch(QPainter &painter, const LegendItem &item, const QRectF &box);

} // namespace headway::ui
