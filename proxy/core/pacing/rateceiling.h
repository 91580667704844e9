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
//
//   L      an interval that was too short, as far as is known
//   n      number waiting at the last opening
//
// A miss is a rejection although V allowed it, or of a trial; it takes nothing from V. Bounds:
//   below  After an opening nothing is owed (V >= 0), so that what was rejected the time e after it
//          came too soon: L := e, 1.5 I at most, and I := at least 1.1 L. Only if nothing else was
//          under way and the account is quiet (noiselevel.h).
//   above  At a miss less than one opening was left: k openings up to the time T after it show
//          I < T / (k - 1). I is never longer than that; L := 0.7 I if it was.
//   both   With k openings in the time T between two misses, and demand all the while,
//          T / (k + 1) < I < T / (k - 1); from k = 4 on, I is held in between.
// Where no bound says so, a miss makes I := 1.03 I, 1.15 I for each further one in a row, and
// V := 0.7, so that the next one goes 0.3 I later. 16 passes in a row under pressure: I := (1 - a)
// I with a = 2 %, doubled up to 25 % while nothing is rejected; a miss resets a. 32 make L := 0.7
// L. A trial: right after an opening, with V < 0.5, one more is dialled. A rate must reject it. If
// it passes, I := I / 2; a second one in a row ends the hypothesis. Trials come after 1, 2, 4 ...
// 64 openings, not within 4 after what came too soon. I below 50 ms, or five misses in a row, end
// it. A search: what a throttle lasted may be far more than I (an outage, a stated time). With
// nothing saved up one is dialled (I + L) / 2 after the last opening, I / 4 if L is 0, while I
// > 1.5 L, or while it pays: it costs 2 s in half the cases and else saves (I - L) / 2 for the
// first that waits, twice that for the second ..., so (I - L) n (n + 1) > 16 s, and I - L > I / 20.
// If it is rejected, L := the time since that opening. If it passes, I := that time, unless fewer
// than 8 openings followed the last miss: something may have been left over then, and the bound
// above tells. Two in a row make L := 0 where it was assumed and not measured. Others on the
// account make it vary, so L fades with every opening under pressure: by 0.05 % at first, doubled
// up to 4 % by each search that passes and each bound from below, halved by each search that is
// rejected.
class RateCeiling final
{
public:
    [[nodiscard]] bool isActive() const { return m_interval.count() > 0; }
    [[nodiscard]] base::Nanoseconds interval() const { return m_interval; }

    [[nodiscard]] double burst() const { return m_burst; }

    struct Adoption
    {
        base::Nanoseconds interval{0};
        base::Nanoseconds tooShort{0};
        std::size_t burst = 1;
        std::optional<base::SteadyTime> lastOpening{}; // its dial
    };
    void adopt(const Adoption &seen, base::SteadyTime now);
    // The earliest instant at which one more may be dialled.
    [[nodiscard]] base::SteadyTime next(base::SteadyTime now) const;
    [[nodiscard]] std::size_t room(base::SteadyTime now) const; // whole openings saved up
    void dialled(base::SteadyTime now, bool early);
    void withdrawn(base::SteadyTime now); // a dial that did not happen
    void passed(base::SteadyTime dial, std::size_t waiting); // a dial that began then
    // When one may go before next(), if nothing is under way; empty: not before.
    [[nodiscard]] std::optional<base::SteadyTime> trialAt(base::SteadyTime now) const;
    void trialEnded(bool passed, base::SteadyTime dial, base::SteadyTime now);
    // Rejected although V allowed it; `proves`: this account does not reject for nothing.
    void missed(base::SteadyTime dial, bool proves, base::SteadyTime now);
    [[nodiscard]] int confirmations() const { return m_confirmations; }
    void drop() { m_interval = base::Nanoseconds(0); }

private:
    [[nodiscard]] bool isSearching() const;
    [[nodiscard]] base::Nanoseconds middle() const;
    void searchEnded(bool passed, base::SteadyTime dial);
    void shorten(base::SteadyTime dial);
    void ended();
    void putOffTrial();
    void lengthen(base::Nanoseconds tooShort, base::Nanoseconds answered);
    void bound(base::SteadyTime now);
    void refill(base::SteadyTime now);

    base::Nanoseconds m_interval{0};
    double m_burst = 1;
    double m_saved = 0;
    base::SteadyTime m_at;
    int m_passes = 0;
    int m_passesToTrial = 1;
    int m_failedTrials = 0;
    int m_passedSearches = 0; // in a row
    int m_passedTrials = 0; // in a row
    base::Nanoseconds m_tooShort{0}; // L
    bool m_assumed = true; // L, no trial of that length has failed
    double m_forgetting = 0; // of L with every opening
    bool m_drained = true; // V was 0 after the last dial
    bool m_bisects = false; // the trial under way
    int m_misses = 0;
    int m_confirmations = 0; // misses that were followed by a pass
    double m_gain = 0.02;
    std::optional<base::SteadyTime> m_lastOpening; // its dial, nothing saved since
    std::size_t m_underWay = 0;
    std::size_t m_waiting = 0; // at the last opening
    base::SteadyTime m_searchedFrom; // the opening before the trial under way
    std::optional<base::SteadyTime> m_lastMiss; // its dial
    int m_passesSinceMiss = 0;
    std::optional<base::SteadyTime> m_boundSince; // a miss, demand ever since
    int m_boundPasses = 0;
};

} // namespace headway::pacing
