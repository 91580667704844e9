// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/store/storeerror.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QString>

#include <chrono>
#include <cstdint>
#include <tl/expected.hpp>

namespace headway::store {

// One connection to one SQLite file, closed with its owner. Belongs to the thread that opened it;
// every query made from it must be gone first.
class SqlConnection final
{
public:
    enum class Access : std::uint8_t { ReadOnly, ReadWrite };

    // Opens without touching the file; a missing one is made in ReadWrite only. `patience`: how
    // long a statement waits for somebody else's lock.
    [[nodiscard]] static tl::expected<SqlConnection, StoreError>
    open(const QString &path, Access access, std::chrono::milliseconds patience);

    SqlConnection(SqlConnection &&other) noexcept;
    SqlConnection &operator=(SqlConnection &&) = delete;
    ~SqlConnection();

    [[nodiscard]] const QString &path() const { return m_path; }
    [[nodiscard]] QSqlQuery query() const { return QSqlQuery(m_database); }

    tl::expected<void, StoreError> run(const QString &statement) const;
    // The first cell of the first row; 0 where there is no row or it is NULL.
    [[nodiscard]] tl::expected<qint64, StoreError> number(const QString &statement) const;

private:
    SqlConnection(QString name, QString path);

    QString m_name;
    QString m_path;
    QSqlDatabase m_database;
};

} // namespace headway::store
