// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>
#include <vector>

namespace headway::ui {

// One thing that the doctor looked at.
struct Finding
{
    QString check; // "port"
    bool isOk = true;
    QString text; // what was found, and what to do where it is not well
};

// How a look of the doctor stands. The window examines nothing itself.
struct DoctorState
{
    enum class Phase : std::uint8_t { Looking, Done, Failed };

    Phase phase = Phase::Looking;
    std::vector<Finding> findings = {}; // Done
    QString reason = {}; // Failed: a sentence
};

} // namespace headway::ui
