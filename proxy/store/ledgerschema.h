// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/columns.h"
#include "proxy/store/sqlconnection.h"

#include <QString>

#include <tl/expected.hpp>

namespace headway::store {

// The ledger as SQLite tables: one per record kind, named after it, with the kind's columns and
// `seq` in front: the record's number over all kinds, without gaps. Times and turn ids are texts as
// in the exports. A version stands in PRAGMA user_version.
//
// 1: the first. 2: further columns of head_decision and connection. 3: `detail` of connection.
// 4: the kinds spacing_changed, ceiling_changed, token_budget and quota_window.
// 5: `severity` of warning.
inline constexpr int ledgerVersion = 5;

// Whether the file may be used by this program; reads only. 0: an empty file, to be made.
[[nodiscard]] tl::expected<int, StoreError> checkLedgerVersion(const SqlConnection &connection);

// Makes the tables of an empty file in one transaction.
tl::expected<void, StoreError> createLedger(const SqlConnection &connection);

// Gives an older file the tables and columns that it lacks, in one transaction. Its records have
// nothing in them.
tl::expected<void, StoreError> upgradeLedger(const SqlConnection &connection);

// Values are bound in the order: seq, then the kind's columns; texts as UTF-8 bytes.
[[nodiscard]] QString insertStatement(const ledger::Kind &kind);

// Columns: seq, then the kind's columns, texts as UTF-8 bytes; in the order they were recorded.
// What an older file lacks is NULL; a kind that it lacks has no rows. `where`: a condition with ?
// for its values; empty: all.
[[nodiscard]] QString selectStatement(const SqlConnection &connection, const ledger::Kind &kind,
                                      const QString &where);

// What stands behind FROM for a kind; one without rows where an older file lacks it.
[[nodiscard]] QString tableOf(const SqlConnection &connection, const ledger::Kind &kind);

// The number of the oldest record there is, and the highest that was given to one, which may be
// gone by now; 0: none.
[[nodiscard]] tl::expected<qint64, StoreError> firstSeq(const SqlConnection &connection);
[[nodiscard]] tl::expected<qint64, StoreError> lastSeq(const SqlConnection &connection);
// The first record from `first` to `last` that is not older than `time`; 0: all are.
[[nodiscard]] tl::expected<qint64, StoreError>
firstSeqSince(const SqlConnection &connection, qint64 first, qint64 last, base::WallTime time);

// Removes every record up to and including `seq`; inside the caller's transaction.
tl::expected<void, StoreError> removeRecords(const SqlConnection &connection, qint64 seq);

} // namespace headway::store
