// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/stallwatch.h"

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace headway::ui {

namespace {

// Held ones wait for a person, gated ones for tokens; neither for a connection.
bool waitsForAConnection(const live::TurnRow &turn)
{
    return !turn.held && (turn.phase == live::Phase::Queued || turn.phase == live::Phase::Backoff);
}

base::Milliseconds waited(const live::TurnRow &turn)
{
    return turn.spent[static_cast<std::size_t>(live::Phase::Queued)]
        + turn.spent[static_cast<std::size_t>(live::Phase::Backoff)];
}

// Holds since `since`, which it keeps, for that long.
bool hasLasted(bool isSo, std::optional<std::int64_t> &since, std::int64_t second,
               base::Seconds least)
{
    if (!isSo)
        since.reset();
    else if (!since)
        since = second;
    return since && second - *since >= least.count();
}

} // namespace

void StallWatch::hear(const live::Snapshot &snapshot)
{
    const std::int64_t second
        = std::chrono::floor<base::Seconds>(snapshot.at).time_since_epoch().count();
    if (!m_minute.empty() && m_minute.back().second == second)
        return;
    sample(snapshot, second);
    Starving starving;
    starving.refused = m_minute.back().refused - m_minute.front().refused;
    starving.rejections = m_minute.back().rejections - m_minute.front().rejections;
    for (const live::TurnRow &turn : snapshot.turns)
        if (waitsForAConnection(turn)) {
            ++starving.waiting;
            if (turn.refusedThen)
                ++starving.hopeless;
            starving.longest = std::max(starving.longest, waited(turn));
        }
    if (isStarving(starving))
        m_starvedAt = second;
    const bool lasted = m_starvedAt && second - *m_starvedAt < lasts.count();
    m_trouble = lasted && !snapshot.overrides.pauseAll ? std::optional(stalled(snapshot, starving))
                                                       : std::nullopt;
}

// Another proxy, or one that was started again, counts anew; so does a clock that went back.
void StallWatch::sample(const live::Snapshot &snapshot, std::int64_t second)
{
    const Sample now{second, snapshot.totals.turnsRefused, snapshot.totals.rejections};
    const bool isSame = m_minute.empty()
        || (m_minute.back().second < second && m_minute.back().refused <= now.refused
            && m_minute.back().rejections <= now.rejections);
    if (!isSame)
        *this = {};
    while (!m_minute.empty() && second - m_minute.front().second > span.count())
        m_minute.pop_front();
    m_minute.push_back(now);
}

bool StallWatch::isStarving(const Starving &starving)
{
    const std::int64_t second = m_minute.back().second;
    const bool isHopeless
        = hasLasted(starving.hopeless > 0, m_hopelessSince, second, hopelessAfter);
    return starving.refused > 0 || isHopeless || starving.longest >= longWait;
}

} // namespace headway::ui
