// SPDX-License-Identifier: GPL-3.0-or-later
// How KeyedTable takes a new list of rows; included by keyedtable.h alone.
#pragma once

#include "ui/models/keyedtable.h"

#include <iterator>
#include <unordered_set>

namespace headway::ui {

template <typename Row>
int KeyedTable<Row>::rowOf(Key key) const
{
    for (int row = 0; row < rowCount(); ++row)
        if (m_key(*rowAt(row)) == key)
            return row;
    return -1;
}

template <typename Row>
void KeyedTable<Row>::setRows(const std::vector<Row> &rows)
{
    std::unordered_map<Key, const Row *> wanted;
    wanted.reserve(rows.size());
    for (const Row &row : rows)
        wanted.emplace(m_key(row), &row);
    removeAbsent(wanted);
    changePresent(wanted);
    if (wanted.size() != m_rows.size())
        appendNew(rows);
}

template <typename Row>
void KeyedTable<Row>::removeAbsent(const std::unordered_map<Key, const Row *> &wanted)
{
    const auto isAbsent = [&](int row) { return !wanted.contains(m_key(*rowAt(row))); };
    for (int last = rowCount() - 1; last >= 0; --last) {
        if (!isAbsent(last))
            continue;
        int first = last;
        while (first > 0 && isAbsent(first - 1))
            --first;
        beginRemoveRows({}, first, last);
        m_rows.erase(m_rows.begin() + first, m_rows.begin() + last + 1);
        endRemoveRows();
        last = first;
    }
}

template <typename Row>
void KeyedTable<Row>::changePresent(const std::unordered_map<Key, const Row *> &wanted)
{
    int firstChanged = -1;
    int lastChanged = -1;
    for (int row = 0; row < rowCount(); ++row) {
        Row &mine = m_rows[static_cast<std::size_t>(row)];
        const Row &theirs = *wanted.at(m_key(mine));
        if (mine == theirs)
            continue;
        mine = theirs;
        firstChanged = firstChanged < 0 ? row : firstChanged;
        lastChanged = row;
    }
    // One signal for the whole stretch: a view repaints once, not once a row.
    if (firstChanged >= 0)
        Q_EMIT dataChanged(index(firstChanged, 0), index(lastChanged, columnCount() - 1));
}

template <typename Row>
void KeyedTable<Row>::appendNew(const std::vector<Row> &rows)
{
    std::unordered_set<Key> known;
    known.reserve(rows.size());
    for (const Row &row : m_rows)
        known.insert(m_key(row));
    std::vector<Row> fresh;
    for (const Row &row : rows)
        if (known.insert(m_key(row)).second)
            fresh.push_back(row);
    if (fresh.empty())
        return;
    beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(fresh.size()) - 1);
    m_rows.insert(m_rows.end(), std::make_move_iterator(fresh.begin()),
                  std::make_move_iterator(fresh.end()));
    endInsertRows();
}

} // namespace headway::ui
