// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/evidence.h"

#include <QString>

#include <utility>
#include <vector>

namespace headway::ui {

// The figures behind a rate setting, each with its name, in the order of `headway ledger evidence`.
[[nodiscard]] std::vector<std::pair<QString, QString>>
evidenceFigures(const ledger::Evidence &evidence);

// "429: 3, 503: 1" – the rejections of a minute by their HTTP status; none: nothing.
[[nodiscard]] QString statusWords(const ledger::EvidenceMinute &minute);
// Local "2026-11-30 14:02".
[[nodiscard]] QString minuteClock(base::WallTime minute);

} // namespace headway::ui
