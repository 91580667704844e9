// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>
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
// presses) are one step, and so are settings that were applied together; it keeps the newest 100
// steps.
class EditHistory final
{
public:
    // A step that ends where it began is no step.
    void record(const Edit &edit, std::uint64_t gesture);
    // Several settings as one step. Those that do not change are left out; none left: no step.
    void recordTogether(const std::vector<Edit> &edits);

    [[nodiscard]] std::vector<Edit> undo(); // say their oldValue; empty: nothing to undo
    [[nodiscard]] std::vector<Edit> redo(); // say their newValue

    [[nodiscard]] bool canUndo() const { return m_next > 0; }
    [[nodiscard]] bool canRedo() const { return m_next < m_steps.size(); }
    [[nodiscard]] std::vector<Edit> nextUndo() const; // empty: nothing to undo

private:
    struct Step
    {
        std::vector<Edit> edits;
        std::uint64_t gesture = 0; // 0: applied together, no gesture adds to it
    };

    void trim();

    std::vector<Step> m_steps;
    std::size_t m_next = 0; // steps before it are done, from it on undone
};

} // namespace headway::ui
