// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/charttable.h"

#include "ui/panels/recordtable.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QStandardItemModel>
#include <QVBoxLayout>

namespace headway::ui {

namespace {

QStandardItem *cell(const QString &text, bool isNumber)
{
    auto *item = new QStandardItem(text);
    item->setEditable(false);
    item->setTextAlignment((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return item;
}

} // namespace

ChartTable::ChartTable(const TimeChart &chart, const std::vector<Column> &columns,
                       const std::function<QString(const Column &)> &when, QWidget *parent)
    : QDialog(parent)
    , m_model(new QStandardItemModel(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("chart_table"));
    setWindowTitle(chart.accessibleName());
    QStringList titles{tr("Time")};
    for (const LegendItem &item : chart.legend())
        titles << item.name;
    m_model->setHorizontalHeaderLabels(titles);
    for (auto column = columns.rbegin(); column != columns.rend(); ++column) {
        QList<QStandardItem *> row{cell(when(*column), false)};
        for (const QString &value : chart.readout(&*column))
            row << cell(value, true);
        m_model->appendRow(row);
    }
    auto *table = new RecordTable(
        windowTitle(), std::vector<int>(static_cast<std::size_t>(titles.size()), 16), 0, this);
    table->setObjectName(QStringLiteral("chart_table_rows"));
    table->setModel(m_model);
    table->setSortingEnabled(false);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    QPushButton *copy = buttons->addButton(tr("Copy all"), QDialogButtonBox::ActionRole);
    copy->setObjectName(QStringLiteral("chart_table_copy"));
    connect(copy, &QPushButton::clicked, this, &ChartTable::copyAll);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(table, 1);
    layout->addWidget(buttons);
    resize(fontMetrics().averageCharWidth() * 90, fontMetrics().height() * 26);
}

// With tabs, as spreadsheets take it.
void ChartTable::copyAll()
{
    QString text;
    for (int row = -1; row < m_model->rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < m_model->columnCount(); ++column)
            cells << (row < 0 ? m_model->headerData(column, Qt::Horizontal).toString()
                              : m_model->index(row, column).data().toString());
        text += cells.join(u'\t') + u'\n';
    }
    QApplication::clipboard()->setText(text);
}

} // namespace headway::ui
