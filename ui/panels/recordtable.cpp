// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/recordtable.h"

#include "ui/panels/signdelegate.h"

#include <QEvent>
#include <QHeaderView>

namespace headway::ui {

RecordTable::RecordTable(const QString &name, std::vector<int> characters, int wide,
                         QWidget *parent)
    : QTableView(parent)
    , m_characters(std::move(characters))
    , m_wide(wide)
{
    setAccessibleName(name);
    setItemDelegate(new SignDelegate(this));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTabKeyNavigation(false); // Tab leaves the table
    setAlternatingRowColors(true);
    setShowGrid(false);
    setWordWrap(false);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsMovable(true);
    setCornerButtonEnabled(false);
}

void RecordTable::setModel(QAbstractItemModel *model)
{
    QTableView::setModel(model);
    setSortingEnabled(true);
    horizontalHeader()->setSortIndicatorClearable(true);
    sortByColumn(-1, Qt::AscendingOrder); // as the model has them, until somebody sorts
    horizontalHeader()->setSectionResizeMode(m_wide, QHeaderView::Stretch);
    sizeColumns();
}

void RecordTable::resetColumns()
{
    for (int column = 0; column < horizontalHeader()->count(); ++column)
        horizontalHeader()->moveSection(horizontalHeader()->visualIndex(column), column);
    sortByColumn(-1, Qt::AscendingOrder);
    sizeColumns();
}

void RecordTable::changeEvent(QEvent *event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        sizeColumns();
}

void RecordTable::sizeColumns()
{
    const int character = fontMetrics().averageCharWidth();
    verticalHeader()->setDefaultSectionSize(static_cast<int>(fontMetrics().height() * 1.5));
    for (std::size_t column = 0; column < m_characters.size(); ++column)
        setColumnWidth(static_cast<int>(column), m_characters[column] * character);
}

} // namespace headway::ui
