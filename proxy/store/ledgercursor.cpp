// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgercursor.h"

#include "proxy/core/ledger/text.h"
#include "proxy/store/ledgerschema.h"

#include <QSqlError>
#include <QStringList>
#include <QVariant>

#include <algorithm>
#include <utility>

namespace headway::store {

namespace {

using ledger::Type;
using ledger::Value;

// A cell as its column wants it. A database may hold anything in any column: what does not fit is
// nothing.
Value cellOf(Type type, const QVariant &stored, QByteArray &text)
{
    switch (type) {
    case Type::Time:
    case Type::Turn:
    case Type::Text:
        if (stored.isNull())
            return {};
        text = stored.toByteArray();
        return std::string_view(text.constData(), static_cast<std::size_t>(text.size()));
    case Type::Integer:
        if (stored.typeId() != QMetaType::LongLong)
            return {};
        return std::int64_t{stored.toLongLong()};
    case Type::Flag:
        if (stored.typeId() != QMetaType::LongLong)
            return {};
        return stored.toLongLong() != 0;
    case Type::Real:
        if (stored.typeId() != QMetaType::Double)
            return {};
        return stored.toDouble();
    }
    return {};
}

QString conditionOf(const LedgerSpan &span)
{
    QString condition = QStringLiteral("\"seq\" BETWEEN ? AND ?");
    if (span.since)
        condition += QLatin1String(" AND \"time\" >= ?");
    if (span.until)
        condition += QLatin1String(" AND \"time\" < ?");
    if (span.only.empty())
        return condition;
    QStringList numbers;
    for (const qint64 seq : span.only)
        numbers += QString::number(seq);
    return condition + QStringLiteral(" AND \"seq\" IN (%1)").arg(numbers.join(u','));
}

} // namespace

LedgerCursor::LedgerCursor(QString path)
    : m_path(std::move(path))
{
}

tl::expected<LedgerCursor, StoreError> LedgerCursor::open(const SqlConnection &connection,
                                                          const LedgerSpan &span)
{
    LedgerCursor cursor(connection.path());
    const auto kinds = ledger::kinds();
    cursor.m_sources.reserve(kinds.size());
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (!span.kinds.empty() && std::ranges::find(span.kinds, i) == span.kinds.end())
            continue;
        if (auto added = cursor.add(connection, kinds[i], span); !added)
            return tl::unexpected(added.error());
    }
    return cursor;
}

tl::expected<void, StoreError> LedgerCursor::add(const SqlConnection &connection,
                                                 const ledger::Kind &kind, const LedgerSpan &span)
{
    Source source{.kind = &kind,
                  .query = connection.query(),
                  .texts = std::vector<QByteArray>(kind.columns.size()),
                  .cells = std::vector<Value>(kind.columns.size())};
    source.query.setForwardOnly(true);
    source.query.prepare(selectStatement(connection, kind, conditionOf(span)));
    source.query.addBindValue(span.fromSeq);
    source.query.addBindValue(span.toSeq);
    for (const auto &bound : {span.since, span.until}) {
        if (bound)
            source.query.addBindValue(QString::fromStdString(ledger::timeText(*bound)));
    }
    if (!source.query.exec())
        return tl::unexpected(storeError(source.query.lastError(), m_path));
    if (auto first = advance(source); !first)
        return first;
    m_sources.push_back(std::move(source));
    return {};
}

tl::expected<bool, StoreError> LedgerCursor::next()
{
    if (m_current != nullptr) {
        if (auto advanced = advance(*m_current); !advanced)
            return tl::unexpected(advanced.error());
    }
    m_current = nullptr;
    for (Source &source : m_sources) {
        if (!source.atEnd && (m_current == nullptr || source.seq < m_current->seq))
            m_current = &source;
    }
    if (m_current == nullptr)
        return false;
    readCells(*m_current);
    return true;
}

ledger::Record LedgerCursor::record() const
{
    ledger::Record record = m_current->kind->blank();
    for (std::size_t i = 0; i < m_current->cells.size(); ++i)
        m_current->kind->columns[i].set(record, m_current->cells[i]);
    return record;
}

tl::expected<void, StoreError> LedgerCursor::advance(Source &source)
{
    source.atEnd = !source.query.next();
    if (!source.atEnd)
        source.seq = source.query.value(0).toLongLong();
    else if (source.query.lastError().isValid())
        return tl::unexpected(storeError(source.query.lastError(), m_path));
    return {};
}

void LedgerCursor::readCells(Source &source)
{
    for (std::size_t i = 0; i < source.cells.size(); ++i) {
        source.cells[i] = cellOf(source.kind->columns[i].type,
                                 source.query.value(static_cast<int>(i) + 1), source.texts[i]);
    }
}

} // namespace headway::store
