// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/random.h"
#include "proxy/core/base/time.h"
#include "proxy/core/lab/scenario.h"
#include "proxy/core/lab/upgradelimits.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace headway::lab {

struct UpgradeReply
{
    bool accepted = true;
    int status = 101;
    std::optional<base::Milliseconds> retryAfter;
};

// A modelled provider: who may open a connection when, and how many input tokens a minute takes.
// It shares nothing with what paces. `now` never goes back.
//
// Tokens: the input of the turns accepted in (t - 60 s, t] is at most `tokens_per_min`. A turn that
// would exceed it is answered `rate_limit_exceeded` and uses nothing; an empty minute takes any
// turn.
class Provider final
{
public:
    Provider(const ProviderPlan &plan, std::uint64_t seed);

    // Judges an upgrade that arrives now; an accepted one is an open socket from here on.
    [[nodiscard]] UpgradeReply upgrade(base::SteadyTime now);
    void closed() { --m_open; }
    [[nodiscard]] std::size_t open() const { return m_open; }

    // A turn with that many input tokens is sent: nothing when it is taken, else how long until
    // there are enough.
    [[nodiscard]] std::optional<base::Nanoseconds> send(double inputTokens, base::SteadyTime now);

    // What the answer to an upgrade and an error frame say about tokens; nothing without a limit.
    struct TokenReading
    {
        std::uint64_t limit = 0;
        std::uint64_t remaining = 0;
        base::Milliseconds reset{0}; // until the first of them come back
    };
    [[nodiscard]] std::optional<TokenReading> tokens(base::SteadyTime now);

    // For the oracle: the earliest instant from `now` on at which an upgrade is not certain to be
    // rejected; nothing when only the closing of a socket can help, or nothing at all.
    [[nodiscard]] std::optional<base::SteadyTime> earliestUpgrade(base::SteadyTime now);
    // For the oracle: sockets to close before an upgrade has a chance.
    [[nodiscard]] std::size_t socketsInTheWay(base::SteadyTime now) const;
    // For the oracle: when that many tokens are there, as things stand.
    [[nodiscard]] base::SteadyTime earliestSend(double inputTokens, base::SteadyTime now);

private:
    struct RunningOutage
    {
        Outage outage;
        std::int64_t left = 0; // of a counted one
    };

    void bringUpTo(base::SteadyTime now);
    [[nodiscard]] RunningOutage *outageAt(base::SteadyTime now);
    void drawNextOther();

    const ProviderPlan &m_plan;
    UpgradeLimits m_limits;
    base::Random m_othersRandom;
    base::SteadyTime m_nextOther = base::SteadyTime::max();
    std::vector<RunningOutage> m_outages;
    std::size_t m_open = 0;
    std::deque<std::pair<base::SteadyTime, double>> m_charges; // input tokens of the last minute
    double m_used = 0; // their sum
};

} // namespace headway::lab
