// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/store/storeerror.h"

#include <QString>
#include <QStringList>
#include <QVariantList>

#include <functional>
#include <tl/expected.hpp>

namespace headway::store {

struct LedgerQuery
{
    QString path{}; // the ledger
    QString statement{};
    // Called once before the rows, and for every row. False ends the query.
    std::function<bool(const QStringList &names)> columns{};
    // A null QVariant, qlonglong, double, QString, or QByteArray for a BLOB.
    std::function<bool(const QVariantList &cells)> row{};
};

// Runs one statement that only reads, at one instant while writing may go on (spec/ledger.md,
// "Reading"). The file is opened read-only and the connection set to refuse every change, temporary
// tables included; only SELECT, VALUES, WITH and EXPLAIN are let through, so neither ATTACH nor a
// PRAGMA; extensions cannot be loaded. Works on the calling thread, for as long as the statement
// takes.
//
// Errors: Invalid, with SQLite's words, for a statement that is refused or makes no sense;
// Cancelled when a callback said so; else what is wrong with the file.
tl::expected<void, StoreError> runLedgerQuery(const LedgerQuery &query);

} // namespace headway::store
