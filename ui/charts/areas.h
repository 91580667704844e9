// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/columns.h"

#include <QAreaSeries>
#include <QLineSeries>
#include <QList>
#include <QPointF>

#include <cstddef>
#include <functional>
#include <vector>

class QAbstractAxis;
class QChart;

namespace headway::ui {

// Stacked step areas of one chart: layer k lies between boundary k and boundary k + 1. Owned by
// the chart they are added to. Without outline, replaced as a whole, with vectors that keep their
// memory (reference/toolkit.md section 4).
class Areas final
{
public:
    Areas(QChart *chart, QAbstractAxis *x, QAbstractAxis *y, std::size_t layers);

    // Height of a boundary (0 … layers) over a column.
    using Height = std::function<double(const Column &, std::size_t boundary)>;
    void replace(const std::vector<Column> &columns, const Span &span, const Height &height);

    void setBrush(std::size_t layer, const QBrush &brush);
    [[nodiscard]] QAreaSeries *layer(std::size_t index) const { return m_layers[index]; }

private:
    std::vector<QLineSeries *> m_boundaries;
    std::vector<QAreaSeries *> m_layers;
    QList<QPointF> m_points;
};

// Left and right edge of a column, in seconds before the span's end, clipped to the span.
struct Edges
{
    double left;
    double right;
};
[[nodiscard]] Edges edges(const Column &column, const Span &span);

} // namespace headway::ui
