// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

#include <vector>

namespace headway::ui {

// The look and feel of every table: whole rows, sortable, no grid, elided, columns sized in
// characters so that a larger font widens them.
class RecordTable final : public QTableView
{
    Q_OBJECT

public:
    // characters: width of each column; the column `wide` takes what is left.
    RecordTable(const QString &name, std::vector<int> characters, int wide,
                QWidget *parent = nullptr);

    void setModel(QAbstractItemModel *model) override;

    void resetColumns(); // order, widths and sorting as they came
    // Lays out now what came and went; else that is done while painting, and painted once more.
    void settle() { executeDelayedItemsLayout(); }

protected:
    void changeEvent(QEvent *event) override;

private:
    void sizeColumns();

    std::vector<int> m_characters; // by column
    int m_wide;
};

} // namespace headway::ui
