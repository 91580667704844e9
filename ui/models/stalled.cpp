// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of turns that starve for want of new connections.
#include "ui/format/figures.h"
#include "ui/models/trouble.h"

#include <QCoreApplication>

#include <chrono>

namespace headway::ui {

namespace {

struct Stalls
{
    Q_DECLARE_TR_FUNCTIONS(Stalls)
};

using Kind = Trouble::Kind;

const live::SettingValue *setting(const live::Snapshot &snapshot, const char *key)
{
    const auto found = snapshot.settings.find(key);
    return found == snapshot.settings.end() ? nullptr : &found->second;
}

bool isLimitedByProvider(const live::Snapshot &snapshot, const Starving &starving)
{
    return starving.rejections > 0 || snapshot.door != pacing::DoorState::Open;
}

// What of ours lies in the way.
Kind kindOf(const live::Snapshot &snapshot, const Starving &starving)
{
    if (snapshot.policy == "auto") {
        const live::SettingValue *pinned = setting(snapshot, "rate_pinned");
        const bool isPinned = pinned != nullptr && pinned->value == "true";
        return isPinned && !isLimitedByProvider(snapshot, starving) ? Kind::StarvedByRate
                                                                    : Kind::StarvedByAccount;
    }
    return snapshot.policy == "bucket" && !isLimitedByProvider(snapshot, starving)
        ? Kind::StarvedByRate
        : Kind::StarvedByPolicy;
}

QString cause(const live::Snapshot &snapshot, const Starving &starving, Kind kind)
{
    if (isLimitedByProvider(snapshot, starving))
        return Stalls::tr("Agents stall: the provider rejects new connections.");
    switch (kind) {
    case Kind::StarvedByRate:
        return Stalls::tr("Agents stall: they need more new connections than the set rate gives.");
    case Kind::StarvedByAccount:
        return Stalls::tr("Agents stall: they need more new connections than this account is "
                          "thought to bear.");
    default:
        return Stalls::tr("Agents stall: they need more new connections than the policy %1 opens.")
            .arg(text(snapshot.policy));
    }
}

QString figures(const Starving &starving)
{
    QStringList parts;
    if (starving.waiting > 0) {
        const auto longest = std::chrono::floor<base::Seconds>(starving.longest);
        parts << Stalls::tr("%1 waiting, the longest for %2")
                     .arg(count(starving.waiting), duration(longest));
    }
    if (starving.refused > 0)
        parts << Stalls::tr("%1 refused in the last minute").arg(count(starving.refused));
    return parts.isEmpty() ? QString() : u' ' + parts.join(QLatin1String("; ")) + u'.';
}

QString remedy(const live::Snapshot &snapshot, Kind kind)
{
    switch (kind) {
    case Kind::StarvedByRate: {
        const live::SettingValue *rate = setting(snapshot, "rate_per_min");
        return Stalls::tr("If the account bears more, raise the rate (%1 a minute now); else run "
                          "fewer agents at once, or raise the idle deadline so that more of them "
                          "can wait.")
            .arg(rate != nullptr ? text(rate->value) : unknown());
    }
    case Kind::StarvedByPolicy:
        return Stalls::tr("The policy auto learns what the account bears and shares it fairly "
                          "(Ctrl+Z takes it back). Or run fewer agents at once, or raise the idle "
                          "deadline so that more of them can wait.");
    default:
        return Stalls::tr("Run fewer agents at once, or raise the idle deadline so that more of "
                          "them can wait instead of being refused.");
    }
}

QString action(Kind kind)
{
    switch (kind) {
    case Kind::StarvedByRate:
        return Stalls::tr("Show the rate");
    case Kind::StarvedByPolicy:
        return Stalls::tr("Use the policy auto");
    default:
        return Stalls::tr("Show the idle deadline");
    }
}

} // namespace

Trouble stalled(const live::Snapshot &snapshot, const Starving &starving)
{
    const Kind kind = kindOf(snapshot, starving);
    const QString fate = starving.hopeless > 0
        ? Stalls::tr(
              "As things stand %1 of those that wait will be refused; their clients are told "
              "when to come back.")
              .arg(count(starving.hopeless))
        : starving.waiting == 0
        ? Stalls::tr("Those that were refused were told when to come back, and are quiet until "
                     "then.")
        : Stalls::tr("Those that wait go on by themselves; turns that have a connection are not "
                     "touched.");
    return {kind, cause(snapshot, starving, kind) + figures(starving), fate, remedy(snapshot, kind),
            action(kind)};
}

Trouble unpaced(const std::string &why)
{
    return {Kind::Unpaced, Stalls::tr("The set rate is not kept."),
            Stalls::tr("The proxy's own word: %1.").arg(text(why)),
            Stalls::tr("Raise the idle deadline or the retries until the wait bound has room, or "
                       "choose the policy auto."),
            Stalls::tr("Show the idle deadline")};
}

} // namespace headway::ui
