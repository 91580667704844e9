// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/columns.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headway::ui {

// The learned ceiling over the last hour, as it stood at each second: it is no part of the seconds'
// counts, so it is noted from the snapshots.
class CeilingTrace final
{
public:
    // Openings a minute; nothing: none is in force. A second earlier than the last one is ignored.
    void note(std::int64_t second, std::optional<double> perMinute);

    // Puts into each column what held at its end.
    void fill(std::vector<Column> &columns) const;

private:
    struct Step
    {
        std::int64_t second;
        std::optional<double> perMinute;
    };

    std::vector<Step> m_steps; // ascending, each differs from the one before
};

} // namespace headway::ui
