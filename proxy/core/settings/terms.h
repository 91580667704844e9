// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/heads/poolvalues.h"
#include "proxy/core/pacing/budget.h"
#include "proxy/core/pacing/pacer.h"
#include "proxy/core/settings/settings.h"

namespace headway::settings {

// The settings in the terms of those who follow them, for the engine and for the lab.
[[nodiscard]] pacing::PacerSettings pacerSettings(const Settings &settings);
// `profile`: what the endpoint likes, for caps and age that the user did not set.
[[nodiscard]] heads::PoolSettings poolSettings(const Settings &settings,
                                               const heads::PoolSettings &profile);
// Without the notices, since every turn carries a copy.
[[nodiscard]] pacing::RequestBudget requestBudget(const Settings &settings);

} // namespace headway::settings
