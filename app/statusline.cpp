// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/statusline.h"

#include <algorithm>
#include <cstdint>

namespace headway::app {

namespace {

std::uint32_t starts(const live::SecondStats &second)
{
    return second.continued + second.laneOrSpare + second.openedAtOnce + second.openedAfterWait;
}

} // namespace

QString statusLine(const live::Snapshot &snapshot)
{
    const live::Totals &totals = snapshot.totals;
    const std::uint64_t placed = totals.continued + totals.opened;
    const QString reuse = placed == 0 ? QStringLiteral("–")
                                      : QStringLiteral("%1 %").arg(100 * totals.continued / placed);
    // The second that is over; the current one has only begun.
    const std::size_t count = snapshot.seconds.size();
    const std::uint32_t perSecond = count >= 2 ? starts(snapshot.seconds[count - 2])
        : count == 1                           ? starts(snapshot.seconds[0])
                                               : 0;
    return QStringLiteral(
               "%1 turns/s | %2 in flight | %3 waiting | reuse %4 | %5 done | %6 refused | "
               "%7 failed | %8 rejected | bucket %9")
        .arg(perSecond)
        .arg(snapshot.turns.size())
        .arg(snapshot.waiting)
        .arg(reuse)
        .arg(totals.turnsCompleted)
        .arg(totals.turnsRefused)
        .arg(totals.turnsFailed)
        .arg(totals.rejections)
        .arg(snapshot.bucketLevel, 0, 'f', 1);
}

} // namespace headway::app
