// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/livecharts.h"
#include "ui/format/figures.h"

#include <QValueAxis>

namespace headway::ui {

namespace {

std::optional<double> inPercent(const std::optional<double> &ratio)
{
    return ratio ? std::optional(*ratio * 100) : std::nullopt;
}

} // namespace

ReuseChart::ReuseChart(QWidget *parent)
    : TimeChart(tr("Reuse"), parent)
    , m_reuse(chart(), timeAxis(), leftAxis(), 1)
{
    setRange(leftAxis(), 0, 100, 50);
    m_tracks.resize(2);
}

QString ReuseChart::leftLabel(double value) const
{
    return percent(value / 100);
}

std::vector<LegendItem> ReuseChart::legend() const
{
    using enum LegendItem::Shape;
    return {{Line, colors().active, tr("turns continued"), QStringLiteral("000 %")},
            {Dashes, colors().text, tr("input tokens cached"), QStringLiteral("000 %")},
            {Triangle, colors().waiting, tr("warnings"), QStringLiteral("0")}};
}

std::vector<QString> ReuseChart::readout(const Column *column) const
{
    if (column == nullptr)
        return std::vector<QString>(3, unknown());
    return {percent(column->reuse), percent(column->cached),
            column->reported > 0 ? count(column->warnings) : unknown()};
}

void ReuseChart::recolor()
{
    m_reuse.setBrush(0, faded(colors().active, 0.18));
    m_tracks[0].pen = QPen(colors().active, 1);
    m_tracks[1].pen = QPen(colors().text, 1, Qt::DashLine);
}

void ReuseChart::rebuild(const ChartFrame &frame)
{
    m_reuse.replace(frame.columns, frame.span, [](const Column &column, std::size_t boundary) {
        return boundary == 0 ? 0.0 : column.reuse.value_or(0) * 100;
    });
    traceSteps(m_tracks[0], frame, [](const Column &column) { return inPercent(column.reuse); });
    traceSteps(m_tracks[1], frame, [](const Column &column) { return inPercent(column.cached); });
    m_symbols.clear();
    for (const Column &column : frame.columns) {
        const auto [left, right] = edges(column, frame.span);
        if (column.warnings > 0)
            m_symbols.push_back(
                {(left + right) / 2, LegendItem::Shape::Triangle, colors().waiting});
    }
}

} // namespace headway::ui
