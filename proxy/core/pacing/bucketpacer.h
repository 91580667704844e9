// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/pacing/policyqueue.h"
#include "proxy/core/pacing/waitqueue.h"

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

namespace headway::pacing {

// Policy `bucket` (spec/pacing.md sections 3, 8 and 9): a token bucket with a queue whose length
// is bounded by the time its waiters may spend in it.
//
//   r      refill in tokens per ns: rate_per_min / 60e9
//   T      tokens in the bucket: T := min(burst, T + r * max(0, dt)) at every call
//   s_i    share of waiter i: what it takes out of T when it leaves (1, or less under rule 4)
//   D      free tokens: T - sum of s_i; negative: debt
//   bound  longest wait of the attempt; floor = -bound * r, the deepest debt it may cause
//
// An arrival at time t:
//   1. D >= 1 and nobody waits: T := T - 1, admitted.
//   2. w = (1 - D) / r <= bound: queued with s = 1.
//   3. w > bound, can refuse: refused, nothing changes. Hint: bucketrules.h.
//   4. w > bound, cannot refuse: s = D - floor; if s > 0 queued (leaves after the bound), else
//      admitted with s = 0, past the queue.
// The first waiter leaves once T >= s_1, and T := T - s_1. No departure time is stored: a share
// that comes back, or another rate, moves everybody behind it without touching them, and a stall
// of the event loop costs what the burst cap cuts off, so that those who are overdue leave as T
// allows and not together. After such a loss, and after new settings, the queue is replanned: in
// order, by the rules above with what is left of each bound; whoever no longer fits is refused.
//
// Clamps: bucketrules.h, effective(); rate 0 or policy `off`: everybody is admitted at once.
// A bound of zero means that pacing is off for this attempt: it is admitted at once and takes
// what is free, at most one token. A returned share is capped like a refill: a token that comes
// back to a full bucket is gone.
class BucketPacer final : public PolicyQueue
{
public:
    BucketPacer(const PacerSettings &settings, base::Now now);

    [[nodiscard]] AdmissionDecision request(const AdmissionRequest &request,
                                            base::Now now) override;
    void cancel(WaiterId id, base::Now now) override;
    void giveBack(WaiterId id, base::Now now) override;
    void settle(WaiterId id) override;
    void debitRecovery(const RequestBudget &budget, base::Now now) override;
    void moveToFront(WaiterId id, base::Now now) override;
    [[nodiscard]] std::vector<Departure> due(base::Now now) override;
    [[nodiscard]] std::optional<base::SteadyTime> nextDue() const override;
    void applySettings(const PacerSettings &settings, base::Now now) override;
    [[nodiscard]] PacerLevel level(base::Now now) const override;
    [[nodiscard]] std::vector<Place> queue() const override;
    [[nodiscard]] std::vector<Notice> notices(const RequestBudget &budget) const override;
    // Waiters that were already sent back stay for the next due(), whoever is asked then.
    [[nodiscard]] std::vector<Attempt> handOver(base::Now now) override;
    void adopt(const std::vector<Attempt> &attempts, base::Now now) override;
    // Another policy let somebody go: one token, but no debt.
    void startedElsewhere(base::Now now) override;

private:
    // Left the queue between two calls of due(); it is told at the next one.
    struct Leaver
    {
        WaiterId id;
        base::SteadyTime arrivedAt;
        std::optional<Refused> refused; // empty: admitted without a share
    };

    [[nodiscard]] bool limiterOff() const;
    [[nodiscard]] double freeTokens() const { return m_tokens - m_queue.promised(); }
    [[nodiscard]] base::Nanoseconds timeToGain(double tokens) const;
    [[nodiscard]] double gainedIn(base::Nanoseconds time) const;
    [[nodiscard]] bool isWithin(base::Nanoseconds wait, base::Nanoseconds limit) const;
    [[nodiscard]] bool isReady(const Waiter &waiter) const;
    [[nodiscard]] base::SteadyTime departure(const Waiter &waiter, double tokensNeeded) const;

    void refill(base::SteadyTime now);
    void take(WaiterId id, double share);
    Queued enqueue(const AdmissionRequest &request, double share, base::Nanoseconds wait,
                   base::Nanoseconds required);
    AdmissionDecision overflow(const AdmissionRequest &request, base::Nanoseconds required);
    void departReady(std::vector<Departure> &out);
    WaitQueue::Iterator leave(WaitQueue::Iterator waiter);
    void replan();
    WaitQueue::Iterator replanOne(WaitQueue::Iterator waiter, double &free);
    void releaseAll();

    PacerSettings m_settings;
    double m_perNanosecond = 0;
    double m_tokens = 0;
    base::SteadyTime m_at; // the latest instant seen; tokens are as of then
    bool m_lostTokens = false; // the cap cut off tokens that waiters were counting on
    WaitQueue m_queue;
    std::vector<Leaver> m_leavers;
    std::unordered_map<WaiterId, double> m_admitted; // what each unsettled admission took
};

} // namespace headway::pacing
