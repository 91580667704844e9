// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/scalarspelling.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace headway::heads {

namespace {

// Fifteen decimal digits survive the way through a double and back; the sixteenth may not.
constexpr std::size_t mostDigits = 15;

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view blank = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(blank);
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

bool allDigits(std::string_view text)
{
    return !text.empty()
        && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

std::optional<double> spelledNumber(std::string_view text)
{
    text = trimmed(text);
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+'))
        text.remove_prefix(1);
    const std::size_t point = text.find('.');
    const std::string_view whole = text.substr(0, point);
    const std::string_view fraction
        = point == std::string_view::npos ? std::string_view{} : text.substr(point + 1);
    if (!allDigits(whole) || (point != std::string_view::npos && !allDigits(fraction))
        || whole.size() + fraction.size() > mostDigits)
        return std::nullopt;
    double value = 0.0;
    const auto [end, error]
        = std::from_chars(text.begin(), text.end(), value, std::chars_format::fixed);
    if (error != std::errc{} || end != text.end())
        return std::nullopt;
    return negative ? -value : value;
}

std::optional<bool> spelledBoolean(std::string_view text)
{
    text = trimmed(text);
    if (text == "true")
        return true;
    if (text == "false")
        return false;
    return std::nullopt;
}

} // namespace headway::heads
