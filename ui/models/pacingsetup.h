// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/lab/arrivals.h"
#include "proxy/core/live/snapshot.h"

#include <map>
#include <string>

namespace headway::ui {

// What the settings of a snapshot (by key) say to the pacer. Unknown keys and secrets are left out;
// a value that cannot be is not taken, as in the proxy.
[[nodiscard]] lab::PacingSetup
pacingSetupOf(const std::map<std::string, live::SettingValue> &settings);

} // namespace headway::ui
