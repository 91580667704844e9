// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/evidence.h"
#include "ui/models/tableroles.h"

#include <QAbstractTableModel>

#include <vector>

namespace headway::ui {

// The minutes that stand out in the evidence behind a rate: those that opened more than was set,
// and those with rejections; in their order.
class MinuteModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Minute, Opened, Set, Rejected, Why, columns };

    explicit MinuteModel(QObject *parent = nullptr);

    void show(const ledger::Evidence &evidence);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    struct Row
    {
        ledger::EvidenceMinute minute;
        bool isAbove = false;
    };

    std::vector<Row> m_rows;
};

} // namespace headway::ui
