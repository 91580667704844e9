// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgerquery.h"

#include "proxy/store/ledgerreader.h"

#include <QSqlError>
#include <QSqlRecord>

#include <algorithm>
#include <array>

namespace headway::store {

namespace {

StoreError invalid(const QString &text)
{
    return {StoreError::Code::Invalid, text};
}

// What stands before the first word: blanks and comments, as SQLite reads them.
QStringView withoutComments(QStringView text)
{
    for (;;) {
        text = text.trimmed();
        qsizetype end = -1;
        if (text.startsWith(QLatin1String("--")))
            end = text.indexOf(u'\n');
        else if (text.startsWith(QLatin1String("/*")))
            end = text.indexOf(QLatin1String("*/"), 2) + 1;
        else
            return text;
        if (end <= 0)
            return {};
        text = text.sliced(end + 1);
    }
}

QString firstWord(const QString &statement)
{
    const QStringView text = withoutComments(statement);
    const auto *const end
        = std::find_if_not(text.begin(), text.end(), [](QChar c) { return c.isLetter(); });
    return text.first(end - text.begin()).toString().toUpper();
}

// WITH may also stand before a change; that is what the read-only connection is for.
tl::expected<void, StoreError> checkStatement(const QString &statement)
{
    constexpr std::array reading{"SELECT", "VALUES", "WITH", "EXPLAIN"};
    const QString word = firstWord(statement);
    const bool reads = std::ranges::any_of(
        reading, [&word](const char *each) { return word == QLatin1String(each); });
    if (reads)
        return {};
    if (word.isEmpty())
        return tl::unexpected(invalid(QStringLiteral("there is no statement to run")));
    return tl::unexpected(invalid(
        QStringLiteral("%1 is refused: the ledger is only read here, with SELECT, WITH, VALUES or "
                       "EXPLAIN")
            .arg(word)));
}

// The statement's own faults are told apart from those of the file.
StoreError failure(const QSqlError &error, const QString &path)
{
    const StoreError known = storeError(error, path);
    if (known.code == StoreError::Code::ReadOnly)
        return invalid(QStringLiteral("the ledger is only read here: nothing can be changed"));
    if (known.code != StoreError::Code::Other)
        return known;
    if (error.nativeErrorCode() == QLatin1String("21")) // MISUSE: Qt's driver found a second one
        return invalid(QStringLiteral("one statement at a time"));
    const QString words
        = error.databaseText().isEmpty() ? error.driverText() : error.databaseText();
    return invalid(QStringLiteral("the statement failed: %1").arg(words));
}

QStringList namesOf(const QSqlRecord &record)
{
    QStringList names;
    for (int i = 0; i < record.count(); ++i)
        names += record.fieldName(i);
    return names;
}

tl::expected<void, StoreError> fetch(QSqlQuery &rows, const LedgerQuery &query)
{
    const StoreError cancelled{StoreError::Code::Cancelled,
                               QStringLiteral("the query was cancelled")};
    const QStringList names = namesOf(rows.record());
    if (query.columns && !query.columns(names))
        return tl::unexpected(cancelled);
    QVariantList cells(names.size());
    while (rows.next()) {
        for (int i = 0; i < cells.size(); ++i)
            cells[i] = rows.value(i);
        if (query.row && !query.row(cells))
            return tl::unexpected(cancelled);
    }
    if (rows.lastError().isValid())
        return tl::unexpected(failure(rows.lastError(), query.path));
    return {};
}

} // namespace

tl::expected<void, StoreError> runLedgerQuery(const LedgerQuery &query)
{
    if (auto reads = checkStatement(query.statement); !reads)
        return reads;
    const auto reader = LedgerReader::open(query.path);
    if (!reader)
        return tl::unexpected(reader.error());
    const SqlConnection &connection = reader->connection();
    for (const char *pragma : {"PRAGMA query_only = ON", "PRAGMA trusted_schema = OFF"}) {
        if (auto set = connection.run(QString::fromLatin1(pragma)); !set)
            return set;
    }
    QSqlQuery rows = connection.query();
    rows.setForwardOnly(true);
    // Qt's driver refuses a second statement after the first one.
    if (!rows.exec(query.statement))
        return tl::unexpected(failure(rows.lastError(), query.path));
    return fetch(rows, query);
}

} // namespace headway::store
