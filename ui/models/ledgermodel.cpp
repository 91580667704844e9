// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/ledgermodel.h"

#include "ui/format/figures.h"
#include "ui/models/recordwords.h"

#include <algorithm>
#include <iterator>

namespace headway::ui {

namespace {

QString cell(const ledger::Record &record, int column)
{
    switch (column) {
    case LedgerModel::Time:
        return clockTimeMs(record.at);
    case LedgerModel::Kind:
        return recordKind(record);
    case LedgerModel::Turn:
        return record.turn.value() == 0 ? unknown() : requestId(record.turn.value());
    case LedgerModel::Who:
        return record.session.empty() && record.agent.empty()
            ? unknown()
            : agentWords(record.session, record.agent);
    case LedgerModel::What:
        return recordWords(record).text;
    default:
        return {};
    }
}

QVariant order(const ledger::Record &record, int column)
{
    switch (column) {
    case LedgerModel::Time:
        return QVariant::fromValue<qlonglong>(record.at.time_since_epoch().count());
    case LedgerModel::Turn:
        return QVariant::fromValue<qulonglong>(record.turn.value());
    default:
        return cell(record, column);
    }
}

QVariant decoration(const ledger::Record &record, int role)
{
    const Word word = recordWords(record);
    return role == GlyphRole ? QVariant(QString(QChar(word.glyph)))
                             : QVariant(static_cast<int>(word.meaning));
}

} // namespace

LedgerModel::LedgerModel(std::size_t capacity, QObject *parent)
    : QAbstractTableModel(parent)
    , m_capacity(std::max<std::size_t>(capacity, 1))
{
}

void LedgerModel::append(std::vector<ledger::Record> records)
{
    if (records.size() > m_capacity)
        records.erase(records.begin(), records.end() - static_cast<std::ptrdiff_t>(m_capacity));
    if (records.empty())
        return;
    const std::size_t total = m_records.size() + records.size();
    if (total > m_capacity) {
        const auto surplus = static_cast<std::ptrdiff_t>(total - m_capacity);
        beginRemoveRows({}, 0, static_cast<int>(surplus) - 1);
        m_records.erase(m_records.begin(), m_records.begin() + surplus);
        endRemoveRows();
    }
    const int first = rowCount();
    beginInsertRows({}, first, first + static_cast<int>(records.size()) - 1);
    std::move(records.begin(), records.end(), std::back_inserter(m_records));
    endInsertRows();
}

const ledger::Record *LedgerModel::recordAt(int row) const
{
    return row >= 0 && row < rowCount() ? &m_records[static_cast<std::size_t>(row)] : nullptr;
}

int LedgerModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_records.size());
}

int LedgerModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(columns);
}

QVariant LedgerModel::data(const QModelIndex &index, int role) const
{
    const ledger::Record *record = index.isValid() ? recordAt(index.row()) : nullptr;
    return record == nullptr ? QVariant() : ledgerCell(*record, index.column(), role);
}

QVariant ledgerCell(const ledger::Record &record, int column, int role)
{
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        return cell(record, column);
    case OrderRole:
        return order(record, column);
    case LedgerModel::KindIndexRole:
        return static_cast<int>(record.body.index());
    case GlyphRole:
    case MeaningRole:
        return column == LedgerModel::What ? decoration(record, role) : QVariant();
    default:
        return {};
    }
}

QVariant LedgerModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    return ledgerHeader(section, orientation, role);
}

QVariant ledgerHeader(int section, Qt::Orientation orientation, int role)
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const QStringList titles{LedgerModel::tr("Time"), LedgerModel::tr("Kind"),
                             LedgerModel::tr("Turn"), LedgerModel::tr("Agent · session"),
                             LedgerModel::tr("What")};
    return titles.value(section);
}

} // namespace headway::ui
