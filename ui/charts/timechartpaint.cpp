// SPDX-License-Identifier: GPL-3.0-or-later
// What TimeChart paints over Qt Charts: lines with gaps, signs, marks, crosshair.
#include "ui/charts/symbols.h"
#include "ui/charts/timechart.h"
#include "ui/format/appearance.h"

#include <QChart>
#include <QPainter>
#include <QTextOption>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace headway::ui {

QPointF TimeChart::pixel(double x, double y) const
{
    const QRectF plot = chart()->plotArea();
    const double height = m_left->max() - m_left->min();
    const double share = height > 0 ? (y - m_left->min()) / height : 0;
    return {plot.right() + x / m_span.seconds * plot.width(),
            plot.bottom() - std::clamp(share, 0.0, 1.0) * plot.height()};
}

void TimeChart::drawForeground(QPainter *painter, const QRectF &rect)
{
    QChartView::drawForeground(painter, rect);
    if (m_drawings == 0)
        return;
    painter->save();
    painter->setFont(smaller(font()));
    const QRectF plot = chart()->plotArea();
    paintLabels(*painter, *m_left, true);
    if (m_right != nullptr)
        paintLabels(*painter, *m_right, false);
    paintReferences(*painter);
    paintMarks(*painter);
    painter->setClipRect(plot.adjusted(-1, -4, 1, 1));
    paintTracks(*painter);
    paintSymbols(*painter);
    painter->setRenderHint(QPainter::Antialiasing, false);
    if (m_crosshair) {
        const double x = std::round(pixelOf(*m_crosshair)) + 0.5;
        painter->setPen(QPen(m_colors.text, 1));
        painter->drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    }
    painter->restore();
}

// Both ends and zero first; what would touch another label is left out.
void TimeChart::paintLabels(QPainter &painter, const QValueAxis &axis, bool isLeft) const
{
    const QRectF plot = chart()->plotArea();
    const QFontMetricsF metrics(painter.font());
    const double interval = axis.tickInterval();
    const double height = axis.max() - axis.min();
    if (interval <= 0 || height <= 0)
        return;
    std::vector<double> values{axis.max(), 0};
    for (double value = std::ceil(axis.min() / interval) * interval; value < axis.max();
         value += interval)
        values.push_back(value);
    std::vector<double> taken;
    painter.setPen(m_colors.label);
    for (const double value : values) {
        const double y = plot.bottom() - (value - axis.min()) / height * plot.height();
        const auto isNear = [&](double other) { return std::abs(other - y) < metrics.height(); };
        if (y < plot.top() - 1 || y > plot.bottom() + 1 || std::ranges::any_of(taken, isNear))
            continue;
        taken.push_back(y);
        const double gap = metrics.height() * 0.35;
        const QRectF box(isLeft ? 0 : plot.right() + gap, y - metrics.height() / 2,
                         isLeft ? plot.left() - gap : viewport()->width() - plot.right() - gap,
                         metrics.height());
        const QTextOption place((isLeft ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        painter.drawText(box, isLeft ? leftLabel(value) : rightLabel(value), place);
    }
}

void TimeChart::paintTracks(QPainter &painter) const
{
    QPolygonF line;
    for (const Track &track : m_tracks) {
        painter.setPen(track.dots ? QPen(Qt::NoPen) : track.pen);
        painter.setBrush(track.dots ? QBrush(track.pen.color()) : QBrush(Qt::NoBrush));
        for (const QPolygonF &run : track.runs) {
            line.clear();
            for (const QPointF &point : run)
                line << pixel(point.x(), point.y());
            if (!track.dots) {
                painter.drawPolyline(line);
                continue;
            }
            for (qsizetype i = 0; i + 1 < line.size(); i += 2)
                painter.drawRect(
                    QRectF((line[i].x() + line[i + 1].x()) / 2 - 1, line[i].y() - 1, 2, 2));
        }
    }
}

void TimeChart::paintReferences(QPainter &painter) const
{
    const QRectF plot = chart()->plotArea();
    for (const Reference &reference : m_references) {
        const double y = pixel(0, reference.y).y();
        painter.setPen(QPen(m_colors.label, 1, Qt::DashLine));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    }
}

void TimeChart::paintMarks(QPainter &painter) const
{
    const QRectF plot = chart()->plotArea();
    const QFontMetricsF metrics(painter.font());
    // Below the row of signs.
    const double top = plot.top() + (m_symbols.empty() ? 1 : metrics.height() * 0.75);
    double free = plot.right(); // labels are set from the newest back; older ones give way
    for (auto mark = m_marks.rbegin(); mark != m_marks.rend(); ++mark) {
        const double x = std::round(pixelOf(mark->at)) + 0.5;
        if (x < plot.left() || x > plot.right())
            continue;
        painter.setPen(QPen(m_colors.text, 1, Qt::DotLine));
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        if (plot.height() < 3 * metrics.height())
            continue; // a label would hide what it speaks of
        const double width = metrics.horizontalAdvance(mark->label) + 8;
        double left = x + 2;
        if (left + width > free)
            left = x - 2 - width;
        if (left < plot.left() || left + width > free)
            continue;
        free = std::min(left, x) - 2;
        const QRectF box(left, top, width, metrics.height());
        painter.fillRect(box, faded(m_colors.ground, 0.85));
        painter.setPen(m_colors.text);
        painter.drawText(box, Qt::AlignCenter, mark->label);
    }
}

void TimeChart::paintSymbols(QPainter &painter) const
{
    const QRectF plot = chart()->plotArea();
    const double size = QFontMetricsF(painter.font()).height() * 0.32;
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Symbol &symbol : m_symbols) {
        const double x = plot.right() + symbol.x / m_span.seconds * plot.width();
        paintSymbol(painter, symbol.shape, symbol.color, QPointF(x, plot.top() + size), size);
    }
}

} // namespace headway::ui
