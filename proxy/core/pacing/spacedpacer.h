// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/pacing/adaptivespacing.h"
#include "proxy/core/pacing/firstoutputs.h"
#include "proxy/core/pacing/policyqueue.h"

#include <cstdint>
#include <list>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace headway::pacing {

// Policies `fixed` and `adaptive` (spec/pacing.md section 4): one queue, first in, first out, and
// a distance s between two starts.
//
//   fixed      s = 1 s
//   adaptive   s as adaptivespacing.h says; it moves with every outcome
//
// With L the start of the last admission that is not handed back, the first waiter leaves at
// max(now, L + s); an arrival that finds nobody waiting and L + s past leaves at once. No departure
// is stored: a cancelled waiter, or an admission handed back, moves everybody behind it, and after
// a stall the overdue ones leave s apart. Nobody is refused but at its `latest` (firstoutputs.h),
// finally: its client gets
//
//   hint = clamp(ceil(seconds until it would have left), 1, 60)
//
// No wait bound, no burst, no debt. Recovery connections pass by the queue and count as a start.
class SpacedPacer final : public PolicyQueue
{
public:
    SpacedPacer(const PacerSettings &settings, base::Now now);

    [[nodiscard]] AdmissionDecision request(const AdmissionRequest &request,
                                            base::Now now) override;
    void cancel(WaiterId id, base::Now now) override;
    void giveBack(WaiterId id, base::Now now) override;
    void settle(WaiterId id) override;
    void opened(WaiterId id, base::Now now) override;
    std::optional<AdmissionDecision> rejected(WaiterId id, const Rejection &rejection,
                                              base::Now now) override;
    void debitRecovery(const RequestBudget &budget, base::Now now) override;
    void recoveryOpened(base::Now now) override;
    void recoveryRejected(const Rejection &rejection, base::Now now) override;
    void firstOutput(base::Nanoseconds time) override;
    void moveToFront(WaiterId id, base::Now now) override;
    [[nodiscard]] std::vector<Departure> due(base::Now now) override;
    [[nodiscard]] std::optional<base::SteadyTime> nextDue() const override;
    void applySettings(const PacerSettings &settings, base::Now now) override;
    [[nodiscard]] PacerLevel level(base::Now now) const override;
    [[nodiscard]] std::vector<Place> queue() const override;
    [[nodiscard]] std::vector<Notice> notices(const RequestBudget &budget) const override;
    [[nodiscard]] std::vector<Attempt> handOver(base::Now now) override;
    void adopt(const std::vector<Attempt> &attempts, base::Now now) override;
    void startedElsewhere(base::Now now) override;

private:
    using Queue = std::list<std::pair<Attempt, base::SteadyTime>>; // with its latest start

    [[nodiscard]] base::Nanoseconds spacing() const;
    [[nodiscard]] base::SteadyTime nextStart() const;
    [[nodiscard]] Refused refusal(base::Nanoseconds required, base::Nanoseconds waited) const;
    void advance(base::Now now);
    void push(const Attempt &attempt, base::SteadyTime latest);
    void erase(Queue::iterator waiter);
    void refuseLate(std::vector<Departure> &out);

    bool m_adaptive = false;
    AdaptiveSpacing m_law;
    FirstOutputs m_firstOutputs;
    base::SteadyTime m_at; // the latest instant seen
    Queue m_queue;
    std::unordered_map<WaiterId, Queue::iterator> m_index;
    std::set<std::pair<base::SteadyTime, WaiterId>> m_latest;
    std::optional<base::SteadyTime> m_lastStart; // of those that cannot be handed back any more
    std::unordered_map<WaiterId, base::SteadyTime> m_unsettled;
};

} // namespace headway::pacing
