// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <cstdint>
#include <optional>

namespace headway::heads {

// Whether a connection lives (spec/heads.md section 2): after 15 s of silence, busy or idle, a
// ping; 10 s for the pong; two misses are dead, 35 s after the last sign of life. Deadlines only:
// the caller sends the pings and closes the socket.
class Liveness final
{
public:
    enum class Action : std::uint8_t { Nothing, Ping, Dead };

    explicit Liveness(base::Now opened)
        : m_seen(opened)
    {
    }

    // Anything at all was read.
    void seen(base::Now now);
    // Reading is paused by us, so silence proves nothing; and it goes on.
    void paused();
    void resumed(base::Now now);

    // An idle connection unseen for 60 s, by either clock (a machine that slept heard nothing), is
    // pinged before a turn is sent on it: send the ping now and the turn once seen() was called.
    [[nodiscard]] bool mustProbe(base::Now now) const;
    void probe(base::Now now);

    // What is due now; call again at next().
    [[nodiscard]] Action due(base::Now now);
    // Nothing while paused.
    [[nodiscard]] std::optional<base::SteadyTime> next() const;

private:
    base::Now m_seen;
    std::optional<base::SteadyTime> m_pinged;
    int m_misses = 0;
    bool m_paused = false;
};

} // namespace headway::heads
