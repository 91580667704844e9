// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headway::ui {

// What `headway ledger verify` would say of the ledger on disk, as far as it was gone over.
struct ConservationState
{
    double share = 0; // of the ledger, 0 to 1
    quint64 disagreements = 0;
    QString first{}; // of them, in words
    QString trouble{}; // why the ledger cannot be read
};

} // namespace headway::ui
