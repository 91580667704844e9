// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/timechart.h"

#include <QWidget>

#include <functional>
#include <vector>

namespace headway::ui {

class LegendBar;

// A chart with its legend and the button that shows its figures as a table.
class ChartGroup final : public QWidget
{
    Q_OBJECT

public:
    explicit ChartGroup(TimeChart *chart, QWidget *parent = nullptr); // takes the chart

    // In the legend and, as a chart is opaque to assistive tools, in its description. Null: nothing
    // is known.
    void showReadout(const Column *column);
    // when: names the time of a column.
    void showTable(const std::vector<Column> &columns,
                   const std::function<QString(const Column &)> &when);

    [[nodiscard]] TimeChart *chart() const { return m_chart; }

Q_SIGNALS:
    void tableRequested();

private:
    void showLegend();

    TimeChart *m_chart;
    LegendBar *m_legend;
};

} // namespace headway::ui
