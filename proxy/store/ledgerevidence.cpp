// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgerevidence.h"

#include "proxy/core/ledger/text.h"
#include "proxy/store/ceilingfile.h"
#include "proxy/store/ledgerreader.h"

#include <QSqlError>
#include <QVariant>

namespace headway::store {

namespace {

// What was set in a span may have been set before it: all changes.
tl::expected<void, StoreError> addChanges(const LedgerReader &reader,
                                          ledger::EvidenceCounter &counter)
{
    LedgerSpan span;
    span.kinds = {*ledger::findKind("settings_changed")};
    auto cursor = reader.records(span);
    if (!cursor)
        return tl::unexpected(cursor.error());
    for (;;) {
        const auto more = cursor->next();
        if (!more)
            return tl::unexpected(more.error());
        if (!*more)
            return {};
        counter.add(cursor->record());
    }
}

// Counted by SQLite: record by record takes twenty times as long. The first characters of a time
// are its minute.
QString countingStatement(const EvidenceRequest &request)
{
    QString statement = QStringLiteral(
        "SELECT min(\"time\"), max(\"time\"), \"event\", \"status\", count(*) FROM \"connection\" "
        "WHERE \"event\" IN ('opened', 'rejected')");
    if (request.since)
        statement += QLatin1String(" AND \"time\" >= ?");
    if (request.until)
        statement += QLatin1String(" AND \"time\" < ?");
    return statement + QLatin1String(" GROUP BY substr(\"time\", 1, 16), \"event\", \"status\"");
}

tl::expected<void, StoreError> addConnections(const LedgerReader &reader,
                                              const EvidenceRequest &request,
                                              ledger::EvidenceCounter &counter)
{
    QSqlQuery query = reader.connection().query();
    query.setForwardOnly(true);
    bool fine = query.prepare(countingStatement(request));
    for (const auto &bound : {request.since, request.until}) {
        if (bound)
            query.addBindValue(QString::fromStdString(ledger::timeText(*bound)));
    }
    fine = fine && query.exec();
    while (fine && query.next()) {
        const auto first = ledger::parseTime(query.value(0).toString().toStdString());
        const auto last = ledger::parseTime(query.value(1).toString().toStdString());
        if (!first || !last) // not written by us
            continue;
        const std::string event = query.value(2).toString().toStdString();
        const quint64 status = query.value(3).toULongLong();
        counter.add(*first, event, status, query.value(4).toULongLong() - 1);
        counter.add(*last, event, status, 1);
    }
    if (!fine || query.lastError().isValid())
        return tl::unexpected(storeError(query.lastError(), reader.connection().path()));
    return {};
}

} // namespace

tl::expected<ledger::Evidence, StoreError> readEvidence(const EvidenceRequest &request)
{
    const auto reader = LedgerReader::open(request.path);
    if (!reader)
        return tl::unexpected(reader.error());
    ledger::EvidenceCounter counter;
    if (auto added = addChanges(*reader, counter); !added)
        return tl::unexpected(added.error());
    if (auto added = addConnections(*reader, request, counter); !added)
        return tl::unexpected(added.error());
    ledger::Evidence evidence = request.isAnother ? counter.evidenceAgainst(request.rate)
                                                  : counter.evidence(request.rate);
    const CeilingFile ceilings(request.ceilings);
    for (const auto &[account, ceiling] : ceilings.all())
        evidence.ceilings.push_back(ceiling);
    return evidence;
}

} // namespace headway::store
