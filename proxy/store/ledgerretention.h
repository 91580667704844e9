// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/store/sqlconnection.h"

#include <tl/expected.hpp>

namespace headway::store {

struct RetentionLimits
{
    base::WallTime oldest; // what is older goes
    qint64 bytes = 0; // of the database file, its -wal apart
};

// Removes the oldest records that are beyond a limit, at most a thousand, and gives pages back
// where the file is too large: a few milliseconds. True: there may be more to do.
//
// Records go in the order they were made, so that what is left has no holes; a record dated in the
// future by a clock that was wrong keeps those after it until the size limit is reached. A
// checkpoint holds what was open at the cut.
tl::expected<bool, StoreError> retainStep(const SqlConnection &connection,
                                          const RetentionLimits &limits);

} // namespace headway::store
