// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/lab/numbers.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace headway::lab {

std::string fixedNumber(double value, int decimals)
{
    // The longest finite double has 309 digits before the point.
    std::array<char, 352> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                   std::chars_format::fixed, decimals);
    return end.ec == std::errc() ? std::string(text.data(), end.ptr) : std::string("0");
}

void appendNumber(std::string &out, double value, int decimals)
{
    std::string text = fixedNumber(value, decimals);
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.')
            text.pop_back();
    }
    out += text == "-0" ? std::string("0") : text;
}

std::string plainNumber(double value)
{
    std::string text;
    appendNumber(text, value, 6);
    return text;
}

void appendMilliseconds(std::string &out, base::Nanoseconds time)
{
    std::int64_t rest = time.count();
    if (rest < 0) {
        out += '-';
        rest = -rest;
    }
    const std::int64_t microseconds = (rest + 500) / 1'000;
    std::array<char, 24> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), microseconds / 1'000);
    out.append(text.data(), end.ptr);
    std::int64_t fraction = microseconds % 1'000;
    if (fraction == 0)
        return;
    out += '.';
    for (std::int64_t place = 100; fraction > 0; place /= 10) {
        out += static_cast<char>('0' + fraction / place);
        fraction %= place;
    }
}

} // namespace headway::lab
