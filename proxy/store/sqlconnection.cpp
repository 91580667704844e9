// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/sqlconnection.h"

#include <QSqlError>

#include <atomic>
#include <utility>

namespace headway::store {

namespace {

// Qt keeps connections by name, for the whole process.
QString freshName()
{
    static std::atomic<quint64> counter{0};
    return QStringLiteral("headway-%1").arg(++counter);
}

} // namespace

SqlConnection::SqlConnection(QString name, QString path)
    : m_name(std::move(name))
    , m_path(std::move(path))
    , m_database(QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name))
{
}

SqlConnection::SqlConnection(SqlConnection &&other) noexcept
    : m_name(std::exchange(other.m_name, {}))
    , m_path(std::move(other.m_path))
    , m_database(std::exchange(other.m_database, {}))
{
}

SqlConnection::~SqlConnection()
{
    if (m_name.isEmpty())
        return;
    m_database.close();
    m_database = {};
    QSqlDatabase::removeDatabase(m_name);
}

tl::expected<SqlConnection, StoreError> SqlConnection::open(const QString &path, Access access,
                                                            std::chrono::milliseconds patience)
{
    SqlConnection connection(freshName(), path);
    QString options = QStringLiteral("QSQLITE_BUSY_TIMEOUT=%1").arg(patience.count());
    if (access == Access::ReadOnly)
        options += QLatin1String(";QSQLITE_OPEN_READONLY");
    connection.m_database.setDatabaseName(path);
    connection.m_database.setConnectOptions(options);
    if (!connection.m_database.open())
        return tl::unexpected(storeError(connection.m_database.lastError(), path));
    return connection;
}

tl::expected<void, StoreError> SqlConnection::run(const QString &statement) const
{
    QSqlQuery query(m_database);
    if (!query.exec(statement))
        return tl::unexpected(storeError(query.lastError(), m_path));
    return {};
}

tl::expected<qint64, StoreError> SqlConnection::number(const QString &statement) const
{
    QSqlQuery query(m_database);
    if (!query.exec(statement))
        return tl::unexpected(storeError(query.lastError(), m_path));
    if (!query.next())
        return 0;
    return query.value(0).toLongLong();
}

} // namespace headway::store
