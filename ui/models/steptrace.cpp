// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/steptrace.h"

namespace headway::ui {

void StepTrace::note(std::int64_t second, std::optional<double> value)
{
    if (!m_steps.empty() && second < m_steps.back().second)
        return; // the wall clock was set back
    if (!m_steps.empty() && m_steps.back().second == second)
        m_steps.pop_back(); // the last word of a second counts
    if (!m_steps.empty() ? m_steps.back().value != value : value.has_value())
        m_steps.push_back({second, value});
    const std::int64_t oldest = second - static_cast<std::int64_t>(SecondRing::capacity);
    while (m_steps.size() > 1 && m_steps[1].second <= oldest) // the first still holds at `oldest`
        m_steps.erase(m_steps.begin());
}

void StepTrace::fill(std::vector<Column> &columns, std::optional<double> Column::*into) const
{
    std::size_t next = 0;
    std::optional<double> held;
    for (Column &column : columns) {
        for (; next < m_steps.size() && m_steps[next].second < column.second + column.width; ++next)
            held = m_steps[next].value;
        column.*into = column.reported > 0 ? held : std::nullopt;
    }
}

} // namespace headway::ui
