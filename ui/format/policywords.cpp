// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/policywords.h"

#include "ui/format/figures.h"

#include <QCoreApplication>

namespace headway::ui {

namespace {

struct Policies
{
    Q_DECLARE_TR_FUNCTIONS(Policies)
};

QString onlyUnder(const QString &what, std::string_view policy)
{
    return Policies::tr("%1. It changes nothing under the policy %2.").arg(what, text(policy));
}

} // namespace

QString policyWords(std::string_view policy)
{
    if (policy == "off")
        return Policies::tr("Opens every connection at once; nothing is held back.");
    if (policy == "fixed")
        return Policies::tr("Opens connections at least one second apart, first come, first "
                            "served.");
    if (policy == "bucket")
        return Policies::tr("Opens a burst at once, then at the set rate; who would wait longer "
                            "than the wait bound is sent back to try again.");
    if (policy == "adaptive")
        return Policies::tr("Opens at once while all goes well; each rejection doubles the "
                            "distance between openings, success halves it again.");
    if (policy == "auto")
        return Policies::tr("Learns from rejections how much this account bears, shares openings "
                            "fairly between sessions and sends single probes when in doubt.");
    return {};
}

QString whyWithoutEffect(settings::Key key, std::string_view policy, int rate)
{
    using settings::Key;
    switch (key) {
    case Key::RatePerMin:
        if (rate == 0 || policy == "bucket" || policy == "auto")
            return {};
        return onlyUnder(Policies::tr("The rate counts for bucket and auto"), policy);
    case Key::RatePinned:
        return policy == "auto"
            ? QString()
            : onlyUnder(Policies::tr("Only auto goes above the set rate by itself"), policy);
    case Key::Burst:
        return policy == "bucket" ? QString()
                                  : onlyUnder(Policies::tr("The burst belongs to bucket"), policy);
    case Key::SpacingFloorMs:
        return policy == "adaptive"
            ? QString()
            : onlyUnder(Policies::tr("The spacing floor belongs to adaptive"), policy);
    default:
        return {};
    }
}

QString whyNoWaitBound(std::string_view policy, int rate)
{
    if (policy == "bucket" && rate != 0)
        return {};
    if (policy == "off" || rate == 0)
        return Policies::tr("Nothing waits for an opening now, so there is no wait to bound.");
    return Policies::tr("The wait bound belongs to bucket. Under %1 a turn waits until shortly "
                        "before its idle deadline.")
        .arg(text(policy));
}

QString estimateWords(const pacing::CeilingEstimate &estimate)
{
    using pacing::CeilingShape;
    switch (estimate.shape) {
    case CeilingShape::Window:
        if (estimate.perMinute > 0)
            return Policies::tr("about %1 openings a minute").arg(decimal(estimate.perMinute));
        break;
    case CeilingShape::Rate:
        if (estimate.spacing.count() > 0)
            return Policies::tr("about one opening every %1")
                .arg(duration(std::chrono::duration<double, std::milli>(estimate.spacing).count()));
        break;
    case CeilingShape::Cap:
        if (estimate.socketCap > 0)
            return Policies::tr("about %1 connections open at a time")
                .arg(count(estimate.socketCap));
        break;
    case CeilingShape::Unknown:
        break;
    }
    return Policies::tr("no limit seen yet");
}

QString confidenceWords(double confidence)
{
    if (confidence < 0.34)
        return Policies::tr("low confidence");
    if (confidence < 0.67)
        return Policies::tr("fair confidence");
    return Policies::tr("high confidence");
}

std::optional<double> estimatedPerMinute(const pacing::CeilingEstimate &estimate)
{
    if (estimate.shape == pacing::CeilingShape::Window && estimate.perMinute > 0)
        return estimate.perMinute;
    if (estimate.shape == pacing::CeilingShape::Rate && estimate.spacing.count() > 0)
        return 60 / std::chrono::duration<double>(estimate.spacing).count();
    return std::nullopt;
}

Word doorWord(pacing::DoorState state, const std::optional<base::Milliseconds> &remaining)
{
    using pacing::DoorState;
    const auto withCountdown = [&](const QString &alone, const QString &counted) {
        return remaining ? counted.arg(duration(*remaining)) : alone;
    };
    const auto held = [](const QString &words) {
        return Word{Meaning::Limit, sign(Meaning::Limit).glyph, words};
    };
    switch (state) {
    case DoorState::Open:
        return {Meaning::Done, idleGlyph, Policies::tr("open")};
    case DoorState::Holding:
        return held(withCountdown(Policies::tr("holding everybody after a rejection"),
                                  Policies::tr("holding everybody after a rejection, %1 left")));
    case DoorState::Probing:
        return held(
            withCountdown(Policies::tr("probing: one connection tries, the others wait"),
                          Policies::tr("probing: one connection tries, the others wait, %1 left")));
    case DoorState::CoolingDown:
        return held(withCountdown(Policies::tr("cooling down after rejections"),
                                  Policies::tr("cooling down after rejections, %1 left")));
    }
    return {Meaning::Done, idleGlyph, unknown()};
}

} // namespace headway::ui
