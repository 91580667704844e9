// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/tableroles.h"

#include <QAbstractTableModel>
#include <QString>
#include <QVariant>

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace headway::ui {

template <typename Row>
struct TableColumn
{
    QString title;
    QString hint; // tool tip of the header
    bool isNumber = false; // right aligned
    std::function<QString(const Row &)> text;
    std::function<QVariant(const Row &)> order; // empty: by text
};

// A table of values with identity. Rows keep their place while they live: a new list removes what
// is gone, changes what changed and appends what is new, so that selection and scrolling stay.
template <typename Row>
class KeyedTable : public QAbstractTableModel
{
public:
    using Key = std::uint64_t;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
    }
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;

    // In the given order for new rows; a repeated key counts once. GUI thread.
    void setRows(const std::vector<Row> &rows);

    [[nodiscard]] const Row *rowAt(int row) const
    {
        return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)] : nullptr;
    }
    [[nodiscard]] int rowOf(Key key) const;

protected:
    KeyedTable(std::function<Key(const Row &)> key, std::vector<TableColumn<Row>> columns,
               QObject *parent)
        : QAbstractTableModel(parent)
        , m_key(std::move(key))
        , m_columns(std::move(columns))
    {
    }

    // Glyph and meaning of a cell; none by default.
    [[nodiscard]] virtual QVariant decoration(const Row &, int /*column*/, int /*role*/) const
    {
        return {};
    }

private:
    void removeAbsent(const std::unordered_map<Key, const Row *> &wanted);
    void changePresent(const std::unordered_map<Key, const Row *> &wanted);
    void appendNew(const std::vector<Row> &rows);

    std::function<Key(const Row &)> m_key;
    std::vector<TableColumn<Row>> m_columns;
    std::vector<Row> m_rows;
};

template <typename Row>
QVariant KeyedTable<Row>::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const TableColumn<Row> &column = m_columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return column.title;
    if (role == Qt::ToolTipRole && !column.hint.isEmpty())
        return column.hint;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((column.isNumber ? Qt::AlignRight : Qt::AlignLeft)
                                   | Qt::AlignVCenter);
    return {};
}

template <typename Row>
QVariant KeyedTable<Row>::data(const QModelIndex &index, int role) const
{
    const Row *row = index.isValid() ? rowAt(index.row()) : nullptr;
    if (row == nullptr || index.column() >= columnCount())
        return {};
    const TableColumn<Row> &column = m_columns[static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        return column.text(*row);
    case OrderRole:
        return column.order ? column.order(*row) : QVariant(column.text(*row));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((column.isNumber ? Qt::AlignRight : Qt::AlignLeft)
                                   | Qt::AlignVCenter);
    default:
        return decoration(*row, index.column(), role);
    }
}

} // namespace headway::ui

#include "ui/models/keyedtablerows.h" // IWYU pragma: export
