// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headway::net {

// How far a dial came before it failed.
enum class DialStage : std::uint8_t {
    Connecting, // no connection: name, outbound proxy, TCP, TLS
    Unanswered, // it stood, the request for an upgrade went out, and not a byte came back
    Answering, // what came back is no answer
};

} // namespace headway::net
