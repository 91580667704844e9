// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/stops.h"

#include <algorithm>
#include <cstdlib>

namespace headway::ui {

namespace {

// Largest of 1, 2, 5, 10, 20 … that is at most a twentieth of value; at least 1.
std::int64_t stepAt(std::int64_t value)
{
    std::int64_t step = 1;
    for (std::int64_t decade = 1; decade <= value / 20; decade *= 10)
        for (const std::int64_t digit : {1, 2, 5})
            if (digit * decade <= value / 20)
                step = digit * decade;
    return step;
}

} // namespace

std::vector<std::int64_t> sliderStops(std::int64_t minimum, std::int64_t maximum, std::int64_t unit)
{
    std::vector<std::int64_t> stops;
    std::int64_t value = minimum;
    while (value < maximum) {
        stops.push_back(value);
        const std::int64_t step = stepAt(std::max<std::int64_t>(value, 0) / unit) * unit;
        // On to the next multiple of the step: round numbers from any start.
        value = (value / step + 1) * step;
    }
    stops.push_back(maximum);
    return stops;
}

int nearestStop(const std::vector<std::int64_t> &stops, std::int64_t value)
{
    const auto nearest = std::min_element(stops.begin(), stops.end(), [value](auto a, auto b) {
        return std::abs(a - value) < std::abs(b - value);
    });
    return static_cast<int>(nearest - stops.begin());
}

} // namespace headway::ui
