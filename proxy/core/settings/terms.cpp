// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/settings/terms.h"

#include "proxy/core/pacing/policynames.h"

namespace headway::settings {

namespace {

base::Seconds seconds(const Settings &settings, Key key)
{
    return base::Seconds{settings.integer(key)};
}

std::size_t count(const Settings &settings, Key key)
{
    return static_cast<std::size_t>(settings.integer(key));
}

heads::LaneMode laneMode(std::string_view word)
{
    if (word == "off")
        return heads::LaneMode::Off;
    return word == "on" ? heads::LaneMode::On : heads::LaneMode::Auto;
}

} // namespace

pacing::PacerSettings pacerSettings(const Settings &settings)
{
    pacing::PacerSettings pacer;
    if (const auto policy = pacing::policyNamed(settings.text(Key::Policy)))
        pacer.policy = *policy;
    pacer.ratePerMinute = static_cast<double>(settings.integer(Key::RatePerMin));
    pacer.burst = static_cast<double>(settings.integer(Key::Burst));
    pacer.spacingFloor = base::Milliseconds{settings.integer(Key::SpacingFloorMs)};
    pacer.ratePinned = settings.flag(Key::RatePinned);
    return pacer;
}

heads::PoolSettings poolSettings(const Settings &settings, const heads::PoolSettings &profile)
{
    heads::PoolSettings pool = profile;
    if (settings.isSet(Key::NurseryCap))
        pool.nurseryCap = count(settings, Key::NurseryCap);
    if (settings.isSet(Key::EstablishedCap))
        pool.establishedCap = count(settings, Key::EstablishedCap);
    if (settings.isSet(Key::RotateS))
        pool.rotateAfter = seconds(settings, Key::RotateS);
    if (settings.isSet(Key::Lanes))
        pool.lanes = laneMode(settings.text(Key::Lanes));
    pool.nurseryIdle = seconds(settings, Key::NurseryIdleS);
    pool.establishedIdle = seconds(settings, Key::EstablishedIdleS);
    return pool;
}

pacing::RequestBudget requestBudget(const Settings &settings)
{
    pacing::RequestBudget budget = pacing::resolveBudget(settings.budget());
    budget.notices.clear();
    return budget;
}

} // namespace headway::settings
