// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgersnapshot.h"

#include "proxy/store/ledgerinserter.h"
#include "proxy/store/ledgerreader.h"
#include "proxy/store/ledgerschema.h"
#include "proxy/store/privatefile.h"

#include <QFile>
#include <QTemporaryFile>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace headway::store {

namespace {

using namespace std::chrono_literals;

constexpr quint64 recordsPerProgress = 4'096;

StoreError failure(StoreError::Code code, const QString &text)
{
    return {code, text};
}

// A name beside the file that nobody else has; the file is there, empty and 0600.
tl::expected<QString, StoreError> placeBeside(const QString &out)
{
    QTemporaryFile file(out + QLatin1String(".XXXXXX"));
    file.setAutoRemove(false);
    if (!file.open() || !makePrivate(file.fileName()))
        return tl::unexpected(
            failure(StoreError::Code::CannotOpen,
                    QStringLiteral("%1 cannot be written: %2").arg(out, file.errorString())));
    return file.fileName();
}

tl::expected<quint64, StoreError> copy(const LedgerReader &from, const SqlConnection &to,
                                       const ExportRequest &request)
{
    const auto first = firstSeq(from.connection());
    const auto last = lastSeq(from.connection());
    auto cursor = from.records(request.span);
    auto inserter = LedgerInserter::prepare(to);
    if (!first || !last)
        return tl::unexpected(!first ? first.error() : last.error());
    if (!cursor || !inserter)
        return tl::unexpected(!cursor ? cursor.error() : inserter.error());
    const double span = std::max(1.0, static_cast<double>(*last - *first + 1));
    quint64 records = 0;
    for (;;) {
        const auto more = cursor->next();
        if (!more)
            return tl::unexpected(more.error());
        if (!*more)
            return records;
        if (auto kept = inserter->insert(cursor->seq(), cursor->record()); !kept)
            return tl::unexpected(kept.error());
        if (++records % recordsPerProgress != 0 || !request.progress)
            continue;
        if (!request.progress(records, static_cast<double>(cursor->seq() - *first) / span))
            return tl::unexpected(
                failure(StoreError::Code::Cancelled, QStringLiteral("the export was cancelled")));
    }
}

tl::expected<quint64, StoreError> fill(const QString &path, const ExportRequest &request)
{
    const auto reader = LedgerReader::open(request.path);
    if (!reader)
        return tl::unexpected(reader.error());
    const auto target = SqlConnection::open(path, SqlConnection::Access::ReadWrite, 5s);
    if (!target)
        return tl::unexpected(target.error());
    // Nobody else has the file and a half-written one is thrown away: no journal is needed.
    for (const char *statement : {"PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF"}) {
        if (auto set = target->run(QLatin1String(statement)); !set)
            return tl::unexpected(set.error());
    }
    if (auto made = createLedger(*target); !made)
        return tl::unexpected(made.error());
    if (auto begun = target->run(QStringLiteral("BEGIN")); !begun)
        return tl::unexpected(begun.error());
    const auto records = copy(*reader, *target, request);
    if (!records)
        return records;
    if (auto kept = target->run(QStringLiteral("COMMIT")); !kept)
        return tl::unexpected(kept.error());
    return records;
}

} // namespace

tl::expected<ExportResult, StoreError> exportLedgerFile(const ExportRequest &request)
{
    if (request.out == QLatin1String("-"))
        return tl::unexpected(
            failure(StoreError::Code::Invalid,
                    QStringLiteral("an SQLite file cannot go to standard output: name a file")));
    const auto path = placeBeside(request.out);
    if (!path)
        return tl::unexpected(path.error());
    const auto records = fill(*path, request);
    if (!records) {
        QFile::remove(*path);
        return tl::unexpected(records.error());
    }
    // Not QFile::rename(), which replaces nothing.
    if (std::rename(QFile::encodeName(*path).constData(),
                    QFile::encodeName(request.out).constData())
        != 0)
    {
        QFile::remove(*path);
        return tl::unexpected(failure(StoreError::Code::CannotOpen,
                                      QStringLiteral("%1 cannot be replaced").arg(request.out)));
    }
    if (request.progress)
        (void)request.progress(*records, 1);
    return ExportResult{*records, {request.out}};
}

} // namespace headway::store
