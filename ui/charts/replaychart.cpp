// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/replaychart.h"

#include "ui/format/figures.h"

#include <QValueAxis>

#include <algorithm>

namespace headway::ui {

ReplayChart::ReplayChart(const QString &name, Unit unit, QWidget *parent)
    : TimeChart(name, parent)
    , m_unit(unit)
    , m_area(chart(), timeAxis(), leftAxis(), 1)
{
    setRange(leftAxis(), 0, 2, 1);
    m_tracks.resize(1);
}

void ReplayChart::showCurves(const std::vector<double> &before, const std::vector<double> &after)
{
    m_before = before;
    m_after = after;
    const std::size_t values = std::min(m_before.size(), m_after.size());
    m_columns.resize(values);
    for (std::size_t i = 0; i < values; ++i) {
        m_columns[i].second = static_cast<std::int64_t>(i);
        m_columns[i].reported = 1;
    }
    const auto end = static_cast<int>(values);
    draw({m_columns, {static_cast<double>(end), end}, {}, {}});
}

QString ReplayChart::worded(double value) const
{
    switch (m_unit) {
    case Unit::PerSecond:
        return value == 0 ? decimal(value) : tr("%1/s").arg(decimal(value));
    case Unit::Seconds:
        return value == 0 ? decimal(value) : tr("%1 s").arg(decimal(value));
    case Unit::Turns:
        break;
    }
    return decimal(value);
}

QString ReplayChart::leftLabel(double value) const
{
    return worded(value);
}

std::vector<LegendItem> ReplayChart::legend() const
{
    using enum LegendItem::Shape;
    return {{Fill, faded(colors().done, 0.45), tr("in force"), QStringLiteral("000.0 s")},
            {Line, colors().active, tr("tried"), QStringLiteral("000.0 s")}};
}

std::vector<QString> ReplayChart::readout(const Column *column) const
{
    if (column == nullptr || column->second < 0
        || column->second >= static_cast<std::int64_t>(m_columns.size()))
        return {unknown(), unknown()};
    const auto i = static_cast<std::size_t>(column->second);
    return {worded(m_before[i]), worded(m_after[i])};
}

void ReplayChart::recolor()
{
    m_area.setBrush(0, faded(colors().done, 0.45));
    m_tracks[0].pen = QPen(colors().active, 1);
}

void ReplayChart::rebuild(const ChartFrame &frame)
{
    m_area.replace(frame.columns, frame.span, [this](const Column &column, std::size_t boundary) {
        return boundary == 0 ? 0.0 : m_before[static_cast<std::size_t>(column.second)];
    });
    QPolygonF line;
    double top = 1;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        const auto [left, right] = edges(m_columns[i], frame.span);
        line << QPointF(left, m_after[i]) << QPointF(right, m_after[i]);
        top = std::max({top, m_before[i], m_after[i]});
    }
    m_tracks[0].runs = {line};
    top = niceTop(top * 1.05);
    setRange(leftAxis(), 0, top, top / 2);
}

} // namespace headway::ui
