// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chartstack.h"

#include "ui/charts/legendbar.h"
#include "ui/charts/timescale.h"

#include <QChart>
#include <QVBoxLayout>

#include <algorithm>

namespace headway::ui {

ChartStack::ChartStack(QWidget *parent)
    : QWidget(parent)
    , m_scale(new TimeScale(this))
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 4, 4, 2);
    layout->setSpacing(0);
    addChart(new StartsChart(this));
    addChart(new WaitChart(this));
    addChart(new ReuseChart(this));
    addChart(new LevelChart(this));
    layout->addWidget(m_scale);
    showLegends();
}

void ChartStack::addChart(TimeChart *chart)
{
    auto *legend = new LegendBar(chart->accessibleName(), this);
    auto *box = static_cast<QVBoxLayout *>(layout());
    box->addWidget(legend);
    box->addWidget(chart, 1);
    m_charts.push_back(chart);
    m_legends.push_back(legend);
    connect(chart, &TimeChart::hovered, this, &ChartStack::moveCrosshair);
    connect(chart, &TimeChart::recolored, this, &ChartStack::showLegends);
}

void ChartStack::draw(const SecondRing &ring, const Span &span, const References &references,
                      const std::vector<TimeMark> &marks, bool paused)
{
    const double plot = m_charts.front()->chart()->plotArea().width();
    buildColumns(ring, span, columnWidth(span.seconds, std::max(1, static_cast<int>(plot))),
                 m_columns);
    for (TimeChart *chart : m_charts)
        chart->draw({m_columns, span, marks, references});
    m_scale->setSpan(span, paused);
    showReadouts();
}

double ChartStack::secondsPerPixel(int spanSeconds) const
{
    return spanSeconds / std::max(1.0, m_charts.front()->chart()->plotArea().width());
}

void ChartStack::moveCrosshair(std::optional<double> at)
{
    m_crosshair = at;
    for (TimeChart *chart : m_charts)
        chart->setCrosshair(at);
    showReadouts();
    Q_EMIT crosshairMoved(at);
}

void ChartStack::showLegends()
{
    for (std::size_t i = 0; i < m_charts.size(); ++i)
        m_legends[i]->setItems(m_charts[i]->legend());
}

void ChartStack::showReadouts()
{
    const Column *column = m_crosshair ? columnAt(*m_crosshair) : newestColumn();
    for (std::size_t i = 0; i < m_charts.size(); ++i) {
        std::vector<QString> values = m_charts[i]->readout(column);
        const std::vector<LegendItem> items = m_charts[i]->legend();
        QStringList spoken;
        for (std::size_t k = 0; k < std::min(values.size(), items.size()); ++k)
            spoken << items[k].name + u' ' + values[k];
        // A chart is opaque to assistive tools; its figures are not.
        m_charts[i]->setAccessibleDescription(spoken.join(QStringLiteral(", ")));
        m_legends[i]->setValues(std::move(values));
    }
}

const Column *ChartStack::columnAt(double at) const
{
    for (const Column &column : m_columns)
        if (at >= static_cast<double>(column.second)
            && at < static_cast<double>(column.second + column.width))
            return &column;
    return nullptr;
}

const Column *ChartStack::newestColumn() const
{
    const auto newest = std::find_if(m_columns.rbegin(), m_columns.rend(),
                                     [](const Column &column) { return column.reported > 0; });
    return newest == m_columns.rend() ? nullptr : &*newest;
}

} // namespace headway::ui
