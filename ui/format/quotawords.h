// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/pacing/quota.h"
#include "ui/format/palette.h"

#include <QString>

namespace headway::ui {

// "5 h quota", "7 d quota of spark".
[[nodiscard]] QString quotaName(const pacing::QuotaWindow &window);
// Local "14:20"; another day: "Thu 14:20"; in a week or more: "2026-12-24 14:20"; not told: "–".
[[nodiscard]] QString resetClock(const pacing::QuotaWindow &window, base::WallTime now);
// "41 %, resets 14:20".
[[nodiscard]] QString quotaWords(const pacing::QuotaWindow &window, base::WallTime now);
// The same with the time that is left: "41 % used, resets 14:20, in 2 h 05 min".
[[nodiscard]] QString quotaSentence(const pacing::QuotaWindow &window, base::WallTime now);
// Waiting from 80 % on, Limit when it is used up.
[[nodiscard]] Meaning quotaMeaning(const pacing::QuotaWindow &window);

} // namespace headway::ui
