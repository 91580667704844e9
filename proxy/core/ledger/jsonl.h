// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/columns.h"

#include <span>
#include <string>

namespace headway::ledger {

// One JSON object and a line feed: "kind", then every column of the kind under its name. Numbers
// are plain and exact, also beyond 2^53; flags are true or false; nothing is null. Texts must be
// UTF-8. `cells` is in the order of kind.columns.
void appendJsonLine(std::string &out, const Kind &kind, std::span<const Value> cells);

} // namespace headway::ledger
