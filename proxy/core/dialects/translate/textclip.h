// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/json/document.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace headway::dialects {

// Code points of well-formed UTF-8.
[[nodiscard]] std::size_t characters(std::string_view utf8);

// The text when it has at most `cap` characters; else its start, a note that says how much was cut,
// and its end, `cap` characters together. Clipping what was clipped changes nothing. `cap` must be
// larger than the note (leastCap is).
[[nodiscard]] std::string clipped(std::string_view utf8, std::size_t cap);

struct ClippedOutput
{
    std::string output; // JSON
    std::size_t cut = 0; // characters
};

// A result's output, a string or an array of parts, with at most `cap` characters of text; other
// parts stay. Nothing when it has no more than that.
[[nodiscard]] std::optional<ClippedOutput> clippedOutput(json::Value output, std::size_t cap);

} // namespace headway::dialects
