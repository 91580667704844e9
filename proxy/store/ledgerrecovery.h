// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/record.h"
#include "proxy/store/sqlconnection.h"

#include <tl/expected.hpp>
#include <vector>

namespace headway::store {

// The process_died records for what the last process left open in this ledger; none after a clean
// stop. Reads back to that process's start, so it is for the start of the next one, before it
// writes anything. `now`: the time the records get.
[[nodiscard]] tl::expected<std::vector<ledger::Record>, StoreError>
closingsOfLastProcess(const SqlConnection &connection, base::WallTime now);

} // namespace headway::store
