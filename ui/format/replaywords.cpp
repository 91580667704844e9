// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/replaywords.h"

#include "ui/format/figures.h"

#include <QCoreApplication>
#include <QStringList>

#include <chrono>

namespace headway::ui {

namespace {

struct Replays
{
    Q_DECLARE_TR_FUNCTIONS(Replays)
};

base::Milliseconds rounded(base::Nanoseconds value)
{
    return std::chrono::round<base::Milliseconds>(value);
}

ReplayFigure counted(const QString &name, std::size_t before, std::size_t after)
{
    QString difference = Replays::tr("the same");
    if (after < before)
        difference = Replays::tr("%1 fewer").arg(count(before - after));
    else if (after > before)
        difference = Replays::tr("%1 more").arg(count(after - before));
    return {name, count(before), count(after), difference};
}

ReplayFigure waited(const QString &name, base::Nanoseconds before, base::Nanoseconds after)
{
    const base::Milliseconds was = rounded(before);
    const base::Milliseconds is = rounded(after);
    QString difference = Replays::tr("the same");
    if (is < was)
        difference = Replays::tr("%1 shorter").arg(duration(was - is));
    else if (is > was)
        difference = Replays::tr("%1 longer").arg(duration(is - was));
    return {name, duration(was), duration(is), difference};
}

} // namespace

std::vector<ReplayFigure> replayFigures(const lab::ReplaySummary &before,
                                        const lab::ReplaySummary &after)
{
    return {
        counted(Replays::tr("Asked for an opening"), before.arrivals, after.arrivals),
        counted(Replays::tr("Admitted"), before.admitted, after.admitted),
        counted(Replays::tr("of these after a wait"), before.waited, after.waited),
        counted(Replays::tr("Refused"), before.refused, after.refused),
        counted(Replays::tr("Client left first"), before.cancelled, after.cancelled),
        waited(Replays::tr("Typical wait (median)"), before.waitP50, after.waitP50),
        waited(Replays::tr("Long wait (19 of 20 are shorter)"), before.waitP95, after.waitP95),
        waited(Replays::tr("Longest wait"), before.waitMax, after.waitMax),
        counted(Replays::tr("Most openings in a minute"), before.maxPerMinute, after.maxPerMinute),
    };
}

QString replayVerdict(const lab::ReplaySummary &before, const lab::ReplaySummary &after)
{
    QStringList parts;
    if (after.refused != before.refused)
        parts << (after.refused < before.refused
                      ? Replays::tr("%1 fewer refusals").arg(count(before.refused - after.refused))
                      : Replays::tr("%1 more refusals").arg(count(after.refused - before.refused)));
    const base::Milliseconds long95 = rounded(after.waitP95) - rounded(before.waitP95);
    if (long95.count() != 0)
        parts << (long95.count() < 0 ? Replays::tr("long waits %1 shorter").arg(duration(-long95))
                                     : Replays::tr("long waits %1 longer").arg(duration(long95)));
    if (after.maxPerMinute != before.maxPerMinute)
        parts << Replays::tr("at most %1 openings a minute instead of %2")
                     .arg(count(after.maxPerMinute), count(before.maxPerMinute));
    if (parts.isEmpty())
        return Replays::tr("These settings would have made no difference here.");
    return Replays::tr("With these settings: %1.").arg(parts.join(QStringLiteral(", ")));
}

} // namespace headway::ui
