// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/strongtype.h"
#include "proxy/core/base/time.h"
#include "proxy/core/pacing/budget.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace headway::pacing {

enum class Policy : std::uint8_t { Off, Fixed, Bucket, Adaptive, Auto };

struct PacerSettings
{
    Policy policy = Policy::Bucket;
    double ratePerMinute = 60; // 0 switches every policy's limiter off
    double burst = 10;
    base::Milliseconds spacingFloor{0};

    friend bool operator==(const PacerSettings &, const PacerSettings &) = default;
};

using WaiterId = base::StrongType<std::uint64_t, struct WaiterIdTag>;

// One attempt that needs a new connection. The budget is the one its turn arrived with.
struct AdmissionRequest
{
    WaiterId id;
    RequestBudget budget;
};

struct Admitted
{
    base::Nanoseconds waited{0};
    bool queued = false; // it really waited; the caller must scan the heads again
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
    base::Seconds hint{1}; // what the retry schedule may use
    base::Nanoseconds waited{0}; // 0 when refused on arrival
};

using AdmissionDecision = std::variant<Admitted, Queued, Refused>;

// What became of a waiter: it may dial, or it is sent back to its inner ladder.
struct Departure
{
    WaiterId id;
    std::variant<Admitted, Refused> outcome;
};

struct PacerLevel
{
    double tokens = 0; // negative: debt
    std::size_t waiting = 0;
    bool enabled = true;
};

// Decides when a new upstream connection may be opened (spec/pacing.md). Pure: time is an
// argument, nothing is called back. The caller asks due() whenever nextDue() has come.
// Every id that request() saw ends exactly once: refused, cancelled, given back or kept.
class Pacer
{
public:
    Pacer() = default;
    Pacer(const Pacer &) = delete;
    Pacer &operator=(const Pacer &) = delete;
    virtual ~Pacer() = default;

    [[nodiscard]] virtual AdmissionDecision request(const AdmissionRequest &request, base::Now now)
        = 0;

    // A waiter leaves the queue (client gone, or a head became free): what it took goes back once.
    // For an attempt that was admitted meanwhile it does what giveBack() does.
    virtual void cancel(WaiterId id, base::Now now) = 0;

    // An admitted attempt needs no connection after all: returns exactly the fraction it took,
    // once; a second return, or one for an unknown id, is ignored.
    virtual void giveBack(WaiterId id, base::Now now) = 0;

    // An admitted attempt used its admission (it dialled): nothing can be returned any more.
    virtual void settle(WaiterId id) = 0;

    // A replacement connection inside an admitted turn: bypasses the queue, is debited down to the
    // debt floor that the turn's wait bound gives (section 9).
    virtual void debitRecovery(const RequestBudget &budget, base::Now now) = 0;

    // Waiters whose time has come, in order of departure.
    [[nodiscard]] virtual std::vector<Departure> due(base::Now now) = 0;
    [[nodiscard]] virtual std::optional<base::SteadyTime> nextDue() const = 0;

    // Section 8. Waiters that no longer fit appear in the next due() as refused.
    virtual void applySettings(const PacerSettings &settings, base::Now now) = 0;

    [[nodiscard]] virtual PacerLevel level(base::Now now) const = 0;

    struct Place
    {
        WaiterId id;
        std::size_t place;
        base::SteadyTime departsAt;
    };
    [[nodiscard]] virtual std::vector<Place> queue() const = 0;

    // Facts that hold under these settings for this default budget ("pacing is off because …").
    [[nodiscard]] virtual std::vector<Notice> notices(const RequestBudget &budget) const = 0;
};

// Policies Bucket (section 3) and Off. The other three fall back to Bucket, and notices() says so.
[[nodiscard]] std::unique_ptr<Pacer> makePacer(const PacerSettings &settings, base::Now now);

} // namespace headway::pacing
