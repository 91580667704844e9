// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/strongtype.h"
#include "proxy/core/base/time.h"
#include "proxy/core/pacing/budget.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>

namespace headway::pacing {

using WaiterId = base::StrongType<std::uint64_t, struct WaiterIdTag>;

// One attempt that needs a new connection. The budget is the one its turn arrived with. What
// follows the budget is read by `fixed`, `adaptive` and `auto`; `bucket` and `off` ignore it.
struct AdmissionRequest
{
    WaiterId id;
    RequestBudget budget;
    std::uint64_t session = 0; // whose turn it is, hashed; 0: nobody's in particular
    std::uint64_t agent = 0; // which agent of that session, hashed; 0: its main agent
    bool interactive = false; // a person waits: main agent, and the last item is a user text
    // When the idle deadline that all attempts of the turn share ends (section 1). Never later
    // than now + budget.idle, which is what max() stands for.
    base::SteadyTime idleDeadline = base::SteadyTime::max();
    // Hash of session, agent and last canonical input item (section 7, tickets); 0: no ticket.
    std::uint64_t ticketKey = 0;
};

struct Admitted
{
    base::Nanoseconds waited{0};
    bool queued = false; // it really waited; the caller must scan the heads again
    // Shed idle heads, oldest first, until at most this many sockets are open; then dial.
    std::optional<std::size_t> shedTo = std::nullopt;
    bool withTicket = false; // auto: the slot that its refusal reserved is used up
};

struct Queued
{
    base::SteadyTime departsAt; // as things stand; returns and settings may move it
    std::size_t place = 1; // 1 = next to leave
    base::Nanoseconds required{0}; // the honest wait
};

struct Refused
{
    base::Nanoseconds required{0}; // the honest wait, for the ledger
    base::Seconds hint{1}; // what the retry schedule may use; final: the client's Retry-After
    base::Nanoseconds waited{0}; // 0 when refused on arrival
    bool final = false; // goes to the client at once, without an inner retry (section 4)
    std::optional<base::SteadyTime> slot = std::nullopt; // auto: what its ticket reserves
};

using AdmissionDecision = std::variant<Admitted, Queued, Refused>;

// What became of a waiter: it may dial, or it is sent back to its inner ladder (or, when the
// refusal is final, to its client).
struct Departure
{
    WaiterId id;
    std::variant<Admitted, Refused> outcome;
};

// The provider's answer to an upgrade when it is a rejection: 403 (no block form), 429 or 503.
struct Rejection
{
    int status = 0;
    std::optional<base::Milliseconds> retryAfter;
};

// Upstream sockets, those being dialled not counted.
struct SocketLevel
{
    std::size_t open = 0;
    std::size_t idle = 0; // of these, the ones that could be shed now

    friend bool operator==(const SocketLevel &, const SocketLevel &) = default;
};

} // namespace headway::pacing
