// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/tuning.h"

namespace headway::engine {

namespace {

using settings::Key;

pacing::Policy policyOf(std::string_view name)
{
    if (name == "off")
        return pacing::Policy::Off;
    if (name == "fixed")
        return pacing::Policy::Fixed;
    if (name == "adaptive")
        return pacing::Policy::Adaptive;
    if (name == "auto")
        return pacing::Policy::Auto;
    return pacing::Policy::Bucket;
}

std::size_t mebibytes(const settings::Settings &settings, Key key)
{
    return static_cast<std::size_t>(settings.integer(key)) << 20U;
}

} // namespace

pacing::PacerSettings pacerSettings(const settings::Settings &settings)
{
    pacing::PacerSettings pacer;
    pacer.policy = policyOf(settings.text(Key::Policy));
    pacer.ratePerMinute = static_cast<double>(settings.integer(Key::RatePerMin));
    pacer.burst = static_cast<double>(settings.integer(Key::Burst));
    pacer.spacingFloor = base::Milliseconds{settings.integer(Key::SpacingFloorMs)};
    pacer.ratePinned = settings.flag(Key::RatePinned);
    return pacer;
}

pacing::TokenBudget tokenBudget(const settings::Settings &settings, std::uint64_t seed)
{
    return pacing::TokenBudget(seed, static_cast<std::uint64_t>(settings.integer(Key::TokenFloor)));
}

heads::PoolSettings poolSettings(const settings::Settings &settings)
{
    heads::PoolSettings pool;
    pool.nurseryCap = static_cast<std::size_t>(settings.integer(Key::NurseryCap));
    pool.establishedCap = static_cast<std::size_t>(settings.integer(Key::EstablishedCap));
    pool.nurseryIdle = base::Seconds{settings.integer(Key::NurseryIdleS)};
    pool.establishedIdle = base::Seconds{settings.integer(Key::EstablishedIdleS)};
    pool.rotateAfter = base::Seconds{settings.integer(Key::RotateS)};
    return pool;
}

net::ListenerLimits listenerLimits(const settings::Settings &settings)
{
    net::ListenerLimits limits;
    limits.maxBodyBytes = mebibytes(settings, Key::MaxBodyMib);
    limits.maxAllBodiesBytes = mebibytes(settings, Key::MemoryMib);
    if (settings.isSet(Key::MaxConnections))
        limits.maxConnections = static_cast<std::size_t>(settings.integer(Key::MaxConnections));
    return limits;
}

std::map<std::string, live::SettingValue> settingValues(const settings::Settings &settings)
{
    std::map<std::string, live::SettingValue> values;
    for (const settings::Row &row : settings::table()) {
        if (row.kind == settings::Kind::Secret)
            continue;
        values.emplace(row.name,
                       live::SettingValue{settings.text(row.key),
                                          std::string(name(settings.source(row.key))),
                                          settings.isLocked(row.key)});
    }
    return values;
}

} // namespace headway::engine
