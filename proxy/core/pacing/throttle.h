// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/core/pacing/windowceiling.h"

#include <cstddef>
#include <optional>

namespace headway::pacing {

// Policy `auto`: the rejection that is being looked into, and when the next probe goes.
//
//   E   time from the first rejection to the last failure      n   number waiting
//   F   the last failure                B   a block: min(20 s, w / 3), or as stated, 20 s at least
//
//   unconfirmed        at once, to learn whether it was noise
//   confirmed          F + clamp(2 s * sqrt(E / 1 s / n), 0.15 s, 8 s): a throttle that has lasted
//   E
//                      lasts about E more; a failed probe costs 2 s, a late one n seconds a second
//   may be a window    no probe in the B before the instant at which it must open, since a rejected
//                      one could close the door again; one at that instant, or at F + B if later.
//                      A probe that sheds an idle head first goes all the same. A window that is
//                      well known is not probed before at all.
//   second in a row    none before the last opening + 0.85 R, unless a socket was closed: under a
//   rate
//                      nothing passes sooner after an opening than the last throttle, with R from
//                      the opening before it to its last rejection, shows
//   that has failed    gaps of 1, 1.3, 1.69 ... 80 s, in case every rejection prolongs the block;
//                      what a block lasts is learned there (windowceiling.h)
//
// Never before a stated Retry-After, which is believed up to 120 s, until an opening that began
// after such a rejection comes before its time: then it was meant for that one request. From then
// on a rejection with a stated time may be noise like any other; the time holds once the throttle
// is confirmed. The silence before a window's opening needs three rejections in a row.
struct Throttle
{
    base::SteadyTime since;
    base::SteadyTime lastFailure;
    base::SteadyTime firstDial; // begin of the first dial that was rejected
    base::SteadyTime rejectedDial; // begin of the latest dial that was rejected
    base::SteadyTime notBefore; // a stated time
    base::SteadyTime quietUntil; // a rate lets nobody through before
    std::optional<base::SteadyTime> lastOpening; // the dial of the last one before it
    base::Nanoseconds block = WindowCeiling::assumedBlock;
    int failures = 0; // rejections in a row, the first one included
    int overdueFailures = 0; // since the window should have opened
    std::size_t sockets = 0; // open when it was rejected
    std::size_t mayDialBefore = 32; // W
    bool confirmed = false;
    bool closedSome = false; // sockets were closed meanwhile
    bool shedFailed = false; // a probe that had shed a head was rejected all the same
    bool byTrial = false; // one more than the window's ceiling was tried
    bool trustsWindow = false;
    bool believesStated = true; // that time is meant for everybody
    bool doubtsWindow = false; // its last proposals were wrong
    bool looksLikeRate = false; // the second one in a row (ratesigns.h)
    bool lowersLater = false; // the window's ceiling, unless it turns out to be a cap

    // Longer than a block is likely to last, with probes rejected after the expected opening.
    [[nodiscard]] bool isLong() const;
    void begin(base::SteadyTime dial, base::SteadyTime now);
    void heed(std::optional<base::Milliseconds> retryAfter, base::SteadyTime now);
    void disproved(base::SteadyTime now); // an opening before the stated time
    void failed(base::SteadyTime now, std::optional<base::SteadyTime> opening);

    // `opening`: when the window should open; `mayShed`: a probe may shed a head first.
    [[nodiscard]] base::SteadyTime
    nextProbe(std::size_t waiting, std::optional<base::SteadyTime> opening, bool mayShed) const;
    // The window should have opened, and no probe has gone since: a plain one tells.
    [[nodiscard]] bool opens(base::SteadyTime now, std::optional<base::SteadyTime> opening) const;
};

} // namespace headway::pacing
