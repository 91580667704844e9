// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/livecharts.h"
#include "ui/format/figures.h"

#include <QValueAxis>

#include <algorithm>

namespace headway::ui {

namespace {

std::optional<double> seconds(const std::optional<double> &milliseconds)
{
    return milliseconds ? std::optional(*milliseconds / 1000) : std::nullopt;
}

} // namespace

WaitChart::WaitChart(QWidget *parent)
    : TimeChart(tr("Wait for admission"), parent)
    , m_queueAxis(addRightAxis())
    , m_queue(chart(), timeAxis(), m_queueAxis, 1)
    , m_p95(chart(), timeAxis(), leftAxis(), 1)
{
    setRange(leftAxis(), 0, 2, 1);
    setRange(m_queueAxis, 0, 10, 5);
    m_tracks.resize(2);
    m_tracks[1].dots = true;
}

QString WaitChart::leftLabel(double value) const
{
    return value == 0 ? QStringLiteral("0") : duration(value * 1000);
}

std::vector<LegendItem> WaitChart::legend() const
{
    using enum LegendItem::Shape;
    return {{Line, colors().waiting, tr("p50"), QStringLiteral("000 ms")},
            {Fill, faded(colors().waiting, 0.3), tr("p95"), QStringLiteral("000 ms")},
            {Dots, colors().text, tr("max"), QStringLiteral("000 ms")},
            {Fill, faded(colors().done, 0.25), tr("queue (right)"), QStringLiteral("00")}};
}

std::vector<QString> WaitChart::readout(const Column *column) const
{
    if (column == nullptr)
        return std::vector<QString>(4, unknown());
    return {duration(column->waitP50), duration(column->waitP95), duration(column->waitMax),
            decimal(column->queue)};
}

void WaitChart::recolor()
{
    m_queue.setBrush(0, faded(colors().done, 0.25));
    m_p95.setBrush(0, faded(colors().waiting, 0.3));
    m_tracks[0].pen = QPen(colors().waiting, 1);
    m_tracks[1].pen = QPen(colors().text, 1);
}

void WaitChart::rebuild(const ChartFrame &frame)
{
    m_queue.replace(frame.columns, frame.span, [](const Column &column, std::size_t boundary) {
        return boundary == 0 ? 0.0 : column.queue.value_or(0);
    });
    m_p95.replace(frame.columns, frame.span, [](const Column &column, std::size_t boundary) {
        return boundary == 0 ? 0.0 : column.waitP95.value_or(0) / 1000;
    });
    traceSteps(m_tracks[0], frame, [](const Column &column) { return seconds(column.waitP50); });
    traceSteps(m_tracks[1], frame, [](const Column &column) { return seconds(column.waitMax); });
    double longest = 1;
    double queue = 4;
    for (const Column &column : frame.columns) {
        longest = std::max(longest, column.waitMax.value_or(0) / 1000);
        queue = std::max(queue, column.queue.value_or(0));
    }
    const double top = niceTop(longest * 1.05);
    setRange(leftAxis(), 0, top, top / 2);
    const double queueTop = niceTop(queue * 1.05);
    setRange(m_queueAxis, 0, queueTop, queueTop / 2);
}

} // namespace headway::ui
