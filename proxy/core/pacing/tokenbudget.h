// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/random.h"
#include "proxy/core/base/time.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace headway::pacing {

// x-ratelimit-reset-*: "6m0s", "1.5s", "13ms", "2m", "1h2m3s"; a bare number is seconds. Nothing
// for anything else.
[[nodiscard]] std::optional<base::Milliseconds> parseReset(std::string_view text);

// The gate in front of every upstream call (spec/pacing.md section 5). One for each endpoint and
// account; inside, one state for each header family.
//
//   floor   tokens and project tokens: min(token_floor, limit / 4 if known); requests: 1
//   left    remaining as last read, less what was sent since (estimated input, or requests)
//
// left < floor and the reset is at most 75 s away: the call waits until the reset plus U(0, 1 s)
// plus 50 ms for each place. Beyond 75 s the reset describes something else, a daily cap or a
// skewed clock. After the reset, and without a reset, the budget is unknown, and an unknown budget
// never waits. The newest reading wins.
class TokenBudget final
{
public:
    explicit TokenBudget(std::uint64_t seed, std::uint64_t tokenFloor = 35'000);

    // A header of the upgrade's or HTTP answer, or of an error frame's `headers`: names in any
    // case. False: not one of ours, or a value that is ignored.
    bool read(std::string_view name, std::string_view value, base::Now now);

    // A call was sent since the last reading.
    void sent(std::uint64_t estimatedInputTokens);

    struct Gate
    {
        base::Nanoseconds wait{0}; // here, at most max_wait
        base::Nanoseconds owed{0}; // still owed after that: paid by the caller, in its queue
        [[nodiscard]] bool isClear() const { return wait.count() == 0 && owed.count() == 0; }
    };
    // `place`: how many wait in front of it. `interactive`: a person waits (max_wait 5 s, else 65
    // s). To be asked again when the wait is over, and before the frame is sent.
    [[nodiscard]] Gate ask(std::size_t place, bool interactive, base::Now now);

    // How a family stands of which something was read.
    struct Level
    {
        std::string_view family;
        std::optional<std::uint64_t> limit{};
        std::uint64_t remaining = 0; // as last read
        std::uint64_t left = 0;
        std::uint64_t floor = 0;
        std::optional<base::Nanoseconds> untilReset{}; // nothing: not known, or it has passed
        bool isHolding = false; // a call would wait
    };
    [[nodiscard]] std::vector<Level> levels(base::SteadyTime now) const;

private:
    struct Family
    {
        std::optional<std::uint64_t> limit;
        std::optional<std::uint64_t> remaining;
        std::optional<base::SteadyTime> resetAt;
        std::uint64_t sent = 0;

        [[nodiscard]] std::uint64_t left() const;
    };
    static constexpr std::size_t requests = 1; // index of the family that counts calls

    // Of the family with this index.
    [[nodiscard]] std::uint64_t floorOf(std::size_t family) const;
    // How long a call waits for it; nothing: it does not.
    [[nodiscard]] std::optional<base::Nanoseconds> untilReset(std::size_t family,
                                                              base::SteadyTime now) const;

    std::array<Family, 3> m_families; // tokens, requests, project-tokens
    std::uint64_t m_tokenFloor;
    base::Random m_random;
};

} // namespace headway::pacing
