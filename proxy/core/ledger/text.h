// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/ids.h"
#include "proxy/core/base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headway::ledger {

// The ledger's texts for times, ids and numbers. All are independent of locale and time zone.

// Appends RFC 3339 UTC with milliseconds, always 24 characters: "2026-03-01T09:05:07.042Z". A time
// outside the years 0000 to 9999, which the format cannot say, becomes the nearest it can.
void appendTime(std::string &out, base::WallTime time);
[[nodiscard]] std::string timeText(base::WallTime time);

// RFC 3339 section 5.6: any offset, lower case t and z, a blank instead of T, any number of
// fraction digits (those beyond milliseconds are dropped), second 60 as the second after 59.
// Nothing for anything else, such as a missing offset or 30 February.
[[nodiscard]] std::optional<base::WallTime> parseTime(std::string_view text);

// "req_" + 16 lower-case hex digits: the reply's request-id header (spec/turns.md).
void appendTurn(std::string &out, base::TurnId turn);
[[nodiscard]] std::string turnText(base::TurnId turn);
// Nothing unless it has exactly that form; upper-case digits are not ours.
[[nodiscard]] std::optional<base::TurnId> parseTurn(std::string_view text);

// Plain decimal, also for numbers beyond 2^53.
void appendNumber(std::string &out, std::int64_t number);
// The shortest decimal that reads back as the same double. Only for finite numbers.
void appendNumber(std::string &out, double number);

} // namespace headway::ledger
