// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>

namespace headway::ui {

// Rows that hold the text in any column; sorted by OrderRole. A ledger may also be filtered by
// record kind.
class TextFilter final : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit TextFilter(QObject *parent = nullptr);

    void setKind(int kind); // alternative of ledger::Body; -1: all

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    int m_kind = -1;
};

} // namespace headway::ui
