// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/timechart.h"

#include <QDialog>

#include <functional>
#include <vector>

class QStandardItemModel;

namespace headway::ui {

// The figures of one chart as a table, as they stand now: a row for each column that is drawn, the
// newest first. For those who read rather than look, and for copying.
class ChartTable final : public QDialog
{
    Q_OBJECT

public:
    // when: names the time of a column.
    ChartTable(const TimeChart &chart, const std::vector<Column> &columns,
               const std::function<QString(const Column &)> &when, QWidget *parent);

private:
    void copyAll();

    QStandardItemModel *m_model;
};

} // namespace headway::ui
