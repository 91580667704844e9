// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/heads/pool.h"
#include "proxy/core/json/document.h"
#include "proxy/core/lab/fields.h"
#include "proxy/core/pacing/pacer.h"
#include "proxy/core/settings/settings.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headway::lab {

// All policies, in the order of the lab's tables.
inline constexpr std::array policies{pacing::Policy::Off, pacing::Policy::Fixed,
                                     pacing::Policy::Bucket, pacing::Policy::Adaptive,
                                     pacing::Policy::Auto};

[[nodiscard]] std::string_view name(pacing::Policy policy);
[[nodiscard]] std::optional<pacing::Policy> policyNamed(std::string_view name);

// What the settings say to those who follow them in the lab.
[[nodiscard]] pacing::PacerSettings pacerSettings(const settings::Settings &settings);
[[nodiscard]] heads::PoolSettings poolSettings(const settings::Settings &settings);
[[nodiscard]] pacing::RequestBudget requestBudget(const settings::Settings &settings);

// Puts an object of key: value pairs (numbers, texts, true, false) into `settings` as what `source`
// says. An unknown key or a malformed value is a problem; a value that was clamped is told in
// `notices`.
void readSettings(json::Value object, const std::string &path, settings::Source source,
                  settings::Settings &settings, std::vector<std::string> &notices,
                  Problem &problem);

} // namespace headway::lab
