// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/quotawords.h"

#include "ui/format/figures.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <algorithm>

namespace headway::ui {

namespace {

struct Quotas
{
    Q_DECLARE_TR_FUNCTIONS(Quotas)
};

constexpr double nearlyUsed = 80;
constexpr double used = 100;
constexpr int daysOfAWeek = 7; // a week day says which one only within it

QDateTime local(base::WallTime at)
{
    return QDateTime::fromMSecsSinceEpoch(at.time_since_epoch().count());
}

QString share(const pacing::QuotaWindow &window)
{
    return percent(window.usedPercent / 100);
}

} // namespace

QString quotaName(const pacing::QuotaWindow &window)
{
    const QString name = text(window.name);
    return window.meter.empty() || window.meter == "codex"
        ? Quotas::tr("%1 quota").arg(name)
        : Quotas::tr("%1 quota of %2", "length · whose").arg(name, text(window.meter));
}

QString resetClock(const pacing::QuotaWindow &window, base::WallTime now)
{
    if (!window.resetsAt)
        return unknown();
    const QDateTime at = local(*window.resetsAt);
    const qint64 days = local(now).date().daysTo(at.date());
    const QString clock = at.toString(QStringLiteral("HH:mm"));
    if (days == 0)
        return clock;
    if (days > 0 && days < daysOfAWeek)
        return QLocale().toString(at.date(), QStringLiteral("ddd")) + u' ' + clock;
    return at.toString(QStringLiteral("yyyy-MM-dd HH:mm"));
}

QString quotaWords(const pacing::QuotaWindow &window, base::WallTime now)
{
    return Quotas::tr("%1, resets %2").arg(share(window), resetClock(window, now));
}

QString quotaSentence(const pacing::QuotaWindow &window, base::WallTime now)
{
    if (!window.resetsAt)
        return Quotas::tr("%1 used; the provider did not tell when it resets").arg(share(window));
    const base::Milliseconds left = std::max(*window.resetsAt - now, base::Milliseconds{0});
    return Quotas::tr("%1 used, resets %2, in %3")
        .arg(share(window), resetClock(window, now), duration(left / 1'000 * 1'000));
}

Meaning quotaMeaning(const pacing::QuotaWindow &window)
{
    if (window.usedPercent >= used)
        return Meaning::Limit;
    return window.usedPercent >= nearlyUsed ? Meaning::Waiting : Meaning::Active;
}

} // namespace headway::ui
