// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/secondring.h"

namespace headway::ui {

namespace {

// No slot of a used ring can claim this second.
constexpr std::int64_t nobody = INT64_MIN;
constexpr auto length = static_cast<std::int64_t>(SecondRing::capacity);

} // namespace

SecondRing::SecondRing()
{
    clear();
}

void SecondRing::clear()
{
    live::SecondStats empty;
    empty.second = nobody;
    m_slots.assign(capacity, empty);
    m_empty = true;
}

std::size_t SecondRing::slot(std::int64_t second)
{
    const std::int64_t rest = second % length;
    return static_cast<std::size_t>(rest < 0 ? rest + length : rest);
}

void SecondRing::put(const live::SecondStats &stats)
{
    if (!m_empty && stats.second <= m_newest - 2 * length)
        clear();
    if (!m_empty && stats.second <= m_newest - length)
        return;
    if (m_empty || stats.second > m_newest)
        m_newest = stats.second;
    m_empty = false;
    m_slots[slot(stats.second)] = stats;
}

const live::SecondStats *SecondRing::at(std::int64_t second) const
{
    if (m_empty || second > m_newest || second <= m_newest - length)
        return nullptr;
    const live::SecondStats &found = m_slots[slot(second)];
    return found.second == second ? &found : nullptr;
}

} // namespace headway::ui
