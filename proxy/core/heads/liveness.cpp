// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/liveness.h"

#include <algorithm>

namespace headway::heads {

namespace {

using namespace std::chrono_literals;

constexpr base::Nanoseconds silenceBeforePing = 15s;
constexpr base::Nanoseconds pongTimeout = 10s;
constexpr int missesUntilDead = 2;
constexpr base::Nanoseconds unseenBeforeReuse = 60s;

} // namespace

void Liveness::seen(base::Now now)
{
    m_seen = now;
    m_pinged.reset();
    m_misses = 0;
}

void Liveness::paused()
{
    m_paused = true;
}

void Liveness::resumed(base::Now now)
{
    m_paused = false;
    seen(now);
}

bool Liveness::mustProbe(base::Now now) const
{
    const base::Nanoseconds unseen
        = std::max<base::Nanoseconds>(now.steady - m_seen.steady, now.wall - m_seen.wall);
    return unseen >= unseenBeforeReuse;
}

void Liveness::probe(base::Now now)
{
    if (!m_pinged)
        m_pinged = now.steady;
}

Liveness::Action Liveness::due(base::Now now)
{
    if (m_paused)
        return Action::Nothing;
    if (!m_pinged) {
        if (now.steady - m_seen.steady < silenceBeforePing)
            return Action::Nothing;
        m_pinged = now.steady;
        return Action::Ping;
    }
    if (now.steady - *m_pinged < pongTimeout)
        return Action::Nothing;
    m_pinged = now.steady;
    return ++m_misses >= missesUntilDead ? Action::Dead : Action::Ping;
}

std::optional<base::SteadyTime> Liveness::next() const
{
    if (m_paused)
        return std::nullopt;
    return m_pinged ? *m_pinged + pongTimeout : m_seen.steady + silenceBeforePing;
}

} // namespace headway::heads
