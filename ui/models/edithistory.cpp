// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/edithistory.h"

namespace headway::ui {

namespace {

constexpr std::size_t keptSteps = 100;

}

void EditHistory::record(const Edit &edit, std::uint64_t gesture)
{
    m_steps.resize(m_next); // a new edit ends the chance to redo
    const bool goesOn = !m_steps.empty() && gesture != 0 && m_steps.back().gesture == gesture
        && m_steps.back().edits.front().key == edit.key;
    if (goesOn)
        m_steps.back().edits.front().newValue = edit.newValue;
    else
        m_steps.push_back({{edit}, gesture});
    const Edit &whole = m_steps.back().edits.front();
    if (whole.oldValue == whole.newValue)
        m_steps.pop_back();
    trim();
}

void EditHistory::recordTogether(const std::vector<Edit> &edits)
{
    m_steps.resize(m_next);
    Step step;
    for (const Edit &edit : edits)
        if (edit.oldValue != edit.newValue)
            step.edits.push_back(edit);
    if (!step.edits.empty())
        m_steps.push_back(std::move(step));
    trim();
}

void EditHistory::trim()
{
    if (m_steps.size() > keptSteps)
        m_steps.erase(m_steps.begin());
    m_next = m_steps.size();
}

std::vector<Edit> EditHistory::undo()
{
    if (!canUndo())
        return {};
    return m_steps[--m_next].edits;
}

std::vector<Edit> EditHistory::redo()
{
    if (!canRedo())
        return {};
    return m_steps[m_next++].edits;
}

std::vector<Edit> EditHistory::nextUndo() const
{
    return canUndo() ? m_steps[m_next - 1].edits : std::vector<Edit>();
}

} // namespace headway::ui
