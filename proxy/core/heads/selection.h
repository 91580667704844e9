// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/heads/poolstate.h"

namespace headway::heads {

// spec/heads.md sections 3 and 4 over the heads of one partition: which head the request continues,
// or else why it continues none. Reads only.
[[nodiscard]] ScanResult select(const Partition &partition, const ScanRequest &request);

} // namespace headway::heads
