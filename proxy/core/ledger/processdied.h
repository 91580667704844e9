// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/conservation.h"
#include "proxy/core/ledger/record.h"

#include <span>
#include <vector>

namespace headway::ledger {

// The records that end what a dead process left open, made by the next one before anything else
// (spec/safety.md, "The machine fails too"): a turn record with end process_died for every open
// turn, an admission record with outcome process_died for every open request.
//
// `started`: the turn_started records of the open turns, where they are still there; what is known
// of a turn comes from them. `lastSeen`: time of the dead process's last record, which bounds how
// long its turns ran. `now`: the time the records get.
[[nodiscard]] std::vector<Record> closeAsProcessDied(const OpenLives &open,
                                                     std::span<const Record> started,
                                                     base::WallTime lastSeen, base::WallTime now);

} // namespace headway::ledger
