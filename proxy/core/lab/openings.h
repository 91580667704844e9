// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <cstddef>
#include <span>

namespace headway::lab {

// Nearest rank; `sorted` ascending, `percent` 1 to 100. Zero of nothing.
[[nodiscard]] base::Nanoseconds percentile(std::span<const base::Nanoseconds> sorted,
                                           std::size_t percent);

// The most of these instants, sorted, that lie less than 60 s apart; 1 µs less counts as 60 s.
[[nodiscard]] std::size_t mostInAMinute(std::span<const base::Nanoseconds> sorted);

} // namespace headway::lab
