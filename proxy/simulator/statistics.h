// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace headway::simulator {

// What the provider saw: the oracle of tests and the other side of the ledger.
struct Statistics
{
    std::uint64_t upgradesAccepted = 0;
    std::uint64_t upgradesRejected = 0; // by a limit or a fault
    std::uint64_t upgradesSwallowed = 0; // by a fault: never answered
    std::uint64_t openSockets = 0; // WebSockets, idle ones included
    std::uint64_t largestOpenSockets = 0;
    std::uint64_t creates = 0; // response.create frames and POSTs
    std::uint64_t turns = 0; // responses completed or incomplete, warm-ups included
    std::uint64_t warmUps = 0; // of these with generate:false
    std::uint64_t continuations = 0; // of these with previous_response_id
    std::uint64_t cancelled = 0; // responses whose peer went away
    std::uint64_t responsesInFlight = 0;
    std::uint64_t largestInFlight = 0;
    // Creates outstanding at once on one lane of one connection; 1: never a second before the end.
    std::uint64_t largestOverlap = 0;
    std::uint64_t inputTokens = 0;
    std::uint64_t cachedTokens = 0;
    std::map<std::string, std::uint64_t> errors; // refused creates by code, else by message
    std::vector<base::SteadyTime> acceptedAt; // the first 100 000 accepted upgrades
};

} // namespace headway::simulator
