// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/evidence.h"

#include <QString>

#include <memory>

namespace headway::ui {

// What the window asks of the ledger's file, to be read elsewhere than on its thread.
struct EvidenceQuestion
{
    qint64 sinceMsAgo = 0; // 0: everything
    double rate = 0; // openings a minute that are set now, or asked about
    bool isAnother = false; // judge every minute by `rate`, not by what was set in it

    friend bool operator==(const EvidenceQuestion &, const EvidenceQuestion &) = default;
};

// What came of it: the table, or why there is none.
struct EvidenceAnswer
{
    std::shared_ptr<const ledger::Evidence> evidence{}; // null: trouble
    QString trouble{};
};

} // namespace headway::ui
