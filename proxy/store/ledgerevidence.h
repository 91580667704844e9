// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/evidence.h"
#include "proxy/store/storeerror.h"

#include <QString>

#include <optional>
#include <tl/expected.hpp>

namespace headway::store {

struct EvidenceRequest
{
    QString path{}; // the ledger
    QString ceilings{}; // what policy auto has learned (ceilingfile.h); empty: nothing
    std::optional<base::WallTime> since{}; // inclusive
    std::optional<base::WallTime> until{}; // exclusive
    double rate = 0; // openings a minute
    bool isAnother = false; // judge every minute by `rate`, not by what was set in it
};

// The table behind a rate setting, at one instant while writing may go on. Works on the calling
// thread; two million records take about a second.
[[nodiscard]] tl::expected<ledger::Evidence, StoreError>
readEvidence(const EvidenceRequest &request);

} // namespace headway::store
