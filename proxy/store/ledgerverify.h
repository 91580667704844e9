// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/conservation.h"
#include "proxy/store/storeerror.h"

#include <QString>
#include <QStringList>

#include <tl/expected.hpp>
#include <vector>

namespace headway::store {

struct LedgerVerification
{
    ledger::ConservationTotals totals;
    std::vector<quint64> records; // by place in ledger::kinds()
    ledger::OpenLives open; // of the process that runs, or was killed and not restarted yet
    quint64 lost = 0; // never reached the file, by its own account (a full disk)
    quint64 missing = 0; // gaps in the numbering that nothing accounts for
    quint64 inputTokens = 0; // of all turns
    quint64 cachedTokens = 0;
    quint64 outputTokens = 0;
    QStringList disagreements; // the first hundred, in words
    quint64 disagreementCount = 0;

    [[nodiscard]] bool holds() const { return disagreementCount == 0; }
    // For a person: the totals, then every disagreement on a line of its own.
    [[nodiscard]] QString text() const;
};

// Reads the whole ledger at one instant, while writing may go on: SQLite's own check of the file,
// the numbering without gaps, and conservation (spec/ledger.md). An error only where it could not
// be read at all.
[[nodiscard]] tl::expected<LedgerVerification, StoreError> verifyLedger(const QString &path);

} // namespace headway::store
