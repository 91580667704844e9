// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/minutemodel.h"

#include "ui/format/evidencewords.h"
#include "ui/format/figures.h"
#include "ui/format/palette.h"

#include <QStringList>

#include <map>

namespace headway::ui {

namespace {

QString why(const ledger::EvidenceMinute &minute, bool isAbove)
{
    QStringList all;
    if (isAbove)
        all += MinuteModel::tr("opened more than was set");
    if (minute.rejected > 0)
        all += MinuteModel::tr("rejected %1").arg(statusWords(minute));
    return all.join(QStringLiteral(" · "));
}

QString cell(const ledger::EvidenceMinute &minute, bool isAbove, int column)
{
    switch (column) {
    case MinuteModel::Minute:
        return minuteClock(minute.begin);
    case MinuteModel::Opened:
        return count(minute.opened);
    case MinuteModel::Set:
        return decimal(minute.rate);
    case MinuteModel::Rejected:
        return count(minute.rejected);
    case MinuteModel::Why:
        return why(minute, isAbove);
    default:
        return {};
    }
}

QVariant order(const ledger::EvidenceMinute &minute, bool isAbove, int column)
{
    switch (column) {
    case MinuteModel::Minute:
        return QVariant::fromValue<qlonglong>(minute.begin.time_since_epoch().count());
    case MinuteModel::Opened:
        return QVariant::fromValue<qulonglong>(minute.opened);
    case MinuteModel::Set:
        return minute.rate;
    case MinuteModel::Rejected:
        return QVariant::fromValue<qulonglong>(minute.rejected);
    default:
        return cell(minute, isAbove, column);
    }
}

} // namespace

MinuteModel::MinuteModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void MinuteModel::show(const ledger::Evidence &evidence)
{
    std::map<base::WallTime, Row> rows; // a minute may be of both kinds
    for (const ledger::EvidenceMinute &minute : evidence.rejecting)
        rows[minute.begin] = {minute, false};
    for (const ledger::EvidenceMinute &minute : evidence.above)
        rows[minute.begin] = {minute, true};
    beginResetModel();
    m_rows.clear();
    for (auto &[begin, row] : rows)
        m_rows.push_back(std::move(row));
    endResetModel();
}

int MinuteModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int MinuteModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(columns);
}

QVariant MinuteModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        return cell(row.minute, row.isAbove, index.column());
    case OrderRole:
        return order(row.minute, row.isAbove, index.column());
    case GlyphRole:
        return index.column() == Why ? QVariant(QString(
                   QChar(row.minute.rejected > 0 ? sign(Meaning::Limit).glyph : warningGlyph)))
                                     : QVariant();
    case MeaningRole:
        return static_cast<int>(row.minute.rejected > 0 ? Meaning::Limit : Meaning::Waiting);
    default:
        return {};
    }
}

QVariant MinuteModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const QStringList titles{tr("Minute"), tr("Opened"), tr("Set"), tr("Rejected"), tr("Why here")};
    return titles.value(section);
}

} // namespace headway::ui
