// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/random.h"
#include "proxy/core/base/time.h"
#include "proxy/core/pacing/budget.h"
#include "proxy/core/pacing/pacer.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>

namespace headway::pacing {

// A turn that the provider throttled before output, and that the pacer did not take back.
struct Throttled
{
    enum class By : std::uint8_t {
        Upgrade, // rejected: 403, 429 or 503
        Event, // 429, rate_limit_exceeded or slow_down in an event
    };
    By by = By::Upgrade;
    Policy policy = Policy::Bucket;
    int retriesUsed = 0; // inner retries this turn has spent
    int rejections = 0; // upgrades of this turn that were rejected before
    std::optional<base::Milliseconds> stated; // Retry-After, retry-after-ms or a field of the body
    base::Nanoseconds remaining{0}; // what its deadline leaves
};

struct RetryIn // costs one inner retry
{
    base::Nanoseconds delay{0};
};
struct PassOn // the client gets it at once
{
    std::optional<base::Milliseconds> retryAfter;
};
using ThrottleAnswer = std::variant<RetryIn, PassOn>;

// spec/pacing.md section 6, for one endpoint and account. With n the number of the next inner
// retry,
//
//   rung    min(2 * 2^(n-1), 30) s
//   base    the stated time; else 3 s for the first rejection of a turn under `fixed` or
//           `adaptive`; else the rung
//   place   0, 1, 2 ... of the victims of one burst: those within 2 s of its first
//   delay   place 0, base a rung: base * U(0.8, 1.0), so that the sum stays in the ladder
//           otherwise: base + min(100 ms * place, (idle - ladder - (retries + 1) * bound) /
//           (2 * retries)) + U(0, 20 ms), from its own rejection; never before a stated time
//
// Passed on: no retry left; stated more than 120 s; stated so late that less than bound + 1 s of
// the deadline would be left; or no time left at all. A throttle by event starts a cool-down of its
// base for everybody: no call is to be sent before.
class RejectionSchedule final
{
public:
    explicit RejectionSchedule(std::uint64_t seed);

    [[nodiscard]] ThrottleAnswer next(const Throttled &turn, const RequestBudget &budget,
                                      base::Now now);

    // When a call that is about to be sent may go: now, or one after the other, 100 ms apart and
    // with U(0, 20 ms), once the cool-down is over. Asked once per call.
    [[nodiscard]] base::SteadyTime clearAt(base::Now now);
    [[nodiscard]] std::optional<base::SteadyTime> coolingUntil(base::Now now) const;

private:
    [[nodiscard]] std::size_t takePlace(base::SteadyTime now);

    base::Random m_random;
    std::optional<base::SteadyTime> m_burstSince;
    std::size_t m_victims = 0;
    std::optional<base::SteadyTime> m_coolUntil;
    std::size_t m_held = 0;
};

} // namespace headway::pacing
