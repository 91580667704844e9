// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chartgroup.h"

#include "ui/charts/legendbar.h"
#include "ui/views/charttable.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headway::ui {

ChartGroup::ChartGroup(TimeChart *chart, QWidget *parent)
    : QWidget(parent)
    , m_chart(chart)
    , m_legend(new LegendBar(chart->accessibleName(), this))
{
    auto *table = new QToolButton(this);
    table->setObjectName(QStringLiteral("show_table"));
    table->setText(QStringLiteral("≡"));
    table->setAutoRaise(true);
    table->setFocusPolicy(Qt::TabFocus);
    table->setAccessibleName(tr("%1: show as table").arg(chart->accessibleName()));
    table->setToolTip(tr("Shows these figures as a table (T on the chart)"));
    auto *line = new QHBoxLayout;
    line->setSpacing(0);
    line->addWidget(m_legend, 1);
    line->addWidget(table);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(line);
    layout->addWidget(m_chart, 1);
    connect(table, &QToolButton::clicked, this, &ChartGroup::tableRequested);
    connect(m_chart, &TimeChart::tableRequested, this, &ChartGroup::tableRequested);
    connect(m_chart, &TimeChart::recolored, this, &ChartGroup::showLegend);
    showLegend();
}

void ChartGroup::showLegend()
{
    m_legend->setItems(m_chart->legend());
}

void ChartGroup::showReadout(const Column *column)
{
    std::vector<QString> values = m_chart->readout(column);
    const std::vector<LegendItem> items = m_chart->legend();
    QStringList spoken;
    for (std::size_t i = 0; i < std::min(values.size(), items.size()); ++i)
        spoken << items[i].name + u' ' + values[i];
    m_chart->setAccessibleDescription(spoken.join(QStringLiteral(", ")));
    m_legend->setValues(std::move(values));
}

void ChartGroup::showTable(const std::vector<Column> &columns,
                           const std::function<QString(const Column &)> &when)
{
    auto *table = new ChartTable(*m_chart, columns, when, this);
    table->open();
}

} // namespace headway::ui
