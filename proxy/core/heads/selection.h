// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/heads/poolstate.h"

namespace headway::heads {

// What the choice depends on besides the heads.
struct SelectionFacts
{
    const Durations &durations;
    const LostHeads &lost;
    std::size_t partition = 0; // hash of its key
    base::Now now;
    bool hasLanes = false; // the endpoint
};

// spec/heads.md sections 3 and 4 over the heads of one partition: which head the request continues,
// waits for or forks from, or else why it continues none. Reads only.
[[nodiscard]] ScanResult select(const Partition &partition, const ScanRequest &request,
                                const RequestTrail &trail, const SelectionFacts &facts);

} // namespace headway::heads
