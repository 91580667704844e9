// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "proxy/core/live/waithistogram.h"

#include <cstddef>
#include <string>

namespace headway::live {

// What GET /metrics says; counters since the process began.
struct Metrics
{
    std::string version;
    Totals totals;
    std::uint64_t admissionsRefused = 0;
    WaitHistogram waits;
    std::size_t turnsInFlight = 0;
    std::size_t waiting = 0;
    std::size_t gated = 0;
    std::size_t connections = 0;
    std::size_t heads = 0;
    double bucketLevel = 0;
    pacing::CeilingEstimate estimate;
    bool isLedgerOk = true;
};

// The text exposition format of Prometheus, version 0.0.4.
[[nodiscard]] std::string metricsText(const Metrics &metrics);

} // namespace headway::live
