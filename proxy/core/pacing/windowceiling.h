// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/core/pacing/passlog.h"

#include <array>
#include <cstddef>
#include <optional>

namespace headway::pacing {

// Policy `auto`, shape "window": the hypothesis that at most N openings pass in any time w.
//
//   w      one of 5, 10, 15, 20, 30, 45, 60, 90 and 120 s; 60 s until something else is seen
//   c(w)   openings of the last w, those being dialled included
//   N      the ceiling; none before the first throttle
//   B      what a block lasts: 20 s, more if a throttle outlasted the window or stated more, at
//          most 120 s
//
// Learning. A throttle at c(w) openings proposes N = c(w), unless more have passed in some w of the
// last ten minutes. The proposal is adopted when the door opens again after the first of them was
// forgotten, and not when it opens because a head was shed, or was closed for less than a second:
// under steady traffic noise ends there too. The longest w up to 60 s that fits is taken; under
// 60 s only with N > 3 (fewer look like a rate) and if no time was stated (it opens when it was
// told to), over 60 s only if probes failed for more than 65 s, up to the end of that w.
// If none fits, that counts two doubts (four at most); the next one that fits takes one away, and
// while there are any none is adopted and probes are not kept back for it.
// A throttle at 0.3 N <= c < N lowers it, N := max(1, 0.85 c), when it is over; if a longer w fits,
// it was that.
// Growth. While demand presses against N, one opening more is tried: for nothing when the next
// forgotten opening is further away than B, for a price otherwise, so that is done only every
// `patience` (120 s, doubled by each failure, at most 480 s). Free trials are at least 30 s apart,
// 60 s once N was confirmed twice, and after the first one they wait until no more than B + 2 s are
// left: only then a shorter w shows. A trial that passes raises N by a step that doubles, up to 64,
// while trials pass; one that fails confirms N. Once 1.2 times the c(w) of the last throttle have
// passed, a shorter w in which no more than its own c passed, 0.8 c(w) at least, explains it
// better. A throttle below N while it grows says what N is.
class WindowCeiling final
{
public:
    static constexpr base::Seconds assumedBlock{20};
    static constexpr std::array<base::Seconds, 9> lengths{
        base::Seconds{5},  base::Seconds{10}, base::Seconds{15},
        base::Seconds{20}, base::Seconds{30}, base::Seconds{45},
        base::Seconds{60}, base::Seconds{90}, base::Seconds{120}};

    [[nodiscard]] std::optional<std::size_t> ceiling() const { return m_ceiling; }
    [[nodiscard]] base::Seconds length() const { return lengths[m_length]; }
    [[nodiscard]] int confirmations() const { return m_confirmations; }
    [[nodiscard]] base::Nanoseconds block() const { return m_block; }

    // Adopted, and not for the first time if it is shorter than a minute.
    [[nodiscard]] bool isKnown() const;

    // A proposal is open: when its first opening is forgotten.
    [[nodiscard]] std::optional<base::SteadyTime> expectedOpening() const { return m_expected; }

    // Proposals were wrong of late, so this one is no reason to keep probes back.
    [[nodiscard]] bool isDoubtful() const { return m_doubts > 0 && !m_ceiling; }

    struct Reopening
    {
        base::SteadyTime at; // when the opening that is in the log already was dialled
        base::SteadyTime lastFailure; // before it
        bool forOtherReasons = false;
        bool stated = false; // the provider said when
        bool longClosed = false; // for longer than a block explains
    };

    void passed(const PassLog &log, base::SteadyTime now);
    void throttled(const PassLog &log, base::SteadyTime now);
    void reopened(const PassLog &log, const Reopening &reopening);
    void blockLasted(base::Nanoseconds time);

    // May one more than N be tried now? `next`: when the next opening is forgotten.
    [[nodiscard]] bool mayTry(base::SteadyTime now, std::optional<base::SteadyTime> next) const;
    [[nodiscard]] std::optional<base::SteadyTime>
    nextTry(base::SteadyTime now, std::optional<base::SteadyTime> next) const;
    void trying(base::SteadyTime now) { m_lastTrial = now; }
    void trialPassed(const PassLog &log, base::SteadyTime now);
    void trialFailed();

    void recall(std::size_t perMinute) { m_ceiling = perMinute; }
    void wasNone(); // it was a rate after all

private:
    struct Length
    {
        std::size_t most = 0; // openings that passed within it
        base::SteadyTime mostAt;
        std::size_t counted = 0; // at the latest throttle
    };
    static constexpr std::size_t minute = 6; // its index

    [[nodiscard]] bool isPlausible(std::size_t length, base::SteadyTime now) const;
    [[nodiscard]] bool fits(std::size_t length, const PassLog &log,
                            const Reopening &reopening) const;
    [[nodiscard]] std::optional<std::size_t> longestFitting(const PassLog &log,
                                                            const Reopening &reopening) const;
    void adopt(std::size_t length);

    std::optional<std::size_t> m_ceiling;
    std::size_t m_length = minute;
    std::array<Length, lengths.size()> m_lengths;
    std::optional<base::SteadyTime> m_expected;
    std::optional<std::size_t> m_lower; // N, once the throttle is over
    bool m_isClosed = false;
    bool m_fewer = false; // the latest throttle came below N
    int m_confirmations = 0;
    int m_doubts = 0;
    std::size_t m_step = 1;
    std::optional<base::SteadyTime> m_lastTrial;
    base::Nanoseconds m_block{assumedBlock};
    base::Nanoseconds m_patience{base::Seconds(120)};
};

} // namespace headway::pacing
