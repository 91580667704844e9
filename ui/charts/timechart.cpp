// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/timechart.h"

#include "ui/format/appearance.h"
#include "ui/format/figures.h"

#include <QChart>
#include <QEvent>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace headway::ui {

QMarginsF plotMargins(const QFontMetricsF &metrics)
{
    const double em = metrics.horizontalAdvance(QLatin1Char('0'));
    return {em * 7, metrics.height() * 0.4, em * 4.5, metrics.height() * 0.4};
}

TimeChart::TimeChart(const QString &name, QWidget *parent)
    : QChartView(parent)
    , m_time(new QValueAxis(this))
    , m_left(new QValueAxis(this))
{
    setAccessibleName(name);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setRubberBand(QChartView::NoRubberBand);
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    // Everything but the signs is made of steps: smooth edges would show nothing and cost most.
    setRenderHint(QPainter::Antialiasing, false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMinimumHeight(48);
    chart()->setAnimationOptions(QChart::NoAnimation);
    chart()->legend()->hide();
    chart()->setMargins({});
    chart()->setBackgroundRoundness(0);
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    chart()->addAxis(m_time, Qt::AlignBottom);
    chart()->addAxis(m_left, Qt::AlignLeft);
    m_time->setLabelsVisible(false);
    m_left->setLabelsVisible(false); // ours: with units, never elided
    m_time->setTickCount(6);
    m_left->setTickType(QValueAxis::TicksDynamic);
}

QValueAxis *TimeChart::addRightAxis()
{
    m_right = new QValueAxis(this);
    m_right->setTickType(QValueAxis::TicksDynamic);
    m_right->setGridLineVisible(false);
    m_right->setLabelsVisible(false);
    chart()->addAxis(m_right, Qt::AlignRight);
    return m_right;
}

void TimeChart::draw(const ChartFrame &frame)
{
    ++m_drawings;
    if (m_span.seconds != frame.span.seconds || m_drawings == 1)
        m_time->setRange(-frame.span.seconds, 0);
    m_span = frame.span;
    m_marks = frame.marks;
    // All of it, before anything changes: each item that changed afterwards would ask for a paint
    // of its own, which comes after this one.
    scene()->update();
    rebuild(frame);
}

void TimeChart::setCrosshair(std::optional<double> at)
{
    if (m_crosshair == at)
        return;
    m_crosshair = at;
    viewport()->update();
}

void TimeChart::traceSteps(Track &track, const ChartFrame &frame, Value value) const
{
    track.runs.clear();
    bool open = false;
    for (const Column &column : frame.columns) {
        const std::optional<double> y = value(column);
        if (y && !open)
            track.runs.emplace_back();
        open = y.has_value();
        if (!open)
            continue;
        const auto [left, right] = edges(column, frame.span);
        track.runs.back() << QPointF(left, *y) << QPointF(right, *y);
    }
}

void TimeChart::setRange(QValueAxis *axis, double low, double high, double interval)
{
    if (axis->min() == low && axis->max() == high && axis->tickInterval() == interval)
        return; // a new range lays the whole chart out again
    axis->setTickInterval(interval);
    axis->setRange(low, high);
}

QString TimeChart::leftLabel(double value) const
{
    return decimal(value);
}

QString TimeChart::rightLabel(double value) const
{
    return decimal(value);
}

double TimeChart::niceTop(double value)
{
    double decade = 1;
    while (decade * 10 <= value)
        decade *= 10;
    for (const double digit : {1.0, 2.0, 4.0, 6.0, 10.0})
        if (value <= digit * decade)
            return digit * decade;
    return decade * 10;
}

double TimeChart::pixelOf(double at) const
{
    const QRectF plot = chart()->plotArea();
    return plot.right() + (at - m_span.end) / m_span.seconds * plot.width();
}

std::optional<double> TimeChart::timeOf(double pixel) const
{
    const QRectF plot = chart()->plotArea();
    if (plot.width() <= 0 || pixel < plot.left() || pixel > plot.right())
        return std::nullopt;
    return m_span.end + (pixel - plot.right()) / plot.width() * m_span.seconds;
}

void TimeChart::changeEvent(QEvent *event)
{
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        adoptPalette();
    else if (event->type() == QEvent::FontChange)
        adoptFont();
}

void TimeChart::showEvent(QShowEvent *event)
{
    QChartView::showEvent(event);
    adoptPalette();
    adoptFont();
}

void TimeChart::resizeEvent(QResizeEvent *event)
{
    QChartView::resizeEvent(event);
    placePlot();
}

// A fixed plot area lines the charts up; the axes only follow it with the next layout.
void TimeChart::placePlot()
{
    const QMarginsF margins = plotMargins(QFontMetricsF(smaller(font())));
    chart()->setPlotArea(QRectF(viewport()->rect()).marginsRemoved(margins));
    chart()->layout()->setGeometry(chart()->contentsRect());
}

void TimeChart::adoptFont()
{
    placePlot();
    viewport()->update();
}

void TimeChart::adoptPalette()
{
    const ChartColors colors = chartColors(palette());
    if (colors == m_colors)
        return;
    m_colors = colors;
    setBackgroundBrush(colors.ground);
    chart()->setBackgroundBrush(Qt::NoBrush);
    for (QValueAxis *axis : {m_time, m_left, m_right})
        if (axis != nullptr)
            styleAxis(axis);
    recolor();
    Q_EMIT recolored();
}

void TimeChart::styleAxis(QValueAxis *axis)
{
    const QPen thin(m_colors.grid, 1);
    axis->setLinePen(thin);
    axis->setGridLinePen(thin);
    axis->setLineVisible(axis == m_time);
}

void TimeChart::mouseMoveEvent(QMouseEvent *event)
{
    Q_EMIT hovered(timeOf(event->position().x()));
}

void TimeChart::leaveEvent(QEvent *event)
{
    QChartView::leaveEvent(event);
    Q_EMIT hovered(std::nullopt);
}

void TimeChart::keyPressEvent(QKeyEvent *event)
{
    const double step = std::max(1.0, m_span.seconds / 100.0);
    const double from = m_crosshair.value_or(m_span.end);
    const double first = m_span.end - m_span.seconds;
    switch (event->key()) {
    case Qt::Key_Left:
        Q_EMIT hovered(std::clamp(from - step, first, m_span.end));
        return;
    case Qt::Key_Right:
        Q_EMIT hovered(std::clamp(from + step, first, m_span.end));
        return;
    case Qt::Key_T:
        Q_EMIT tableRequested();
        return;
    case Qt::Key_Escape:
        Q_EMIT hovered(std::nullopt);
        return;
    default:
        event->ignore(); // Space pauses, further up
    }
}

} // namespace headway::ui
