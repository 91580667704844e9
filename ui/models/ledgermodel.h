// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/record.h"
#include "ui/models/tableroles.h"

#include <QAbstractTableModel>

#include <deque>
#include <vector>

namespace headway::ui {

// The newest records, oldest on top; the whole ledger stays on disk. Bounded: what is beyond
// `capacity` leaves at the top.
class LedgerModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Time, Kind, Turn, Who, What, columns };
    enum Role { KindIndexRole = GlyphRole + 1 }; // int, alternative of ledger::Body
    static constexpr std::size_t defaultCapacity = 20'000;

    explicit LedgerModel(std::size_t capacity = defaultCapacity, QObject *parent = nullptr);

    // One insertion and at most one removal, however many records.
    void append(std::vector<ledger::Record> records);

    [[nodiscard]] const ledger::Record *recordAt(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    std::size_t m_capacity;
    std::deque<ledger::Record> m_records;
};

// What every table of records shows of one, and its header; LedgerModel's columns.
[[nodiscard]] QVariant ledgerCell(const ledger::Record &record, int column, int role);
[[nodiscard]] QVariant ledgerHeader(int section, Qt::Orientation orientation, int role);

} // namespace headway::ui
