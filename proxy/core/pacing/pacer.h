// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/core/pacing/admission.h"
#include "proxy/core/pacing/budget.h"
#include "proxy/core/pacing/ceiling.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headway::pacing {

enum class Policy : std::uint8_t { Off, Fixed, Bucket, Adaptive, Auto };

struct PacerSettings
{
    Policy policy = Policy::Bucket;
    double ratePerMinute = 60; // 0 switches every policy's limiter off
    double burst = 10;
    base::Milliseconds spacingFloor{0};
    bool ratePinned = false; // auto: the rate is a hard upper limit, not only a start

    friend bool operator==(const PacerSettings &, const PacerSettings &) = default;
};

struct PacerLevel
{
    double tokens = 0; // negative: debt
    std::size_t waiting = 0;
    bool enabled = true;
    DoorState state = DoorState::Open;
    std::optional<base::SteadyTime> until = std::nullopt; // when that state ends, if known
    base::Nanoseconds spacing{0}; // between two starts, as things stand; 0: not spaced
    CeilingEstimate estimate{}; // auto
};

// Decides when a new upstream connection may be opened (spec/pacing.md). Pure: time is an
// argument, nothing is called back. The caller asks due() whenever nextDue() has come, and after
// every report. Every id that request() saw ends exactly once: refused, cancelled, given back or
// kept. Reports block nobody and may be made under any policy.
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

    // How a settled attempt's dial ended: the upgrade succeeded; it was rejected; or nobody knows
    // (name, TCP, TLS, any other status, client gone while dialling).
    // With a decision, `rejected` has taken the attempt back: Queued under the same id, at its old
    // place and without costing an inner retry, or a final Refused. Without one, the table of
    // section 6 applies (RejectionSchedule).
    virtual void opened(WaiterId, base::Now) { }
    virtual std::optional<AdmissionDecision> rejected(WaiterId, const Rejection &, base::Now)
    {
        return std::nullopt;
    }
    virtual void dialFailed(WaiterId, base::Now) { }

    // A replacement connection inside an admitted turn: bypasses the queue, is debited down to the
    // debt floor that the turn's wait bound gives (section 9).
    virtual void debitRecovery(const RequestBudget &budget, base::Now now) = 0;
    virtual void recoveryOpened(base::Now) { }
    virtual void recoveryRejected(const Rejection &, base::Now) { }

    // After every change of either number.
    virtual void socketsChanged(const SocketLevel &, base::Now) { }

    // From the sending of a turn to its first output: feeds `latest` (section 4).
    virtual void firstOutput(base::Nanoseconds) { }

    // A person lets this waiter leave next; those it passes keep their order. What no longer fits
    // appears in the next due() as refused. An unknown id is ignored.
    virtual void moveToFront(WaiterId, base::Now) { }

    // Waiters whose time has come, in order of departure.
    [[nodiscard]] virtual std::vector<Departure> due(base::Now now) = 0;
    [[nodiscard]] virtual std::optional<base::SteadyTime> nextDue() const = 0;

    // Keys of the tickets whose slots passed unused since this was last asked (section 7).
    [[nodiscard]] virtual std::vector<std::uint64_t> takeLapsedTickets(base::Now) { return {}; }

    // Section 8. Waiters that no longer fit appear in the next due() as refused.
    virtual void applySettings(const PacerSettings &settings, base::Now now) = 0;

    [[nodiscard]] virtual PacerLevel level(base::Now now) const = 0;

    struct Place
    {
        WaiterId id;
        std::size_t place;
        base::SteadyTime departsAt;
        std::uint64_t session = 0;
        bool interactive = false;
        bool isRefusal = false; // as things stand it is refused then: its turn would come later
    };
    [[nodiscard]] virtual std::vector<Place> queue() const = 0;

    // What `auto` has learned, to be kept over a restart, and the way back: the confidence fades
    // with the wall time between measurement and recall.
    [[nodiscard]] virtual CeilingEstimate estimate(base::Now) const { return {}; }
    virtual void recall(const CeilingEstimate &, base::Now) { }

    // Facts that hold under these settings for this default budget ("pacing is off because …").
    [[nodiscard]] virtual std::vector<Notice> notices(const RequestBudget &budget) const = 0;
};

// One pacer for all policies, changed at run time with applySettings(). `seed` moves the jitter.
[[nodiscard]] std::unique_ptr<Pacer> makePacer(const PacerSettings &settings, base::Now now,
                                               std::uint64_t seed = 0);

} // namespace headway::pacing
