// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgersearch.h"

#include "proxy/core/ledger/columns.h"
#include "proxy/store/ledgerreader.h"
#include "proxy/store/ledgerschema.h"

#include <QSqlError>
#include <QStringList>
#include <QVariant>

#include <algorithm>
#include <charconv>

namespace headway::store {

namespace {

using ledger::Type;

QString quoted(std::string_view name)
{
    return u'"' + QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size())) + u'"';
}

// A pattern of LIKE, escaped by a backslash.
QString patternOf(const QString &words)
{
    QString pattern = words;
    for (const QChar special : {u'\\', u'%', u'_'})
        pattern.replace(special, QString(u'\\') + special);
    pattern.replace(u' ', u'_'); // any one character
    return u'%' + pattern + u'%';
}

// The condition with ? for its values, which are appended.
QString conditionOf(const ledger::Kind &kind, const QString &words, QVariantList &values)
{
    if (words.isEmpty())
        return {};
    bool isWhole = false;
    const qlonglong number = words.toLongLong(&isWhole);
    const QString pattern = patternOf(words);
    QStringList parts;
    for (const ledger::Column &column : kind.columns) {
        if (column.type == Type::Text || column.type == Type::Turn) {
            parts += quoted(column.name) + QStringLiteral(" LIKE ? ESCAPE '\\'");
            values += pattern;
        } else if (isWhole && column.type == Type::Integer) {
            parts += quoted(column.name) + QStringLiteral(" = ?");
            values += number;
        }
    }
    return QStringLiteral(" AND (") + parts.join(QStringLiteral(" OR ")) + u')';
}

QString keyExpression(const ledger::Kind &kind, LedgerKey key)
{
    switch (key) {
    case LedgerKey::Turn:
        return QStringLiteral("coalesce(\"turn\", '')");
    case LedgerKey::Who: // the main agent has no name
        return QStringLiteral("coalesce(\"agent\", '') || char(31) || coalesce(\"session\", '')");
    case LedgerKey::Word:
        return QStringLiteral("coalesce(%1, '')").arg(quoted(kind.word));
    case LedgerKey::None:
        break;
    }
    return QStringLiteral("''");
}

// "12,13,19", which costs a fraction of a row for each.
std::vector<qint64> numbersOf(const QByteArray &list)
{
    std::vector<qint64> numbers;
    const char *at = list.constData();
    const char *const end = at + list.size();
    while (at < end) {
        qint64 number = 0;
        at = std::from_chars(at, end, number).ptr + 1;
        numbers.push_back(number);
    }
    std::ranges::sort(numbers); // a group comes in no order that SQLite promises
    return numbers;
}

tl::expected<void, StoreError> searchKind(const LedgerReader &reader, std::size_t place,
                                          const LedgerSearch &search,
                                          std::vector<LedgerGroup> &groups)
{
    const ledger::Kind &kind = ledger::kinds()[place];
    QVariantList values{search.from, search.to};
    const QString condition = conditionOf(kind, search.words, values);
    QSqlQuery query = reader.connection().query();
    query.setForwardOnly(true);
    bool fine = query.prepare(
        QStringLiteral("SELECT %1 AS k, group_concat(\"seq\") FROM %2 WHERE \"seq\" BETWEEN ? AND "
                       "?%3 GROUP BY k")
            .arg(keyExpression(kind, search.key), tableOf(reader.connection(), kind), condition));
    for (const QVariant &value : values)
        query.addBindValue(value);
    fine = fine && query.exec();
    while (fine && query.next()) {
        groups.push_back({.kind = place,
                          .key = query.value(0).toString().toStdString(),
                          .seqs = numbersOf(query.value(1).toString().toLatin1())});
    }
    if (!fine || query.lastError().isValid())
        return tl::unexpected(storeError(query.lastError(), reader.connection().path()));
    return {};
}

} // namespace

tl::expected<LedgerExtent, StoreError> ledgerExtent(const QString &path)
{
    const auto reader = LedgerReader::open(path);
    if (!reader)
        return tl::unexpected(reader.error());
    const auto first = firstSeq(reader->connection());
    const auto last = lastSeq(reader->connection());
    if (!first || !last)
        return tl::unexpected(!first ? first.error() : last.error());
    return *first == 0 ? LedgerExtent{} : LedgerExtent{*first, *last};
}

tl::expected<std::vector<LedgerGroup>, StoreError> searchLedger(const QString &path,
                                                                const LedgerSearch &search)
{
    const auto reader = LedgerReader::open(path);
    if (!reader)
        return tl::unexpected(reader.error());
    std::vector<LedgerGroup> groups;
    for (std::size_t place = 0; place < ledger::kinds().size(); ++place) {
        if (search.kind && *search.kind != place)
            continue;
        if (auto found = searchKind(*reader, place, search, groups); !found)
            return tl::unexpected(found.error());
    }
    return groups;
}

tl::expected<std::vector<std::pair<qint64, ledger::Record>>, StoreError>
readRecords(const QString &path, std::span<const qint64> seqs)
{
    std::vector<std::pair<qint64, ledger::Record>> records;
    if (seqs.empty())
        return records;
    const auto reader = LedgerReader::open(path);
    if (!reader)
        return tl::unexpected(reader.error());
    auto cursor = reader->records({.only = {seqs.begin(), seqs.end()}});
    if (!cursor)
        return tl::unexpected(cursor.error());
    for (;;) {
        const auto more = cursor->next();
        if (!more)
            return tl::unexpected(more.error());
        if (!*more)
            return records;
        records.emplace_back(cursor->seq(), cursor->record());
    }
}

} // namespace headway::store
