// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>

namespace headway::ui {

// Where a sign-in by device code stands. The window never makes one, it only shows it.
struct SignInStep
{
    enum class Phase : std::uint8_t {
        Asking, // for a code
        Waiting, // until a person has entered it
        Done,
        Failed
    };

    Phase phase = Phase::Asking;
    QString page = {}; // Waiting: where the code is entered
    QString code = {};
    int minutes = 0; // for which it is good
    QString reason = {}; // Failed: a sentence
};

} // namespace headway::ui
