// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/livecharts.h"
#include "ui/format/figures.h"

#include <QValueAxis>

#include <algorithm>

namespace headway::ui {

StartsChart::StartsChart(QWidget *parent)
    : TimeChart(tr("Turn starts/s"), parent)
    , m_areas(chart(), timeAxis(), leftAxis(), startKinds)
{
    setRange(leftAxis(), 0, 2, 1);
}

QString StartsChart::leftLabel(double value) const
{
    return tr("%1/s").arg(decimal(value));
}

std::vector<LegendItem> StartsChart::legend() const
{
    using enum LegendItem::Shape;
    const auto fill = [this](StartKind kind, const QString &name) {
        return LegendItem{Fill, kindBrush(kind, colors()), name, QStringLiteral("0.0")};
    };
    return {fill(StartKind::Continued, tr("continued")),
            fill(StartKind::LaneOrSpare, tr("lane, spare")),
            fill(StartKind::OpenedAtOnce, tr("opened")),
            fill(StartKind::OpenedAfterWait, tr("opened after wait")),
            fill(StartKind::Refused, tr("refused")),
            {Diamond, colors().limit, tr("rejected"), QStringLiteral("0")}};
}

std::vector<QString> StartsChart::readout(const Column *column) const
{
    std::vector<QString> texts(startKinds + 1, unknown());
    if (column == nullptr || column->reported == 0)
        return texts;
    for (std::size_t kind = 0; kind < startKinds; ++kind)
        texts[kind] = perSecond(column->startsPerSecond[kind]);
    texts[startKinds] = count(column->rejections);
    return texts;
}

void StartsChart::recolor()
{
    for (std::size_t kind = 0; kind < startKinds; ++kind)
        m_areas.setBrush(kind, kindBrush(static_cast<StartKind>(kind), colors()));
}

void StartsChart::rebuild(const ChartFrame &frame)
{
    m_areas.replace(frame.columns, frame.span, [](const Column &column, std::size_t boundary) {
        double sum = 0;
        for (std::size_t kind = 0; kind < boundary; ++kind)
            sum += column.startsPerSecond[kind];
        return sum;
    });
    m_symbols.clear();
    double top = 2;
    for (const Column &column : frame.columns) {
        double sum = 0;
        for (const double kind : column.startsPerSecond)
            sum += kind;
        top = std::max(top, sum);
        const auto [left, right] = edges(column, frame.span);
        if (column.rejections > 0)
            m_symbols.push_back({(left + right) / 2, LegendItem::Shape::Diamond, colors().limit});
    }
    top = niceTop(top * 1.05);
    setRange(leftAxis(), 0, top, top / 2);
}

} // namespace headway::ui
