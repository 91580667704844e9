// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace headway::ui {

struct Edit
{
    QString key;
    QString oldValue;
    QString newValue;

    friend bool operator==(const Edit &, const Edit &) = default;
};

// What the user changed here, to take it back. The values of one gesture (a drag, a run of key
// presses) are one step; it keeps the newest 100 steps.
class EditHistory final
{
public:
    // A step that ends where it began is no step.
    void record(const Edit &edit, std::uint64_t gesture);

    [[nodiscard]] std::optional<Edit> undo(); // emit its oldValue
    [[nodiscard]] std::optional<Edit> redo(); // emit its newValue

    [[nodiscard]] bool canUndo() const { return m_next > 0; }
    [[nodiscard]] bool canRedo() const { return m_next < m_steps.size(); }
    [[nodiscard]] const Edit *nextUndo() const
    {
        return canUndo() ? &m_steps[m_next - 1].edit : nullptr;
    }

private:
    struct Step
    {
        Edit edit;
        std::uint64_t gesture;
    };

    std::vector<Step> m_steps;
    std::size_t m_next = 0; // steps before it are done, from it on undone
};

} // namespace headway::ui
