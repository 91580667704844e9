// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/textfilter.h"

#include "ui/models/ledgermodel.h"

namespace headway::ui {

TextFilter::TextFilter(QObject *parent)
    : QSortFilterProxyModel(parent)
{
    setFilterKeyColumn(-1);
    setFilterCaseSensitivity(Qt::CaseInsensitive);
    setSortRole(OrderRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
}

void TextFilter::setKind(int kind)
{
    if (m_kind == kind)
        return;
    m_kind = kind;
    invalidateRowsFilter();
}

bool TextFilter::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    if (m_kind >= 0
        && sourceModel()->index(row, 0, parent).data(LedgerModel::KindIndexRole).toInt() != m_kind)
        return false;
    return QSortFilterProxyModel::filterAcceptsRow(row, parent);
}

} // namespace headway::ui
