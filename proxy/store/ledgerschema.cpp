// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgerschema.h"

#include <QStringList>

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

tl::expected<void, StoreError> createTables(const SqlConnection &connection)
{
    for (const ledger::Kind &kind : ledger::kinds()) {
        if (auto made = connection.run(createStatement(kind)); !made)
            return made;
    }
    return connection.run(QStringLiteral("PRAGMA user_version = %1").arg(ledgerVersion));
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
    if (auto begun = connection.run(QStringLiteral("BEGIN IMMEDIATE")); !begun)
        return begun;
    auto made = createTables(connection);
    if (made)
        made = connection.run(QStringLiteral("COMMIT"));
    if (!made)
        (void)connection.run(QStringLiteral("ROLLBACK"));
    return made;
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

QString selectStatement(const ledger::Kind &kind, const QString &where)
{
    QStringList names{QStringLiteral("\"seq\"")};
    for (const ledger::Column &column : kind.columns) {
        names += isText(column.type)
            ? QString(QStringLiteral("CAST(") + quoted(column.name) + QStringLiteral(" AS BLOB)"))
            : quoted(column.name);
    }
    QString statement = QStringLiteral("SELECT %1 FROM %2")
                            .arg(names.join(QLatin1String(", ")), quoted(kind.name));
    if (!where.isEmpty())
        statement += QLatin1String(" WHERE ") + where;
    return statement + QLatin1String(" ORDER BY \"seq\"");
}

QString overAllKinds(const QString &outer, const QString &perKind)
{
    QStringList parts;
    for (const ledger::Kind &kind : ledger::kinds())
        parts += QStringLiteral("SELECT %1 AS x FROM %2").arg(perKind, quoted(kind.name));
    return QStringLiteral("SELECT %1 FROM (%2)")
        .arg(outer, parts.join(QLatin1String(" UNION ALL ")));
}

} // namespace headway::store
