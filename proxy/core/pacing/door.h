// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/pacing/admission.h"
#include "proxy/core/pacing/ceiling.h"
#include "proxy/core/pacing/passlog.h"
#include "proxy/core/pacing/rateceiling.h"
#include "proxy/core/pacing/socketcap.h"
#include "proxy/core/pacing/windowceiling.h"

#include <cstddef>
#include <optional>
#include <unordered_map>

namespace headway::pacing {

// Policy `auto`, hold and probe (spec/pacing.md section 7): whether one more may be dialled now.
//
// Open. Up to W dials may be under way. W starts at 32 and grows by one with every opening, up to
// 256. The ceiling of openings per minute starts at the set rate C and grows by two with every
// opening once half of it is used; with the rate pinned it stays there. The shapes that were
// learned (windowceiling.h, rateceiling.h, socketcap.h) limit further.
// Holding. A rejection holds everybody. A dial that began after the rejected one and passes shows
// that it was noise; if none is under way, one is sent as a probe. k - 1 rejections in a row after
// the first one confirm a throttle:
//
//   p = (1 + noise) / (20 + openings),  both halved whenever openings reach 400
//   k = the least of 2 … 5 with p^k < 0.03
//
// Cooling down. Only probes go, one at a time. With E the time since the throttle began, n the
// number waiting and F the last failed probe, the next one goes at
//
//   F + clamp(2 s * sqrt(E / 1 s / n), 0.15 s, 8 s)
//
// (a throttle that has lasted E lasts about E more; a failed probe costs 2 s, a late one n seconds
// a second). If it may be a window, no probe goes in the 20 s before the instant at which the
// window must open, since a rejected one would close the door again, and one goes right then. Once
// that has failed, every third gap is a silence of 21, 29, 41 … s up to 80 s. A stated Retry-After
// is never undercut. When a probe passes, the door is open again, with W = 1.
class Door final
{
public:
    explicit Door(base::SteadyTime now);

    void setRate(double perMinute, bool pinned);
    void socketsChanged(const SocketLevel &sockets);

    struct Permit
    {
        bool may = false;
        std::optional<base::SteadyTime> again; // when to ask again; empty: after the next report
        SocketCap::Permit sockets;
        bool probe = false;
        bool trial = false; // one more than the window's ceiling
        bool early = false; // sooner than the learned interval
        std::size_t room = SIZE_MAX; // openings that the learned ceilings leave, this one included
    };
    [[nodiscard]] Permit permit(base::SteadyTime now, std::size_t waiting) const;

    void dialled(WaiterId id, const Permit &permit, base::SteadyTime now);
    void withdrawn(WaiterId id,
                   base::SteadyTime now); // it did not dial, or nobody knows how it ended
    void passed(WaiterId id, bool pressed, base::SteadyTime now);
    void rejected(WaiterId id, const Rejection &rejection, base::SteadyTime now);
    void otherPassed(base::SteadyTime now); // a recovery, or another policy's
    void forget(base::SteadyTime now);

    [[nodiscard]] DoorState state() const { return m_state; }
    [[nodiscard]] std::optional<base::SteadyTime> stateUntil(std::size_t waiting) const;
    [[nodiscard]] const WindowCeiling &window() const { return m_window; }
    [[nodiscard]] const RateCeiling &rate() const { return m_rate; }
    [[nodiscard]] const SocketCap &cap() const { return m_cap; }
    [[nodiscard]] std::size_t passesInLastMinute(base::SteadyTime now) const;
    void recall(const CeilingEstimate &estimate, base::SteadyTime now);

private:
    struct Dial
    {
        base::SteadyTime at;
        Permit permit;
        std::size_t sockets = 0; // open and being dialled before it
    };

    [[nodiscard]] Permit permitOpen(base::SteadyTime now) const;
    [[nodiscard]] Permit permitProbe(base::SteadyTime now, std::size_t waiting) const;
    [[nodiscard]] base::SteadyTime probeAt(std::size_t waiting) const;
    [[nodiscard]] bool mayShed() const;
    [[nodiscard]] bool opensNow(base::SteadyTime now) const;
    [[nodiscard]] int rejectionsToConfirm() const;
    void reopen(bool wasNoise, const Dial &dial, base::SteadyTime now);
    void rateMissed(const Dial &dial, base::SteadyTime now);
    void hold(const Dial &dial, base::SteadyTime now);
    void confirm(base::SteadyTime now);
    void probeFailed(base::SteadyTime now);

    SocketLevel m_sockets;
    PassLog m_passes;
    WindowCeiling m_window;
    RateCeiling m_rate;
    SocketCap m_cap;
    std::unordered_map<WaiterId, Dial> m_dialling;

    DoorState m_state = DoorState::Open;
    double m_perMinute = 60;
    double m_set = 60;
    bool m_pinned = false;
    std::size_t m_mayDial = 32; // W
    double m_openings = 0;
    double m_noise = 0;

    // The rejection that is being looked into.
    base::SteadyTime m_since; // E counts from here
    base::SteadyTime m_rejectedDial; // begin of the latest dial that was rejected
    base::SteadyTime m_lastFailure; // F
    base::SteadyTime m_notBefore; // a stated time
    base::Nanoseconds m_block = WindowCeiling::longestBlock; // after a rejection, or as stated
    int m_failures = 0; // rejections in a row, the first one included
    bool m_confirmed = false;
    std::size_t m_socketsAtFailure = 0;
    std::size_t m_mayDialBefore = 32;
    int m_overdueFailures = 0; // failed probes since the window should have opened
    bool m_closedSome = false;
    bool m_shedFailed = false;
    bool m_lowerLater = false; // the window's ceiling, unless it turns out to be a cap
    bool m_heldByTrial = false;
    bool m_trustWindow = false; // no probe before the window must open
    // Since the last time the door opened.
    std::size_t m_passesSinceOpening = 0;
    base::SteadyTime m_openedAt;
    int m_shortRuns = 0; // rejections in a row with hardly an opening in between
    base::SteadyTime m_shortRunsSince;
    std::size_t m_shortRunPasses = 0;
    int m_rateDoubts = 0; // rates that were no rates
    std::size_t m_burst = 0; // openings of the minute before the first throttle
    base::Nanoseconds m_lastThrottle{0};
};

} // namespace headway::pacing
