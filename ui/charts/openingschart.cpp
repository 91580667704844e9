// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/livecharts.h"
#include "ui/format/figures.h"

#include <QValueAxis>

#include <algorithm>

namespace headway::ui {

namespace {

std::optional<double> spacedPerMinute(const Column &column)
{
    constexpr double minute = 60'000;
    return column.spacing ? std::optional(minute / *column.spacing) : std::nullopt;
}

} // namespace

OpeningsChart::OpeningsChart(QWidget *parent)
    : TimeChart(tr("Openings in the last minute"), parent)
    , m_openings(chart(), timeAxis(), leftAxis(), 1)
{
    setRange(leftAxis(), 0, 10, 5);
    m_tracks.resize(2);
}

std::vector<LegendItem> OpeningsChart::legend() const
{
    using enum LegendItem::Shape;
    return {{Fill, faded(colors().active, 0.35), tr("opened"), QStringLiteral("000")},
            {Dashes, colors().limit, tr("learned ceiling, an estimate"), QStringLiteral("000.0")},
            {Line, colors().label, tr("as spaced"), QStringLiteral("00.0 s")}};
}

std::vector<QString> OpeningsChart::readout(const Column *column) const
{
    if (column == nullptr)
        return {unknown(), unknown(), unknown()};
    return {decimal(column->openedInMinute), decimal(column->ceiling), duration(column->spacing)};
}

void OpeningsChart::recolor()
{
    m_openings.setBrush(0, faded(colors().active, 0.35));
    m_tracks[0].pen = QPen(colors().limit, 1, Qt::DashLine);
    m_tracks[1].pen = QPen(colors().label, 1);
}

void OpeningsChart::rebuild(const ChartFrame &frame)
{
    m_openings.replace(frame.columns, frame.span, [](const Column &column, std::size_t boundary) {
        return boundary == 0 ? 0.0 : column.openedInMinute.value_or(0);
    });
    traceSteps(m_tracks[0], frame, [](const Column &column) { return column.ceiling; });
    traceSteps(m_tracks[1], frame, spacedPerMinute);
    double top = 10;
    for (const Column &column : frame.columns)
        top = std::max({top, column.openedInMinute.value_or(0), column.ceiling.value_or(0),
                        spacedPerMinute(column).value_or(0)});
    top = niceTop(top * 1.05);
    setRange(leftAxis(), 0, top, top / 2);
}

} // namespace headway::ui
