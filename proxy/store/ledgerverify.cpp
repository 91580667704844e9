// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgerverify.h"

#include "proxy/store/ledgeraudit.h"
#include "proxy/store/ledgerreader.h"

#include <QSqlError>
#include <QVariant>

#include <limits>

namespace headway::store {

namespace {

constexpr qsizetype mostDisagreements = 100;
constexpr std::size_t rememberedIds = 4'000'000;

void disagree(LedgerVerification &result, const QString &words)
{
    ++result.disagreementCount;
    if (result.disagreements.size() < mostDisagreements)
        result.disagreements += words;
}

tl::expected<void, StoreError> checkFile(const SqlConnection &connection,
                                         LedgerVerification &result)
{
    QSqlQuery query = connection.query();
    if (!query.exec(QStringLiteral("PRAGMA integrity_check(20)")))
        return tl::unexpected(storeError(query.lastError(), connection.path()));
    while (query.next()) {
        if (const QString line = query.value(0).toString(); line != QLatin1String("ok"))
            disagree(result, QStringLiteral("file: ") + line);
    }
    return {};
}

void count(LedgerVerification &result, const ledger::Record &record)
{
    ++result.records[record.body.index()];
    if (const auto *turn = std::get_if<ledger::TurnEnded>(&record.body)) {
        result.inputTokens += turn->inputTokens;
        result.cachedTokens += turn->cachedTokens;
        result.outputTokens += turn->outputTokens;
    }
}

tl::expected<void, StoreError> checkRecords(const SqlConnection &connection,
                                            LedgerVerification &result)
{
    LedgerAudit audit(rememberedIds);
    const auto done = audit.goOn(connection, std::numeric_limits<qint64>::max(),
                                 [&](const ledger::Record &record) { count(result, record); });
    if (!done)
        return done;
    result.lost = audit.lost();
    result.missing = audit.missing();
    result.totals = audit.conservation().totals();
    result.open = audit.conservation().open();
    result.disagreementCount += audit.disagreementCount();
    result.disagreements += audit.disagreements();
    result.disagreements = result.disagreements.mid(0, mostDisagreements);
    return {};
}

template <typename End, std::size_t N>
QString endsText(const std::array<std::uint64_t, N> &ends)
{
    QStringList parts;
    for (std::size_t i = 0; i < N; ++i) {
        if (ends[i] == 0)
            continue;
        const std::string_view word = ledger::name(static_cast<End>(i));
        parts += QStringLiteral("%1 %2").arg(ends[i]).arg(
            QLatin1String(word.data(), static_cast<qsizetype>(word.size())));
    }
    return parts.isEmpty() ? QStringLiteral("none ended") : parts.join(QLatin1String(", "));
}

} // namespace

tl::expected<LedgerVerification, StoreError> verifyLedger(const QString &path)
{
    const auto reader = LedgerReader::open(path);
    if (!reader)
        return tl::unexpected(reader.error());
    LedgerVerification result;
    result.records.assign(ledger::kinds().size(), 0);
    if (auto checked = checkFile(reader->connection(), result); !checked)
        return tl::unexpected(checked.error());
    if (auto checked = checkRecords(reader->connection(), result); !checked)
        return tl::unexpected(checked.error());
    return result;
}

QString LedgerVerification::text() const
{
    QStringList lines;
    QStringList kinds;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const std::string_view name = ledger::kinds()[i].name;
        kinds += QStringLiteral("%1 %2")
                     .arg(records[i])
                     .arg(QLatin1String(name.data(), static_cast<qsizetype>(name.size())));
    }
    lines += QStringLiteral("records: %1 (%2)")
                 .arg(totals.records)
                 .arg(kinds.join(QLatin1String(", ")));
    lines += QStringLiteral("turns: %1 begun, %2; %3 open")
                 .arg(totals.turnsBegun)
                 .arg(endsText<ledger::TurnEnd>(totals.turnsEnded))
                 .arg(open.turns.size());
    lines += QStringLiteral("admission requests: %1 begun, %2; %3 open")
                 .arg(totals.requestsBegun)
                 .arg(endsText<ledger::RequestEnd>(totals.requestsEnded))
                 .arg(open.requests.size());
    lines += QStringLiteral("tokens: %1 input, %2 of them cached, %3 output")
                 .arg(inputTokens)
                 .arg(cachedTokens)
                 .arg(outputTokens);
    if (lost > 0)
        lines += QStringLiteral("lost while the file could not be written: %1 records").arg(lost);
    lines += holds() ? QStringLiteral("conserved: no disagreement")
                     : QStringLiteral("NOT conserved: %1 disagreements").arg(disagreementCount);
    lines += disagreements;
    return lines.join(u'\n') + u'\n';
}

} // namespace headway::store
