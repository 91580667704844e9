// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/evidencewords.h"

#include "ui/format/figures.h"
#include "ui/format/policywords.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QStringList>

namespace headway::ui {

namespace {

struct Figures
{
    Q_DECLARE_TR_FUNCTIONS(Figures)
};

QString minutes(std::size_t number)
{
    return number == 1 ? Figures::tr("1 minute") : Figures::tr("%1 minutes").arg(count(number));
}

QString ceilingWords(const std::vector<pacing::CeilingEstimate> &ceilings)
{
    QStringList all;
    for (const pacing::CeilingEstimate &ceiling : ceilings) {
        all += ceiling.shape == pacing::CeilingShape::Unknown
            ? estimateWords(ceiling)
            : Figures::tr("%1, %2 (%3)")
                  .arg(estimateWords(ceiling), confidenceWords(ceiling.confidence),
                       percent(ceiling.confidence));
    }
    return all.isEmpty() ? Figures::tr("none learned yet") : all.join(QStringLiteral("; "));
}

} // namespace

std::vector<std::pair<QString, QString>> evidenceFigures(const ledger::Evidence &e)
{
    return {
        {Figures::tr("Span"),
         Figures::tr("%1 to %2", "a time · a time").arg(minuteClock(e.from), minuteClock(e.to))},
        {Figures::tr("Openings"),
         Figures::tr("%1 in %2 that opened any", "a count · a number of minutes")
             .arg(count(e.openings), minutes(e.minutes))},
        {Figures::tr("In such a minute"),
         Figures::tr("median %1 · p90 %2 · p99 %3 · most %4")
             .arg(decimal(e.median), count(e.p90), count(e.p99), count(e.most))},
        {Figures::tr("Above the set rate"),
         (e.isRateAssumed ? Figures::tr("%1, held to the %2 a minute of now: no change is recorded")
                          : Figures::tr("%1; %2 a minute are set now"))
             .arg(minutes(e.above.size()), decimal(e.rate))},
        {Figures::tr("Rejections"),
         Figures::tr("%1 in %2", "a count · a number of minutes")
             .arg(count(e.rejections), minutes(e.rejecting.size()))},
        {Figures::tr("Estimated ceiling"), ceilingWords(e.ceilings)},
    };
}

QString statusWords(const ledger::EvidenceMinute &minute)
{
    QStringList all;
    for (const auto &[status, number] : minute.statuses) {
        all += QStringLiteral("%1: %2").arg(
            status == 0 ? Figures::tr("no status") : QString::number(status), count(number));
    }
    return all.join(QStringLiteral(", "));
}

QString minuteClock(base::WallTime minute)
{
    return QDateTime::fromMSecsSinceEpoch(minute.time_since_epoch().count())
        .toString(QStringLiteral("yyyy-MM-dd HH:mm"));
}

} // namespace headway::ui
