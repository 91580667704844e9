// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/listener/gate.h"
#include "proxy/net/listener/limits.h"
#include "proxy/net/listener/listener.h"
#include "proxy/net/listener/memorybudget.h"

#include <functional>

namespace headway::net {

// What all connections of one listener share. Outlives them.
struct ListenerContext
{
    ListenerLimits limits;
    ListenerTimes times;
    Gate gate;
    MemoryBudget bodies;
    bool draining = false; // no further requests on a connection
    bool modelSockets = true; // WebSocket is spoken on model routes
    std::function<void(Exchange *)> requested;
    std::function<void(ClientSocket *)> upgraded;
    std::function<void()> upgradeRefused;
};

} // namespace headway::net
