// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/strongtype.h"

#include <cstdint>

namespace headway::base {

// One client request for one model reply; unique within an installation. Printed as
// "req_" + 16 hex digits, which is also the reply's request-id header.
using TurnId = StrongType<std::uint64_t, struct TurnIdTag>;
// One upstream connection, unique within the process. Zero: none.
using ConnectionId = StrongType<std::uint64_t, struct ConnectionIdTag>;

} // namespace headway::base
