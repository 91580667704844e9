// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QString>
#include <QVariant>

// Looks into a database with Qt's own classes, apart from the code under test. A statement that
// fails ends the test.
namespace testsupport {

inline QVariant value(const QString &path, const QString &statement)
{
    QVariant result;
    {
        QSqlDatabase database
            = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("test"));
        database.setDatabaseName(path);
        if (!database.open())
            qFatal("%s", qPrintable(database.lastError().text()));
        QSqlQuery query(database);
        if (!query.exec(statement))
            qFatal("%s", qPrintable(query.lastError().text()));
        if (query.next())
            result = query.value(0);
    }
    QSqlDatabase::removeDatabase(QStringLiteral("test"));
    return result;
}

inline qint64 number(const QString &path, const QString &statement)
{
    return value(path, statement).toLongLong();
}

inline QString text(const QString &path, const QString &statement)
{
    return value(path, statement).toString();
}

} // namespace testsupport
