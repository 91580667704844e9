// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/shaping.h"
#include "proxy/core/heads/pool.h"
#include "proxy/core/live/snapshot.h"
#include "proxy/core/pacing/budget.h"
#include "proxy/core/pacing/pacer.h"
#include "proxy/core/pacing/tokenbudget.h"
#include "proxy/core/settings/settings.h"
#include "proxy/net/listener/listener.h"
#include "proxy/net/upstream/endpoint.h"

#include <map>
#include <string>

namespace headway::engine {

// The settings in the terms of those who follow them.
[[nodiscard]] pacing::TokenBudget tokenBudget(const settings::Settings &settings,
                                              std::uint64_t seed);
[[nodiscard]] heads::PoolSettings poolSettings(const settings::Settings &settings,
                                               const net::Endpoint &endpoint);
[[nodiscard]] net::ListenerLimits listenerLimits(const settings::Settings &settings);

[[nodiscard]] dialects::ShapingRules shapingRules(const settings::Settings &settings);

// Every setting but the secrets, as the window shows them.
[[nodiscard]] std::map<std::string, live::SettingValue>
settingValues(const settings::Settings &settings);

} // namespace headway::engine
