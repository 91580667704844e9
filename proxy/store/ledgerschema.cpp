// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgerschema.h"

#include "proxy/core/ledger/text.h"

#include <QSqlQuery>
#include <QStringList>
#include <QVariant>

namespace headway::store {

namespace {

QString quoted(std::string_view name)
{
    return u'"' + QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size())) + u'"';
}

bool isText(ledger::Type type)
{
    return type == ledger::Type::Time || type == ledger::Type::Turn || type == ledger::Type::Text;
}

QLatin1String storageClass(ledger::Type type)
{
    if (isText(type))
        return QLatin1String("TEXT");
    return type == ledger::Type::Real ? QLatin1String("REAL") : QLatin1String("INTEGER");
}

QString createStatement(const ledger::Kind &kind)
{
    QStringList columns{QStringLiteral("\"seq\" INTEGER PRIMARY KEY")};
    for (const ledger::Column &column : kind.columns)
        columns += quoted(column.name) + u' ' + storageClass(column.type);
    return QStringLiteral("CREATE TABLE %1 (%2)")
        .arg(quoted(kind.name), columns.join(QLatin1String(", ")));
}

QString nameOf(const auto &described)
{
    const std::string_view name = described.name;
    return QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
}

QStringList tablesOf(const SqlConnection &connection)
{
    QStringList names;
    QSqlQuery query = connection.query();
    query.exec(QStringLiteral("SELECT name FROM sqlite_master WHERE type = 'table'"));
    while (query.next())
        names += query.value(0).toString();
    return names;
}

// Stands for the table of a kind that the file is too old for.
QString emptyTable(const ledger::Kind &kind)
{
    QStringList names{QStringLiteral("NULL AS \"seq\"")};
    for (const ledger::Column &column : kind.columns)
        names += QStringLiteral("NULL AS ") + quoted(column.name);
    return QStringLiteral("(SELECT %1 WHERE 0)").arg(names.join(QLatin1String(", ")));
}

// Of the table of that kind; none where there is no such table.
QStringList columnsOf(const SqlConnection &connection, const ledger::Kind &kind)
{
    QStringList names;
    QSqlQuery query = connection.query();
    query.exec(QStringLiteral("PRAGMA table_info(%1)").arg(quoted(kind.name)));
    while (query.next())
        names += query.value(1).toString();
    return names;
}

tl::expected<void, StoreError> completeTable(const SqlConnection &connection,
                                             const ledger::Kind &kind)
{
    const QStringList present = columnsOf(connection, kind);
    if (present.isEmpty())
        return connection.run(createStatement(kind));
    for (const ledger::Column &column : kind.columns) {
        if (present.contains(nameOf(column)))
            continue;
        const QString statement
            = QStringLiteral("ALTER TABLE %1 ADD COLUMN %2 %3")
                  .arg(quoted(kind.name), quoted(column.name), storageClass(column.type));
        if (auto added = connection.run(statement); !added)
            return added;
    }
    return {};
}

tl::expected<void, StoreError> completeTables(const SqlConnection &connection)
{
    for (const ledger::Kind &kind : ledger::kinds()) {
        if (auto completed = completeTable(connection, kind); !completed)
            return completed;
    }
    return connection.run(QStringLiteral("PRAGMA user_version = %1").arg(ledgerVersion));
}

// All of it or nothing.
tl::expected<void, StoreError> inTransaction(const SqlConnection &connection, auto steps)
{
    if (auto begun = connection.run(QStringLiteral("BEGIN IMMEDIATE")); !begun)
        return begun;
    tl::expected<void, StoreError> made = steps(connection);
    if (made)
        made = connection.run(QStringLiteral("COMMIT"));
    if (!made)
        (void)connection.run(QStringLiteral("ROLLBACK"));
    return made;
}

tl::expected<void, StoreError> createTables(const SqlConnection &connection)
{
    for (const ledger::Kind &kind : ledger::kinds()) {
        if (auto made = connection.run(createStatement(kind)); !made)
            return made;
    }
    for (const char *statement :
         {"CREATE TABLE checkpoint (seq INTEGER PRIMARY KEY, reason TEXT, lost INTEGER)",
          "CREATE TABLE checkpoint_open (seq INTEGER, turn TEXT, request INTEGER, admitted "
          "INTEGER)"})
    {
        if (auto made = connection.run(QString::fromLatin1(statement)); !made)
            return made;
    }
    return connection.run(QStringLiteral("PRAGMA user_version = %1").arg(ledgerVersion));
}

// min or max over the tables of all kinds; each is one step into a table's tree.
QString extremeSeq(const SqlConnection &connection, QLatin1String function,
                   const QString &condition = {})
{
    const QStringList tables = tablesOf(connection);
    QStringList parts;
    for (const ledger::Kind &kind : ledger::kinds()) {
        if (!tables.contains(nameOf(kind))) // the file is older than the kind
            continue;
        parts += QStringLiteral("SELECT %1(\"seq\") AS x FROM %2 %3")
                     .arg(function, quoted(kind.name), condition);
    }
    return QStringLiteral("SELECT %1(x) FROM (%2)")
        .arg(function, parts.join(QLatin1String(" UNION ALL ")));
}

} // namespace

