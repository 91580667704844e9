// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/heads/pool.h"
#include "proxy/core/lab/provider.h"
#include "proxy/core/lab/workload.h"
#include "proxy/core/pacing/pacer.h"
#include "proxy/core/turn/deadline.h"
#include "proxy/core/turn/recovery.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace headway::lab {

// One modelled agent and the turn it is in, seen from its client and from the proxy.
struct AgentState
{
    enum class Phase : std::uint8_t {
        Away,
        Gated, // in the token gate or a cool-down, in front of its scan
        Queued,
        Dialling,
        Holding, // in the gate again, with its connection
        Streaming,
        BackingOff,
    };

    const PlannedAgent *plan = nullptr;
    std::size_t number = 0;
    std::uint64_t session = 0; // hashed, as the pacer is told
    std::uint64_t agent = 0; // hashed; 0: the main agent
    std::optional<heads::PartitionKey> partition;

    // The conversation.
    std::vector<heads::ItemPrint> items;
    std::uint64_t itemsMade = 0;

    // The client.
    std::size_t turn = 0;
    bool asked = false; // the turn at hand has been asked for at least once
    bool needed = false; // it has asked for a new connection at least once
    base::SteadyTime firstRequest;
    int clientRetries = 0;
    base::Random random{0};

    // The proxy's turn: one per request of the client.
    Phase phase = Phase::Away;
    std::uint32_t request = 0; // tells events of an earlier request from those of this one
    std::optional<turn::Deadline> deadline;
    turn::Remedies remedies;
    pacing::WaiterId waiter;
    heads::ScanResult scan;
    heads::HeadId head;
    base::ConnectionId connection;
    UpgradeReply reply; // to the upgrade under way
    bool continued = false;
    bool hadOutput = false;
    bool gated = false; // counted among those in the gate
    std::optional<base::SteadyTime>
        clearAt; // of this attempt: when the shared cool-down lets it go
    base::SteadyTime placedAt; // the dial or claim of this attempt
    base::SteadyTime sentAt;

    [[nodiscard]] const PlannedTurn &plannedTurn() const { return plan->turns[turn]; }
};

} // namespace headway::lab
