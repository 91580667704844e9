// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "proxy/core/settings/table.h"
#include "ui/format/words.h"

#include <QString>

#include <optional>
#include <string_view>

namespace headway::ui {

// One sentence on what a policy does (spec/pacing.md sections 3, 4 and 7); empty for an unknown
// one.
[[nodiscard]] QString policyWords(std::string_view policy);

// Why a setting changes nothing under this policy and rate, as a tool tip; empty: it counts.
// Rate 0 switches the limiter of every policy off, so the rate itself counts wherever it is 0.
[[nodiscard]] QString whyWithoutEffect(settings::Key key, std::string_view policy, int rate);
// The same for the derived wait bound.
[[nodiscard]] QString whyNoWaitBound(std::string_view policy, int rate);

// What `auto` has learned, always called an estimate: "about 70 openings a minute"; "no limit seen
// yet" while nothing is known.
[[nodiscard]] QString estimateWords(const pacing::CeilingEstimate &estimate);
// "low confidence", "fair confidence", "high confidence".
[[nodiscard]] QString confidenceWords(double confidence);
// Openings a minute that the estimate stands for; nothing where it names no rate.
[[nodiscard]] std::optional<double> estimatedPerMinute(const pacing::CeilingEstimate &estimate);

// What the pacer does at its door, with the countdown where it is known.
[[nodiscard]] Word doorWord(pacing::DoorState state,
                            const std::optional<base::Milliseconds> &remaining);

} // namespace headway::ui
