// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/pacing/pacer.h"

#include <array>
#include <optional>
#include <string_view>

namespace headway::pacing {

// All policies, in the order of the lab's tables.
inline constexpr std::array policies{Policy::Off, Policy::Fixed, Policy::Bucket, Policy::Adaptive,
                                     Policy::Auto};

// The words of the setting `policy`.
[[nodiscard]] std::string_view name(Policy policy);
[[nodiscard]] std::optional<Policy> policyNamed(std::string_view name);

} // namespace headway::pacing
