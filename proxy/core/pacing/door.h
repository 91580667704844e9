// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/pacing/admission.h"
#include "proxy/core/pacing/ceiling.h"
#include "proxy/core/pacing/noiselevel.h"
#include "proxy/core/pacing/passlog.h"
#include "proxy/core/pacing/rateceiling.h"
#include "proxy/core/pacing/ratesigns.h"
#include "proxy/core/pacing/socketcap.h"
#include "proxy/core/pacing/throttle.h"
#include "proxy/core/pacing/windowceiling.h"

#include <cstddef>
#include <optional>
#include <unordered_map>

namespace headway::pacing {

// Policy `auto`, hold and probe (spec/pacing.md section 7): whether one more may be dialled now.
//
// Open. Up to W dials may be under way. W starts at 32 and grows by one with every opening, up to
// 256. The ceiling of openings per minute starts at the set rate, also when that is set anew while
// it runs, and grows by two with every opening once half of it is used; with the rate pinned it
// stays there. The shapes that were
// learned (windowceiling.h, rateceiling.h with ratesigns.h, socketcap.h) limit further, and it is
// they that fall after a throttle.
// Holding. A rejection holds everybody. A dial that began after the rejected one and passes shows
// that it was noise; if none is under way, one is sent as a probe. k rejections in a row confirm a
// throttle (noiselevel.h); so does one that states a time.
// Every rejection that meets a door not open takes one off W: those that were under way with the
// first one show how much too wide it was.
// Cooling down. Only probes go, one at a time (throttle.h); the second of them, or the first if a
// cap is suspected, sheds one idle head. When one passes, the door is open again, with W = 1 unless
// the window is known.
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
    void passed(WaiterId id, std::size_t waiting, base::SteadyTime now);
    void rejected(WaiterId id, const Rejection &rejection, base::SteadyTime now);
    void otherPassed(base::SteadyTime now); // a recovery, or another policy's
    void forget(base::SteadyTime now);

    [[nodiscard]] DoorState state() const { return m_state; }
    [[nodiscard]] std::optional<base::SteadyTime> stateUntil(std::size_t waiting,
                                                             base::SteadyTime now) const;
    [[nodiscard]] const WindowCeiling &window() const { return m_window; }
    [[nodiscard]] const RateCeiling &rate() const { return m_rate; }
    [[nodiscard]] const SocketCap &cap() const { return m_cap; }
    [[nodiscard]] std::size_t passesInLastMinute(base::SteadyTime now) const;
    // What one opening takes at present, as far as anybody knows.
    [[nodiscard]] base::Nanoseconds perOpening(base::SteadyTime now) const;
    // When the waiter at that place (1: the next) may go, as things stand.
    [[nodiscard]] base::SteadyTime expectedTurn(std::size_t place, std::size_t waiting,
                                                base::SteadyTime now) const;
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
    [[nodiscard]] bool mayShed(base::SteadyTime now) const;
    [[nodiscard]] base::SteadyTime windowTurn(std::size_t place, std::size_t ceiling,
                                              base::Nanoseconds length, base::SteadyTime now) const;
    [[nodiscard]] std::size_t socketsAt(const Dial &dial) const;
    void reopen(const Dial &dial, base::SteadyTime now);
    void learnBlock(base::SteadyTime opened);
    void rateMissed(const Dial &dial, base::SteadyTime now);
    void hold(const Dial &dial, base::SteadyTime now);
    void failed(const Dial &dial, base::SteadyTime now);
    void confirm(base::SteadyTime now);
    void adoptRate(base::Nanoseconds interval, base::Nanoseconds tooShort, std::size_t burst,
                   base::SteadyTime now);

    SocketLevel m_sockets;
    PassLog m_passes;
    WindowCeiling m_window;
    RateCeiling m_rate;
    SocketCap m_cap;
    std::unordered_map<WaiterId, Dial> m_dialling;
    base::SteadyTime m_firstDial; // none of them began before

    DoorState m_state = DoorState::Open;
    double m_perMinute = 60;
    double m_set = 60;
    bool m_pinned = false;
    std::size_t m_mayDial = 32; // W
    NoiseLevel m_noise;
    Throttle m_throttle; // the latest one
    RateSigns m_rateSigns;
    std::optional<base::SteadyTime> m_lastOpening; // its dial
    std::size_t m_burst = 0; // openings of the minute before the first throttle
};

} // namespace headway::pacing
