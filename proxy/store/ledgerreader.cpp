// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgerreader.h"

#include "proxy/store/ledgerschema.h"

#include <QFileInfo>

#include <utility>

namespace headway::store {

namespace {

constexpr std::chrono::milliseconds readerPatience(5'000);

} // namespace

LedgerReader::LedgerReader(SqlConnection connection)
    : m_connection(std::move(connection))
{
}

tl::expected<LedgerReader, StoreError> LedgerReader::open(const QString &path)
{
    if (!QFileInfo::exists(path)) {
        return tl::unexpected(StoreError{StoreError::Code::CannotOpen,
                                         QStringLiteral("there is no ledger at %1").arg(path)});
    }
    auto connection = SqlConnection::open(path, SqlConnection::Access::ReadOnly, readerPatience);
    if (!connection)
        return tl::unexpected(connection.error());
    // A deferred transaction takes its view with the first read, which is the check of the version.
    if (auto begun = connection->run(QStringLiteral("BEGIN")); !begun)
        return tl::unexpected(begun.error());
    const auto version = checkLedgerVersion(*connection);
    if (!version)
        return tl::unexpected(version.error());
    if (*version == 0) {
        return tl::unexpected(StoreError{StoreError::Code::CannotOpen,
                                         QStringLiteral("%1 holds no ledger yet").arg(path)});
    }
    return LedgerReader(std::move(*connection));
}

tl::expected<LedgerCursor, StoreError> LedgerReader::records(const LedgerSpan &span) const
{
    return LedgerCursor::open(m_connection, span);
}

} // namespace headway::store
