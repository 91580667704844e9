// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/stallwatch.h"

#include <algorithm>
#include <chrono>

namespace headway::ui {

void StallWatch::hear(const live::Snapshot &snapshot)
{
    const std::int64_t now
        = std::chrono::floor<base::Seconds>(snapshot.at).time_since_epoch().count();
    sample(snapshot, now);
    // What a person has paused waits for that person; a proxy that is gone has no turns.
    if (snapshot.overrides.pauseAll || snapshot.listening.empty()) {
        m_looked.reset();
        m_hopelessSince.reset();
        m_starvedAt.reset();
        m_trouble.reset();
        return;
    }
    if (m_looked == now)
        return;
    m_looked = now;
    const Starving starving = starvingIn(snapshot);
    if (isStarving(starving, now))
        m_starvedAt = now;
    const bool isSaid = m_starvedAt && now - *m_starvedAt < lasts.count();
    m_trouble = isSaid ? std::optional(stalled(snapshot, starving)) : std::nullopt;
}

// A window that attaches late is told the seconds before, so that its minute is whole at once.
void StallWatch::sample(const live::Snapshot &snapshot, std::int64_t now)
{
    const std::int64_t first = now - span.count() + 1;
    for (const live::SecondStats &second : snapshot.seconds)
        if (second.second >= first)
            m_minute[second.second] = {second.turnsRefused, second.rejections};
    m_minute.erase(m_minute.begin(), m_minute.lower_bound(first));
    // A clock that was set back: what lies a minute ahead is of another time.
    m_minute.erase(m_minute.upper_bound(now + span.count()), m_minute.end());
}

Starving StallWatch::starvingIn(const live::Snapshot &snapshot) const
{
    Starving starving;
    for (const auto &[second, sample] : m_minute) {
        starving.refused += sample.refused;
        starving.rejections += sample.rejections;
    }
    for (const live::TurnRow &turn : snapshot.turns) {
        if (!turn.lacksOpening)
            continue;
        ++starving.waiting;
        if (turn.refusedThen)
            ++starving.hopeless;
        starving.longest = std::max(starving.longest, turn.lackedOpening);
    }
    return starving;
}

bool StallWatch::isStarving(const Starving &starving, std::int64_t now)
{
    if (starving.hopeless == 0)
        m_hopelessSince.reset();
    else if (!m_hopelessSince || *m_hopelessSince > now)
        m_hopelessSince = now;
    const bool isHopeless = m_hopelessSince && now - *m_hopelessSince >= hopelessAfter.count();
    return starving.refused > 0 || isHopeless || starving.longest >= longWait;
}

} // namespace headway::ui
