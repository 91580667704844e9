// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

// Header field text of RFC 9110 sections 5.5 and 5.6: ASCII, no locale.
namespace headway::net {

[[nodiscard]] constexpr char lowerCase(char c) noexcept
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

[[nodiscard]] constexpr bool equalsIgnoringCase(std::string_view a, std::string_view b) noexcept
{
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i != a.size(); ++i) {
        if (lowerCase(a[i]) != lowerCase(b[i]))
            return false;
    }
    return true;
}

[[nodiscard]] constexpr std::string_view trimmed(std::string_view text) noexcept
{
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Takes the first element of a comma-separated list off its front.
[[nodiscard]] constexpr std::string_view takeElement(std::string_view &list) noexcept
{
    const std::size_t comma = list.find(',');
    const std::string_view element = trimmed(list.substr(0, comma));
    list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
    return element;
}

[[nodiscard]] constexpr bool listsToken(std::string_view list, std::string_view token) noexcept
{
    while (!list.empty()) {
        if (equalsIgnoringCase(takeElement(list), token))
            return true;
    }
    return false;
}

} // namespace headway::net
