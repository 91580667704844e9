// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/listener/exchange.h"

#include <string>

namespace headway::net {

// A request that is answered here and never reaches the engine.
struct Refusal
{
    int status = 400;
    std::string message; // what is wrong and what to do; never a secret
    HeaderFields headers; // Allow, Retry-After, …
    std::string code; // short, for programs; may be empty
};

} // namespace headway::net
