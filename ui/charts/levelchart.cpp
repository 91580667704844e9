// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/livecharts.h"
#include "ui/format/figures.h"

#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace headway::ui {

LevelChart::LevelChart(QWidget *parent)
    : TimeChart(tr("Bucket level"), parent)
    , m_level(chart(), timeAxis(), leftAxis(), 1)
    , m_debt(chart(), timeAxis(), leftAxis(), 1)
{
    setRange(leftAxis(), 0, 10, 5);
    m_tracks.resize(1);
}

std::vector<LegendItem> LevelChart::legend() const
{
    using enum LegendItem::Shape;
    return {{Fill, faded(colors().active, 0.35), tr("free"), QStringLiteral("00.0")},
            {Fill, hatched(colors().limit, Hatch::Falling), tr("debt, promised ahead"),
             QStringLiteral("00.0")},
            {Dashes, colors().label, tr("burst"), QStringLiteral("00")}};
}

std::vector<QString> LevelChart::readout(const Column *column) const
{
    const QString burst = m_references.empty() ? unknown() : decimal(m_references.front().y);
    if (column == nullptr || !column->bucketLow)
        return {unknown(), unknown(), burst};
    return {decimal(std::max(0.0, *column->bucketLow)), decimal(std::max(0.0, -*column->bucketLow)),
            burst};
}

void LevelChart::recolor()
{
    m_level.setBrush(0, faded(colors().active, 0.35));
    m_debt.setBrush(0, hatched(colors().limit, Hatch::Falling));
    m_tracks[0].pen = QPen(colors().active, 1);
}

void LevelChart::rebuild(const ChartFrame &frame)
{
    m_level.replace(frame.columns, frame.span, [](const Column &column, std::size_t boundary) {
        return boundary == 0 ? 0.0 : std::max(0.0, column.bucketLow.value_or(0));
    });
    m_debt.replace(frame.columns, frame.span, [](const Column &column, std::size_t boundary) {
        return boundary == 0 ? std::min(0.0, column.bucketLow.value_or(0)) : 0.0;
    });
    traceSteps(m_tracks[0], frame, [](const Column &column) { return column.bucketLow; });
    double low = 0;
    double high = std::max(2.0, frame.references.burst);
    for (const Column &column : frame.columns) {
        low = std::min(low, column.bucketLow.value_or(0));
        high = std::max(high, column.bucketLow.value_or(0));
    }
    m_references.clear();
    if (frame.references.burst > 0)
        m_references.push_back({frame.references.burst});
    const double top = niceTop(high);
    const double bottom = low < 0 ? -niceTop(-low) : 0;
    setRange(leftAxis(), bottom, top, low < 0 ? top : top / 2);
}

} // namespace headway::ui