tl::expected<int, StoreError> checkLedgerVersion(const SqlConnection &connection)
{
    const auto version = connection.number(QStringLiteral("PRAGMA user_version"));
    if (!version)
        return tl::unexpected(version.error());
    if (*version > ledgerVersion || *version < 0) {
        return tl::unexpected(StoreError{
            StoreError::Code::Newer,
            QStringLiteral("%1 was written by a newer version of Headway (schema %2, this one "
                           "knows %3); it was left untouched")
                .arg(connection.path())
                .arg(*version)
                .arg(ledgerVersion)});
    }
    const auto objects = connection.number(QStringLiteral("SELECT count(*) FROM sqlite_master"));
    if (!objects)
        return tl::unexpected(objects.error());
    if (*version == 0 && *objects > 0) {
        return tl::unexpected(
            StoreError{StoreError::Code::Newer,
                       QStringLiteral("%1 is a database of another program; it was left untouched")
                           .arg(connection.path())});
    }
    return static_cast<int>(*version);
}

tl::expected<void, StoreError> createLedger(const SqlConnection &connection)
{
    // Must precede the first table: freed pages can then be given back in small steps.
    if (auto vacuum = connection.run(QStringLiteral("PRAGMA auto_vacuum = INCREMENTAL")); !vacuum)
        return vacuum;
    return inTransaction(connection, createTables);
}

tl::expected<void, StoreError> upgradeLedger(const SqlConnection &connection)
{
    return inTransaction(connection, completeTables);
}

QString insertStatement(const ledger::Kind &kind)
{
    QStringList names{QStringLiteral("\"seq\"")};
    QStringList places{QStringLiteral("?")};
    for (const ledger::Column &column : kind.columns) {
        names += quoted(column.name);
        // Bound as bytes and cast: the text is stored without a turn through UTF-16.
        places += isText(column.type) ? QStringLiteral("CAST(? AS TEXT)") : QStringLiteral("?");
    }
    return QStringLiteral("INSERT INTO %1 (%2) VALUES (%3)")
        .arg(quoted(kind.name), names.join(QLatin1String(", ")), places.join(QLatin1String(", ")));
}

QString selectStatement(const SqlConnection &connection, const ledger::Kind &kind,
                        const QString &where)
{
    const QStringList present = columnsOf(connection, kind);
    QStringList names{QStringLiteral("\"seq\"")};
    for (const ledger::Column &column : kind.columns) {
        if (!present.contains(nameOf(column))) {
            names += QStringLiteral("NULL"); // a quoted name would be taken for a text
            continue;
        }
        names += isText(column.type)
            ? QString(QStringLiteral("CAST(") + quoted(column.name) + QStringLiteral(" AS BLOB)"))
            : quoted(column.name);
    }
    QString statement = QStringLiteral("SELECT %1 FROM %2")
                            .arg(names.join(QLatin1String(", ")),
                                 present.isEmpty() ? emptyTable(kind) : quoted(kind.name));
    if (!where.isEmpty())
        statement += QLatin1String(" WHERE ") + where;
    return statement + QLatin1String(" ORDER BY \"seq\"");
}

QString tableOf(const SqlConnection &connection, const ledger::Kind &kind)
{
    return columnsOf(connection, kind).isEmpty() ? emptyTable(kind) : quoted(kind.name);
}

tl::expected<qint64, StoreError> firstSeq(const SqlConnection &connection)
{
    return connection.number(extremeSeq(connection, QLatin1String("min")));
}

tl::expected<qint64, StoreError> lastSeq(const SqlConnection &connection)
{
    return connection.number(
        extremeSeq(connection, QLatin1String("max"))
        + QLatin1String(" UNION ALL SELECT max(seq) FROM checkpoint ORDER BY 1 DESC"));
}

tl::expected<qint64, StoreError> firstSeqSince(const SqlConnection &connection, qint64 first,
                                               qint64 last, base::WallTime time)
{
    // The time is our own text of digits and separators.
    const QString condition = QStringLiteral("WHERE \"seq\" BETWEEN %1 AND %2 AND \"time\" >= '%3'")
                                  .arg(first)
                                  .arg(last)
                                  .arg(QString::fromStdString(ledger::timeText(time)));
    return connection.number(extremeSeq(connection, QLatin1String("min"), condition));
}

tl::expected<void, StoreError> removeRecords(const SqlConnection &connection, qint64 seq)
{
    for (const ledger::Kind &kind : ledger::kinds()) {
        const QString statement
            = QStringLiteral("DELETE FROM %1 WHERE \"seq\" <= %2").arg(quoted(kind.name)).arg(seq);
        if (auto removed = connection.run(statement); !removed)
            return removed;
    }
    return {};
}

} // namespace headway::store
