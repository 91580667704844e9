// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace headway::ui {

// The positions of a slider over [minimum, maximum], perceptually spaced: neighbours differ by
// about a twentieth, in steps of 1, 2 or 5 times a power of ten, so that 6 and 60 of 600 are both
// a short drag away. `unit` is the smallest step (1000 for milliseconds shown in seconds). Both
// ends are stops; ascending, without repetition. minimum <= maximum, unit >= 1.
[[nodiscard]] std::vector<std::int64_t> sliderStops(std::int64_t minimum, std::int64_t maximum,
                                                    std::int64_t unit = 1);

// Index of the stop nearest to value; the lower one on a tie. stops is not empty.
[[nodiscard]] int nearestStop(const std::vector<std::int64_t> &stops, std::int64_t value);

} // namespace headway::ui
