// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/columns.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headway::ui {

// A value over the last hour, as it stood at each second: one that is no part of the seconds'
// counts, so that it is noted from the snapshots.
class StepTrace final
{
public:
    // Nothing: there is none in force. A second earlier than the last one is ignored.
    void note(std::int64_t second, std::optional<double> value);

    // Puts into each column what held at its end.
    void fill(std::vector<Column> &columns, std::optional<double> Column::*into) const;

private:
    struct Step
    {
        std::int64_t second;
        std::optional<double> value;
    };

    std::vector<Step> m_steps; // ascending, each differs from the one before
};

} // namespace headway::ui
