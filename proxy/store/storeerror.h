// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>

class QSqlError;

namespace headway::store {

// What kept a store from doing what was asked, and the same in plain words. The words name files,
// never what stands in them.
struct StoreError
{
    enum class Code : std::uint8_t {
        Busy, // locked by somebody else; worth trying again
        Full, // no room, or a size limit
        ReadOnly, // may not be written
        CannotOpen, // missing, or not allowed
        Damaged, // not a database, or a broken one
        Newer, // written by a newer version, or by another program
        Cancelled,
        Invalid, // the request makes no sense
        Other,
    };
    Code code = Code::Other;
    QString text;
};

// The error of a statement on the database at `path`.
[[nodiscard]] StoreError storeError(const QSqlError &error, const QString &path);

} // namespace headway::store
