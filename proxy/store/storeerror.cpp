// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/storeerror.h"

#include <QSqlError>

namespace headway::store {

namespace {

struct Meaning
{
    StoreError::Code code;
    const char *text; // %1 the file, %2 SQLite's own words
};

// Primary result codes of https://www.sqlite.org/rescode.html; the extended ones hold them in
// their low byte.
Meaning meaningOf(int primary)
{
    using Code = StoreError::Code;
    switch (primary) {
    case 5: // BUSY
    case 6: // LOCKED
        return {Code::Busy, "%1 is locked by another program"};
    case 13: // FULL
        return {Code::Full, "there is no room left for %1"};
    case 8: // READONLY
        return {Code::ReadOnly, "%1 may not be written"};
    case 3: // PERM
    case 14: // CANTOPEN
    case 23: // AUTH
        return {Code::CannotOpen, "%1 cannot be opened"};
    case 11: // CORRUPT
    case 26: // NOTADB
        return {Code::Damaged, "%1 is damaged"};
    default:
        return {Code::Other, "%1 cannot be used: %2"};
    }
}

} // namespace

StoreError storeError(const QSqlError &error, const QString &path)
{
    const Meaning meaning = meaningOf(error.nativeErrorCode().toInt() & 0xFF);
    const QString pattern = QString::fromLatin1(meaning.text);
    if (!pattern.contains(QLatin1String("%2")))
        return {meaning.code, pattern.arg(path)};
    const QString words
        = error.databaseText().isEmpty() ? error.driverText() : error.databaseText();
    return {meaning.code, pattern.arg(path, words)};
}

} // namespace headway::store
