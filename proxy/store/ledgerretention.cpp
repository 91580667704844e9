// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgerretention.h"

#include "proxy/core/ledger/text.h"
#include "proxy/store/ledgercheckpoint.h"
#include "proxy/store/ledgerschema.h"

#include <algorithm>

namespace headway::store {

namespace {

constexpr qint64 recordsPerStep = 1'000;
constexpr int pagesPerStep = 256;

struct Size
{
    qint64 file = 0;
    qint64 used = 0;
};

tl::expected<Size, StoreError> sizeOf(const SqlConnection &connection)
{
    const auto pageSize = connection.number(QStringLiteral("PRAGMA page_size"));
    const auto pages = connection.number(QStringLiteral("PRAGMA page_count"));
    const auto unused = connection.number(QStringLiteral("PRAGMA freelist_count"));
    for (const auto *each : {&pageSize, &pages, &unused}) {
        if (!*each)
            return tl::unexpected(each->error());
    }
    return Size{*pages * *pageSize, (*pages - *unused) * *pageSize};
}

// The last record to go in this step; before the first one: none.
tl::expected<qint64, StoreError> cutOf(const SqlConnection &connection,
                                       const RetentionLimits &limits, bool tooLarge, qint64 first,
                                       qint64 last)
{
    const qint64 most = std::min(last, first + recordsPerStep - 1);
    if (tooLarge)
        return most;
    const auto kept = firstSeqSince(connection, first, most, limits.oldest);
    if (!kept)
        return tl::unexpected(kept.error());
    return *kept == 0 ? most : *kept - 1;
}

tl::expected<void, StoreError> remove(const SqlConnection &connection, qint64 first, qint64 cut)
{
    ledger::Conservation conservation(1);
    LedgerSpan span;
    span.fromSeq = first;
    span.toSeq = cut;
    span.kinds = conservationKinds();
    const auto replayed
        = replay(connection, span, conservation, [](qint64, const ledger::Record &) {});
    if (!replayed)
        return replayed;
    if (auto removed = removeRecords(connection, cut); !removed)
        return removed;
    if (auto removed = removeCheckpoints(connection, cut); !removed)
        return removed;
    return writeCheckpoint(connection,
                           {.seq = cut,
                            .reason = QStringLiteral("retention"),
                            .lost = 0,
                            .open = conservation.open()});
}

// Qt steps a statement that has no columns once, and each step gives one page back.
tl::expected<void, StoreError> giveBackPages(const SqlConnection &connection)
{
    for (int i = 0; i < pagesPerStep; ++i) {
        if (auto done = connection.run(QStringLiteral("PRAGMA incremental_vacuum(1)")); !done)
            return done;
    }
    return {};
}

tl::expected<bool, StoreError> step(const SqlConnection &connection, const RetentionLimits &limits)
{
    const auto size = sizeOf(connection);
    const auto first = firstSeq(connection);
    const auto last = lastSeq(connection);
    if (!size || !first || !last)
        return tl::unexpected(!size ? size.error() : !first ? first.error() : last.error());
    bool more = false;
    if (*first > 0) {
        const auto cut = cutOf(connection, limits, size->used > limits.bytes, *first, *last);
        if (!cut)
            return tl::unexpected(cut.error());
        more = *cut >= *first;
        if (more) {
            if (auto removed = remove(connection, *first, *cut); !removed)
                return tl::unexpected(removed.error());
        }
    }
    if (size->file <= limits.bytes)
        return more;
    if (auto given = giveBackPages(connection); !given)
        return tl::unexpected(given.error());
    const auto after = sizeOf(connection);
    if (!after)
        return tl::unexpected(after.error());
    return more || after->file < size->file;
}

} // namespace

tl::expected<bool, StoreError> retainStep(const SqlConnection &connection,
                                          const RetentionLimits &limits)
{
    if (auto begun = connection.run(QStringLiteral("BEGIN IMMEDIATE")); !begun)
        return tl::unexpected(begun.error());
    auto more = step(connection, limits);
    if (const auto done
        = connection.run(more ? QStringLiteral("COMMIT") : QStringLiteral("ROLLBACK"));
        !done && more)
        more = tl::unexpected(done.error());
    return more;
}

} // namespace headway::store
