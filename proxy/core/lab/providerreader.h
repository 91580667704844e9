// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/json/document.h"
#include "proxy/core/lab/scenario.h"

namespace headway::lab {

// The `provider` object of a scenario. What only the simulator plays is checked and left out.
[[nodiscard]] ProviderPlan readProvider(json::Value value, Problem &problem);

} // namespace headway::lab
