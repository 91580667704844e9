// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <cstddef>
#include <optional>

namespace headway::pacing {

// Policy `auto`, shape "rate": the hypothesis that openings pass one interval I apart, with a burst
// after a pause.
//
//   V      openings saved up: V := min(b, V + dt / I), 1 taken by each dial; one may go at V >= 1
//   b      what passed in a row before the first throttle, at most 100
//
// Adopted by the door when throttles follow each other with at most two openings in between.
// A miss (rejected although V allowed it): I := 1.03 I, 1.15 I for each further one in a row, and
// V := 0.7, so that the next one goes 0.3 I later. Misses also bound I. With k openings in the time
// T between two of them, and demand all the while, T / (k + 1) < I < T / (k - 1), since at a miss
// less than one opening was left; from k = 4 on, I is held in between. 16 passes in a row under
// pressure: I := (1 - a) I with a = 2 %, doubled up to 25 % while nothing is rejected; a miss
// resets a.
// A trial: right after an opening, with V < 0.5, one more is dialled. A rate must reject it. If it
// passes, I := I / 2; a second one in a row ends the hypothesis. Trials come after 1, 2, 4 ... 64
// openings. I below 50 ms, or five misses in a row, end it too.
// A search: what a throttle lasted may be far more than I (an outage, a stated time). L is an
// interval that was too short, as far as is known. While I > 1.5 L and nothing is saved up, one is
// dialled (I + L) / 2 after the last, I / 4 if L is 0. If it passes, I := that time, and L := 0
// unless a trial of that length has failed; if not, L := that time. 32 passes in a row under
// pressure make L := 0.7 L.
class RateCeiling final
{
public:
    [[nodiscard]] bool isActive() const { return m_interval.count() > 0; }
    [[nodiscard]] base::Nanoseconds interval() const { return m_interval; }

    [[nodiscard]] double burst() const { return m_burst; }

    void adopt(base::Nanoseconds interval, base::Nanoseconds tooShort, std::size_t burst,
               base::SteadyTime now);
    // The earliest instant at which one more may be dialled.
    [[nodiscard]] base::SteadyTime next(base::SteadyTime now) const;
    [[nodiscard]] std::size_t room(base::SteadyTime now) const; // whole openings saved up
    void dialled(base::SteadyTime now, bool early);
    void withdrawn(base::SteadyTime now); // a dial that did not happen
    void passed(bool pressed);
    // When one may go before next(), if nothing is under way; empty: not before.
    [[nodiscard]] std::optional<base::SteadyTime> trialAt(base::SteadyTime now) const;
    void trialEnded(bool passed, base::SteadyTime now);
    void missed(base::SteadyTime now);
    [[nodiscard]] int confirmations() const { return m_confirmations; }
    void drop() { m_interval = base::Nanoseconds(0); }

private:
    [[nodiscard]] bool isSearching() const;
    [[nodiscard]] base::Nanoseconds middle() const;
    void searchEnded(bool passed);
    void bound(base::SteadyTime now);
    void refill(base::SteadyTime now);

    base::Nanoseconds m_interval{0};
    double m_burst = 1;
    double m_saved = 0;
    base::SteadyTime m_at;
    int m_passes = 0;
    int m_passesToTrial = 1;
    int m_failedTrials = 0;
    int m_passedTrials = 0; // in a row
    base::Nanoseconds m_tooShort{0}; // L
    bool m_assumed = true; // L, no trial of that length has failed
    bool m_drained = true; // V was 0 after the last dial
    bool m_bisects = false; // the trial under way
    int m_misses = 0;
    int m_confirmations = 0; // misses that were followed by a pass
    double m_gain = 0.02;
    std::optional<base::SteadyTime> m_boundSince; // a miss, demand ever since
    int m_boundPasses = 0;
};

} // namespace headway::pacing
