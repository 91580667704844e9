// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/pacing/autopacer.h"
#include "proxy/core/pacing/bucketpacer.h"
#include "proxy/core/pacing/spacedpacer.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headway::pacing {

// All five policies behind one pacer (spec/pacing.md section 8). A change of policy hands the
// waiters over in their order, with the arrival times and deadlines they have; the new policy
// judges them by its own law at that instant.
//
//   off, bucket, or rate 0 with any policy    bucketpacer.h
//   fixed, adaptive                           spacedpacer.h
//   auto                                      autopacer.h
//
// Each policy counts what the others let go, so that a change opens nothing twice: the bucket loses
// a token for every start, the spacing begins at the last start, and `auto` sees every outcome
// whichever policy asked. Waiters sent back by a change leave with the next due().
class PolicyPacer final : public Pacer
{
public:
    PolicyPacer(const PacerSettings &settings, base::Now now, std::uint64_t seed);

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
    void recoveryRejected(const Rejection &rejection, base::Now now) override;
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

private:
    [[nodiscard]] PolicyQueue &queueOf(const PacerSettings &settings);
    void countElsewhere(base::Now now);

    BucketPacer m_bucket;
    SpacedPacer m_spaced;
    AutoPacer m_auto;
    PacerSettings m_settings;
    PolicyQueue *m_active;
};

} // namespace headway::pacing
