// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgerdatabase.h"

#include "proxy/store/ledgercheckpoint.h"
#include "proxy/store/ledgerschema.h"
#include "proxy/store/privatefile.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>

#include <utility>

namespace headway::store {

namespace {

// The writer must never be held up for long: it keeps the records and comes back.
constexpr std::chrono::milliseconds writerPatience(250);

// Read-only, because the last writer to leave a database writes its WAL back into it.
tl::expected<int, StoreError> versionOf(const QString &path)
{
    if (QFileInfo(path).size() == 0)
        return 0;
    const auto connection
        = SqlConnection::open(path, SqlConnection::Access::ReadOnly, writerPatience);
    if (!connection)
        return tl::unexpected(connection.error());
    return checkLedgerVersion(*connection);
}

tl::expected<void, StoreError> prepareFile(const SqlConnection &connection, int version)
{
    if (version == 0) {
        if (auto made = createLedger(connection); !made)
            return made;
    } else if (version < ledgerVersion) {
        if (auto upgraded = upgradeLedger(connection); !upgraded)
            return upgraded;
    }
    // The WAL is cut back to 16 MiB after a long reader let it grow.
    for (const char *pragma : {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL",
                               "PRAGMA journal_size_limit = 16777216"})
    {
        if (auto set = connection.run(QString::fromLatin1(pragma)); !set)
            return set;
    }
    return {};
}

} // namespace

LedgerDatabase::LedgerDatabase(SqlConnection connection, LedgerInserter inserter)
    : m_connection(std::move(connection))
    , m_inserter(std::move(inserter))
{
}

tl::expected<LedgerDatabase, StoreError> LedgerDatabase::open(const QString &path)
{
    makePrivateFolderOf(path);
    // SQLite gives -wal and -shm the mode of the file itself, so that one is made first.
    if (!QFileInfo::exists(path))
        createPrivateFile(path, {});
    const auto version = versionOf(path);
    if (!version)
        return tl::unexpected(version.error());
    makePrivate(path);
    auto connection = SqlConnection::open(path, SqlConnection::Access::ReadWrite, writerPatience);
    if (!connection)
        return tl::unexpected(connection.error());
    if (auto prepared = prepareFile(*connection, *version); !prepared)
        return tl::unexpected(prepared.error());
    auto inserter = LedgerInserter::prepare(*connection);
    if (!inserter)
        return tl::unexpected(inserter.error());
    return LedgerDatabase(std::move(*connection), std::move(*inserter));
}

tl::expected<void, StoreError> LedgerDatabase::write(std::span<const ledger::Record> records,
                                                     const std::optional<Gap> &gap)
{
    if (auto begun = m_connection.run(QStringLiteral("BEGIN IMMEDIATE")); !begun)
        return begun;
    auto written = insertAll(records, gap);
    if (written)
        written = m_connection.run(QStringLiteral("COMMIT"));
    if (!written)
        (void)m_connection.run(QStringLiteral("ROLLBACK"));
    return written;
}

tl::expected<void, StoreError> LedgerDatabase::insertAll(std::span<const ledger::Record> records,
                                                         const std::optional<Gap> &gap)
{
    const auto last = lastSeq(m_connection);
    if (!last)
        return tl::unexpected(last.error());
    if (gap) {
        const Checkpoint checkpoint{
            .seq = *last, .reason = gap->reason, .lost = gap->lost, .open = gap->open};
        if (auto noted = writeCheckpoint(m_connection, checkpoint); !noted)
            return noted;
    }
    qint64 seq = *last;
    for (const ledger::Record &record : records) {
        if (auto inserted = m_inserter.insert(++seq, record); !inserted)
            return inserted;
    }
    return {};
}

QString setDatabaseAside(const QString &path)
{
    const QString aside = path + QLatin1String(".damaged-")
        + QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMddTHHmmsszzzZ"));
    if (!QFile::rename(path, aside))
        return {};
    for (const char *ending : {"-wal", "-shm"}) {
        const QString suffix = QString::fromLatin1(ending);
        QFile::rename(path + suffix, aside + suffix);
    }
    return aside;
}

} // namespace headway::store
