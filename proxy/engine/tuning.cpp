// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/tuning.h"

#include "proxy/core/heads/endpointprofile.h"
#include "proxy/core/settings/terms.h"

namespace headway::engine {

namespace {

using settings::Key;

std::size_t mebibytes(const settings::Settings &settings, Key key)
{
    return static_cast<std::size_t>(settings.integer(key)) << 20U;
}

} // namespace

pacing::TokenBudget tokenBudget(const settings::Settings &settings, std::uint64_t seed)
{
    return pacing::TokenBudget(seed, static_cast<std::uint64_t>(settings.integer(Key::TokenFloor)));
}

// What the user did not set is as the endpoint likes it (spec/heads.md section 2).
heads::PoolSettings poolSettings(const settings::Settings &settings, const net::Endpoint &endpoint)
{
    return settings::poolSettings(
        settings,
        heads::profileOf(endpoint.url.host().toStdString(), endpoint.url.path().toStdString()));
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

dialects::ShapingRules shapingRules(const settings::Settings &settings)
{
    return {.toolOutputCap = static_cast<std::size_t>(settings.integer(Key::ToolOutputCap)),
            .viewOutputCap = static_cast<std::size_t>(settings.integer(Key::ViewOutputCap)),
            .viewTools = settings.text(Key::ViewTools),
            .elideViews = settings.flag(Key::ElideViews),
            .historyTurns = static_cast<std::size_t>(settings.integer(Key::HistoryTurns))};
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
