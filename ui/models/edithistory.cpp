// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/edithistory.h"

namespace headway::ui {

namespace {

constexpr std::size_t keptSteps = 100;

}

void EditHistory::record(const Edit &edit, std::uint64_t gesture)
{
    m_steps.resize(m_next); // a new edit ends the chance to redo
    if (!m_steps.empty() && m_steps.back().gesture == gesture
        && m_steps.back().edit.key == edit.key)
        m_steps.back().edit.newValue = edit.newValue;
    else
        m_steps.push_back({edit, gesture});
    if (m_steps.back().edit.oldValue == m_steps.back().edit.newValue)
        m_steps.pop_back();
    if (m_steps.size() > keptSteps)
        m_steps.erase(m_steps.begin());
    m_next = m_steps.size();
}

std::optional<Edit> EditHistory::undo()
{
    if (!canUndo())
        return std::nullopt;
    return m_steps[--m_next].edit;
}

std::optional<Edit> EditHistory::redo()
{
    if (!canRedo())
        return std::nullopt;
    return m_steps[m_next++].edit;
}

} // namespace headway::ui
