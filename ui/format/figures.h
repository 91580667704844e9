// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <string_view>

namespace headway::ui {

// One spelling for every quantity of the window. Unknown is an en dash, never zero. Numbers and
// units are separated by a no-break space.

[[nodiscard]] QString unknown();
[[nodiscard]] QString text(std::string_view utf8); // malformed UTF-8 becomes U+FFFD

// "850 ms", "4.2 s", "12 s", "3 min 05 s", "2 h 04 min".
[[nodiscard]] QString duration(base::Milliseconds value);
[[nodiscard]] QString duration(double milliseconds);
[[nodiscard]] QString duration(const std::optional<double> &milliseconds);
[[nodiscard]] QString count(std::uint64_t value); // "182 304"
[[nodiscard]] QString bytes(std::uint64_t value); // "640 B", "12.4 kB", "3.1 MB"
[[nodiscard]] QString perSecond(const std::optional<double> &value); // "12", "0.4"
[[nodiscard]] QString percent(const std::optional<double> &ratio); // 0.84 -> "84 %"
[[nodiscard]] QString decimal(const std::optional<double> &value); // "7.5", one digit at most

[[nodiscard]] QString clockTime(base::WallTime at); // local "14:02:25"
[[nodiscard]] QString clockTimeMs(base::WallTime at); // local "14:02:25.031"

// A turn's id the way clients see it: "req_00000000000012d5"; short: the last four digits.
[[nodiscard]] QString requestId(std::uint64_t turn);

} // namespace headway::ui
