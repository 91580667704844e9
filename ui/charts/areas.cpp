// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/areas.h"

#include <QChart>

#include <algorithm>
#include <cmath>

namespace headway::ui {

Edges edges(const Column &column, const Span &span)
{
    const double first = -span.seconds;
    const double complete = std::floor(span.end) - span.end; // the running second is not drawn
    const double left = static_cast<double>(column.second) - span.end;
    return {std::clamp(left, first, complete), std::clamp(left + column.width, first, complete)};
}

Areas::Areas(QChart *chart, QAbstractAxis *x, QAbstractAxis *y, std::size_t layers)
{
    for (std::size_t boundary = 0; boundary <= layers; ++boundary)
        m_boundaries.push_back(new QLineSeries(chart));
    for (std::size_t layer = 0; layer < layers; ++layer) {
        auto *area = new QAreaSeries(m_boundaries[layer + 1], m_boundaries[layer]);
        area->setPen(Qt::NoPen);
        chart->addSeries(area);
        area->attachAxis(x);
        area->attachAxis(y);
        m_layers.push_back(area);
    }
}

void Areas::setBrush(std::size_t layer, const QBrush &brush)
{
    m_layers[layer]->setBrush(brush);
    m_layers[layer]->setPen(Qt::NoPen); // a theme would bring its outline back
}

void Areas::replace(const std::vector<Column> &columns, const Span &span, const Height &height)
{
    for (std::size_t boundary = 0; boundary < m_boundaries.size(); ++boundary) {
        m_points.clear();
        for (const Column &column : columns) {
            const auto [left, right] = edges(column, span);
            const double value = height(column, boundary);
            m_points.append(QPointF(left, value));
            m_points.append(QPointF(right, value));
        }
        m_boundaries[boundary]->replace(m_points);
    }
}

} // namespace headway::ui
