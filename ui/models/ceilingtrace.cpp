// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/ceilingtrace.h"

namespace headway::ui {

void CeilingTrace::note(std::int64_t second, std::optional<double> perMinute)
{
    if (!m_steps.empty() && second < m_steps.back().second)
        return; // the wall clock was set back
    if (!m_steps.empty() && m_steps.back().second == second)
        m_steps.pop_back(); // the last word of a second counts
    if (!m_steps.empty() ? m_steps.back().perMinute != perMinute : perMinute.has_value())
        m_steps.push_back({second, perMinute});
    const std::int64_t oldest = second - static_cast<std::int64_t>(SecondRing::capacity);
    while (m_steps.size() > 1 && m_steps[1].second <= oldest) // the first still holds at `oldest`
        m_steps.erase(m_steps.begin());
}

void CeilingTrace::fill(std::vector<Column> &columns) const
{
    std::size_t next = 0;
    std::optional<double> value;
    for (Column &column : columns) {
        for (; next < m_steps.size() && m_steps[next].second < column.second + column.width; ++next)
            value = m_steps[next].perMinute;
        column.ceiling = column.reported > 0 ? value : std::nullopt;
    }
}

} // namespace headway::ui
