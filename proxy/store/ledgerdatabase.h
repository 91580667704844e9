// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/conservation.h"
#include "proxy/core/ledger/record.h"
#include "proxy/store/ledgerinserter.h"
#include "proxy/store/sqlconnection.h"

#include <optional>
#include <span>
#include <tl/expected.hpp>

namespace headway::store {

// The ledger's file, open for writing: WAL, synchronous NORMAL, 0600. One thread. At most one
// process has it open so (ledgerwriter.h sees to that); any number may read.
class LedgerDatabase final
{
public:
    // Makes file and folder where they are missing. Refuses, without touching it, a file of a newer
    // schema or of another program.
    [[nodiscard]] static tl::expected<LedgerDatabase, StoreError> open(const QString &path);

    // Records that are missing before these, and what is open nonetheless.
    struct Gap
    {
        QString reason{}; // new_file or lost
        quint64 lost = 0;
        ledger::OpenLives open{};
    };

    // All of them or none, in one transaction. What it returned for is safe against the end of
    // this process, however it ends; against loss of power once SQLite has copied its WAL back.
    tl::expected<void, StoreError> write(std::span<const ledger::Record> records,
                                         const std::optional<Gap> &gap = std::nullopt);

    [[nodiscard]] const SqlConnection &connection() const { return m_connection; }

private:
    LedgerDatabase(SqlConnection connection, LedgerInserter inserter);
    tl::expected<void, StoreError> insertAll(std::span<const ledger::Record> records,
                                             const std::optional<Gap> &gap);

    SqlConnection m_connection;
    LedgerInserter m_inserter; // after the connection: its queries must go first
};

// Renames a damaged database and its -wal and -shm out of the way, to "<path>.damaged-<UTC time>"
// with the endings after it, and returns that name; empty: it could not be renamed. No connection
// of this process may be open on it.
[[nodiscard]] QString setDatabaseAside(const QString &path);

} // namespace headway::store
