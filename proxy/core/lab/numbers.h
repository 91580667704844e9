// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <string>

namespace headway::lab {

// Numbers as text, the same on every machine and in every locale.

// With at most `decimals` of them, without trailing zeros: "12", "0.5". Never "-0".
void appendNumber(std::string &out, double value, int decimals);
// In milliseconds with at most 3 decimals, rounded half away from zero.
void appendMilliseconds(std::string &out, base::Nanoseconds time);

[[nodiscard]] std::string plainNumber(double value); // at most 6 decimals

// "12.30": exactly that many decimals, for tables.
[[nodiscard]] std::string fixedNumber(double value, int decimals);

} // namespace headway::lab
