// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/backoff.h"

#include "proxy/core/pacing/httpdate.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace headway::pacing {

namespace {

using base::Milliseconds;

// The longest that a provider can mean: a plan's limits last a month at most. What says more is
// noise, as a word would be.
constexpr double longestMs = 31.0 * 24 * 3'600 * 1'000;
constexpr double mostUnits = 1e12; // keeps every sum far from overflow

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

// Optional whitespace of a field value (RFC 9110 section 5.6.3).
std::string_view withoutBlanks(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

// Digits with an optional fraction ("7", "1.5"), as that many units of `unitMs`. No sign, no
// exponent. Rounded up: a stated time is never undercut.
std::optional<Milliseconds> decimalDuration(std::string_view text, double unitMs)
{
    if (text.empty() || !isDigit(text.front()) || !isDigit(text.back()))
        return std::nullopt;
    double value = 0;
    double place = 0; // 0: still in front of the point
    for (const char c : text) {
        if (c == '.' && place == 0) {
            place = 1;
            continue;
        }
        if (!isDigit(c))
            return std::nullopt;
        const double digit = c - '0';
        if (place == 0) {
            value = std::min(value * 10 + digit, mostUnits);
        } else {
            place /= 10;
            value += digit * place;
        }
    }
    const double ms = value * unitMs;
    if (ms > longestMs)
        return std::nullopt;
    // The tiny amount keeps 0.1 s, which no double holds exactly, from becoming 101 ms.
    return Milliseconds(static_cast<std::int64_t>(std::ceil(ms - 1e-6)));
}

} // namespace

Milliseconds rungOf(int retry)
{
    const int rung = std::clamp(retry, 1, 5);
    return std::min(Milliseconds(2'000 * (1 << (rung - 1))), Milliseconds(30'000));
}

Milliseconds retryDelay(int retry, base::Random &random)
{
    const auto rung = static_cast<double>(rungOf(retry).count());
    return Milliseconds(static_cast<std::int64_t>(rung * random.uniform(0.8, 1.0)));
}

std::optional<Milliseconds> parseRetryAfter(std::string_view value, base::WallTime now)
{
    const std::string_view text = withoutBlanks(value);
    if (const auto seconds = decimalDuration(text, 1'000))
        return seconds;
    const auto date = parseHttpDate(text, now);
    if (!date)
        return std::nullopt;
    if (*date - now > Milliseconds(static_cast<std::int64_t>(longestMs)))
        return std::nullopt;
    return std::max(Milliseconds(*date - now), Milliseconds(0));
}

std::optional<Milliseconds> parseRetryAfterMs(std::string_view value)
{
    return decimalDuration(withoutBlanks(value), 1);
}

} // namespace headway::pacing
