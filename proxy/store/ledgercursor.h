// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/columns.h"
#include "proxy/store/sqlconnection.h"

#include <QByteArray>
#include <QSqlQuery>

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <tl/expected.hpp>
#include <vector>

namespace headway::store {

// Which records; the default is all.
struct LedgerSpan
{
    qint64 fromSeq = 0; // inclusive
    qint64 toSeq = std::numeric_limits<qint64>::max(); // inclusive
    std::optional<base::WallTime> since{}; // inclusive
    std::optional<base::WallTime> until{}; // exclusive
    std::vector<std::size_t> kinds{}; // places in ledger::kinds(); empty: all
    std::vector<qint64> only{}; // these numbers, a page of them; empty: all
};

// Reads the records of several kinds in the order they were made, a row at a time: memory does not
// grow with the ledger. For one instant's view the caller opens a transaction first. The connection
// must outlive it.
class LedgerCursor final
{
public:
    [[nodiscard]] static tl::expected<LedgerCursor, StoreError>
    open(const SqlConnection &connection, const LedgerSpan &span);

    // Goes to the next record, first to the first one; false at the end.
    [[nodiscard]] tl::expected<bool, StoreError> next();

    // Of the current record; the cells are good until the next call.
    [[nodiscard]] qint64 seq() const { return m_current->seq; }
    [[nodiscard]] const ledger::Kind &kind() const { return *m_current->kind; }
    [[nodiscard]] std::span<const ledger::Value> cells() const { return m_current->cells; }
    [[nodiscard]] ledger::Record record() const;

private:
    struct Source
    {
        const ledger::Kind *kind;
        QSqlQuery query;
        qint64 seq = 0;
        bool atEnd = false;
        std::vector<QByteArray> texts; // what the cells point into
        std::vector<ledger::Value> cells;
    };

    explicit LedgerCursor(QString path);
    tl::expected<void, StoreError> add(const SqlConnection &connection, const ledger::Kind &kind,
                                       const LedgerSpan &span);
    tl::expected<void, StoreError> advance(Source &source);
    static void readCells(Source &source);

    QString m_path;
    std::vector<Source> m_sources;
    Source *m_current = nullptr;
};

} // namespace headway::store
