// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgeraudit.h"

#include "proxy/store/ledgercheckpoint.h"
#include "proxy/store/ledgerschema.h"

#include <algorithm>

namespace headway::store {

namespace {

constexpr qsizetype mostDisagreements = 100;

} // namespace

LedgerAudit::LedgerAudit(std::size_t remembered)
    : m_remembered(remembered)
    , m_conservation(remembered)
{
}

// Where records went for a known reason, the numbering goes on behind them.
tl::expected<void, StoreError> LedgerAudit::findEnds(const SqlConnection &connection)
{
    const auto checkpoints = readCheckpoints(connection);
    const auto last = lastSeq(connection);
    if (!checkpoints || !last)
        return tl::unexpected(!checkpoints ? checkpoints.error() : last.error());
    if (*last < m_last)
        *this = LedgerAudit(m_remembered);
    m_last = *last;
    m_lost = 0;
    qint64 first = 1;
    for (const Checkpoint &checkpoint : *checkpoints) {
        m_lost += checkpoint.lost;
        if (checkpoint.reason == QLatin1String("retention"))
            first = checkpoint.seq + 1;
    }
    if (m_first == 0)
        m_first = first;
    m_next = std::max(m_next, first);
    m_read = std::max(m_read, first);
    return {};
}

tl::expected<void, StoreError> LedgerAudit::goOn(const SqlConnection &connection, qint64 most,
                                                 const Visit &visit)
{
    const bool isBeginning = m_first == 0;
    if (auto found = findEnds(connection); !found)
        return found;
    LedgerSpan span;
    // Also what stands in front of where it should begin.
    span.fromSeq = isBeginning ? 0 : m_read;
    if (most < std::numeric_limits<qint64>::max() - m_read)
        span.toSeq = std::min(m_read + most - 1, m_last);
    const auto replayed = replay(connection, span, m_conservation,
                                 [this, &visit](qint64 seq, const ledger::Record &record) {
                                     expect(seq);
                                     if (visit)
                                         visit(record);
                                 });
    if (!replayed)
        return replayed;
    m_read = std::min(span.toSeq, m_last) + 1;
    return {};
}

void LedgerAudit::expect(qint64 seq)
{
    if (seq != m_next) {
        m_missing += static_cast<quint64>(qAbs(seq - m_next));
        ++m_gapCount;
        if (m_gaps.size() < mostDisagreements)
            m_gaps += QStringLiteral("records: number %1 follows where %2 should")
                          .arg(seq)
                          .arg(m_next);
    }
    m_next = seq + 1;
}

double LedgerAudit::share() const
{
    const qint64 all = m_last - m_first + 1;
    return isAtEnd() || all <= 0 ? 1
                                 : static_cast<double>(m_read - m_first) / static_cast<double>(all);
}

quint64 LedgerAudit::disagreementCount() const
{
    return m_gapCount + m_conservation.totals().disagreements;
}

QStringList LedgerAudit::disagreements() const
{
    QStringList all = m_gaps;
    for (const ledger::Disagreement &found : m_conservation.disagreements())
        all += QString::fromStdString(ledger::describe(found));
    return all.mid(0, mostDisagreements);
}

} // namespace headway::store
