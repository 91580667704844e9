// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"
#include "proxy/core/pacing/admission.h"

#include <cstddef>
#include <optional>

namespace headway::pacing {

// Policy `auto`, shape "cap": the hypothesis that at most M sockets may be open at the same time,
// idle ones included.
//
//   s      sockets open, those being dialled included
//   M      the cap; none before it was seen
//
// Learning. Plausible only if no more sockets were ever open. Then one probe of a throttle sheds an
// idle head first: the second, or the first if the last throttle looked like a cap. If it passes,
// M := the number open at the throttle is suspected; two such openings in a row adopt it. A
// throttle with fewer than M open ends the hypothesis, and so do two rejections in a row there if
// it happens twice within 64 openings; a single rejection is noise.
// With fewer than 8 open, a cap is unlikely and a head is dear: after f sheddings in a row that did
// not help, a throttle must last 25 s * f, 60 s at most, before the next one.
// Acting. s < M: dial. Else, with an idle head: shed down to M - 1 - (those being dialled), then
// dial. Else wait until a socket closes or becomes idle.
// Growth. After 8 dials at the cap (64 once a trial has failed) one is made without shedding: if it
// passes, M := s, and the third such pass in a row ends the hypothesis.
class SocketCap final
{
public:
    [[nodiscard]] std::optional<std::size_t> cap() const { return m_cap; }
    [[nodiscard]] int confirmations() const { return m_failedTrials + 1; }

    // A throttle with so many open looks like the last one, which ended when a socket closed.
    [[nodiscard]] bool isSuspected(std::size_t sockets) const
    {
        return m_cap || (m_seen > 0 && sockets == m_atThrottle);
    }

    // May a throttle with so many open be a cap at all? Not if more were open once.
    [[nodiscard]] bool isPlausible(std::size_t sockets) const
    {
        return !m_cap && sockets > 0 && sockets >= m_mostPassed;
    }

    // Shedding a head did not help. How long a throttle must last before another is shed.
    void shedInVain() { ++m_shedInVain; }
    [[nodiscard]] base::Nanoseconds patience(std::size_t sockets) const;
    void throttled(std::size_t sockets);
    void reopened(std::size_t sockets, bool closedSome);
    void passed(std::size_t sockets); // dials included, the passed one too
    void missed(std::size_t sockets); // rejected with so many open
    void doubted(std::size_t sockets); // two rejections in a row, the latest with so many open
    void confirmed(std::size_t sockets); // a throttle with so many open
    void recall(std::size_t cap) { m_cap = cap; }
    void drop();

    struct Permit
    {
        bool may = true;
        std::optional<std::size_t> shedTo;
        bool trial = false;
    };
    [[nodiscard]] Permit permit(const SocketLevel &level, std::size_t dialling) const;
    void dialled(const Permit &permit);
    void trialEnded(bool passed, std::size_t sockets);

private:
    std::optional<std::size_t> m_cap;
    std::size_t m_atThrottle = 0;
    std::size_t m_mostPassed = 0; // sockets open after an opening
    std::size_t m_seen = 0; // openings in a row that followed a closed socket
    int m_shedInVain = 0; // in a row
    int m_passesToDoubt = 0;
    int m_dialsAtCap = 0;
    int m_passedTrials = 0;
    int m_failedTrials = 0;
};

} // namespace headway::pacing
