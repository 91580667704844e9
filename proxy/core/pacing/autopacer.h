// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/pacing/door.h"
#include "proxy/core/pacing/fairqueue.h"
#include "proxy/core/pacing/firstoutputs.h"
#include "proxy/core/pacing/policyqueue.h"
#include "proxy/core/pacing/tickets.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace headway::pacing {

// Policy `auto` (spec/pacing.md section 7). Its law has four parts, each written down where it
// lives:
//
//   door.h        whether one more may be dialled: hold and probe, and what was learned about the
//                 ceiling (windowceiling.h, rateceiling.h, socketcap.h)
//   fairqueue.h   who goes next
//   tickets.h     what a turn is told that must be refused, and what is kept back for it
//   here          a rejected attempt keeps its place: it is queued again under its id, at its old
//                 seniority, and loses no inner retry. Nobody is refused but at its `latest`
//                 (firstoutputs.h), finally, with a ticket. An opening goes to the first in the
//                 queue only if more are left than the tickets hold, one at most; a rate without
//                 a burst can save none up, there the owner of a ticket gets the next one.
//
// The hint of a ticket: until its turn as things stand (door.h), 1 s to 60 s.
class AutoPacer final : public PolicyQueue
{
public:
    AutoPacer(const PacerSettings &settings, base::Now now);

    [[nodiscard]] AdmissionDecision request(const AdmissionRequest &request,
                                            base::Now now) override;
    void cancel(WaiterId id, base::Now now) override;
    void giveBack(WaiterId id, base::Now now) override;
    void settle(WaiterId id) override;
    void opened(WaiterId id, base::Now now) override;
    std::optional<AdmissionDecision> rejected(WaiterId id, const Rejection &rejection,
                                              base::Now now) override;
    void dialFailed(WaiterId id, base::Now now) override;
    void debitRecovery(const RequestBudget &budget, base::Now now) override;
    void recoveryOpened(base::Now now) override;
    void socketsChanged(const SocketLevel &sockets, base::Now now) override;
    void firstOutput(base::Nanoseconds time) override;
    void moveToFront(WaiterId id, base::Now now) override;
    [[nodiscard]] std::vector<Departure> due(base::Now now) override;
    [[nodiscard]] std::optional<base::SteadyTime> nextDue() const override;
    void applySettings(const PacerSettings &settings, base::Now now) override;
    [[nodiscard]] PacerLevel level(base::Now now) const override;
    [[nodiscard]] std::vector<Place> queue() const override;
    [[nodiscard]] std::vector<std::uint64_t> takeLapsedTickets(base::Now now) override;
    [[nodiscard]] CeilingEstimate estimate(base::Now now) const override;
    void recall(const CeilingEstimate &estimate, base::Now now) override;
    [[nodiscard]] std::vector<Notice> notices(const RequestBudget &budget) const override;
    [[nodiscard]] std::vector<Attempt> handOver(base::Now now) override;
    void adopt(const std::vector<Attempt> &attempts, base::Now now) override;
    void startedElsewhere(base::Now now) override;

private:
    struct Dialling // admitted; its dial has not ended
    {
        Attempt attempt;
        base::SteadyTime latest;
        std::uint64_t order = 0;
        bool settled = false;
    };

    void advance(base::Now now);
    [[nodiscard]] Door::Permit nextPermit(bool inTime) const;
    Admitted admit(const FairQueue::Waiter &waiter, const Door::Permit &permit, bool queued);
    [[nodiscard]] Refused refuse(const FairQueue::Waiter &waiter, std::size_t place);
    [[nodiscard]] Queued queuedAt(WaiterId id) const;
    void refuseLate(std::vector<Departure> &out);

    Door m_door;
    FairQueue m_queue;
    Tickets m_tickets;
    FirstOutputs m_firstOutputs;
    base::SteadyTime m_at; // the latest instant seen
    std::unordered_map<WaiterId, Dialling> m_dialling;
    base::WallTime m_evidence{}; // the last throttle or recovery from one
};

} // namespace headway::pacing
