// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/translate/retryhint.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

namespace headway::dialects {

namespace {

constexpr double longestSeconds = 31.0 * 86400; // as for a header (pacing/backoff.h)

bool isLetter(char c)
{
    return c >= 'a' && c <= 'z';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

std::string lowered(std::string_view text)
{
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return lower;
}

void skipSpaces(std::string_view &text)
{
    while (text.starts_with(' '))
        text.remove_prefix(1);
}

double secondsOfUnit(std::string_view unit)
{
    if (unit == "ms" || unit.starts_with("millisecond"))
        return 0.001;
    if (unit == "s" || unit == "sec" || unit == "secs" || unit == "second" || unit == "seconds")
        return 1;
    if (unit == "m" || unit == "min" || unit == "mins" || unit == "minute" || unit == "minutes")
        return 60;
    if (unit == "h" || unit == "hour" || unit == "hours")
        return 3600;
    if (unit == "d" || unit == "day" || unit == "days")
        return 86400;
    return 0;
}

// One or more numbers with units, "1h2m3s" or "2 minutes 5 seconds"; a bare number is seconds.
std::optional<double> readDuration(std::string_view text)
{
    double total = 0;
    bool any = false;
    while (true) {
        skipSpaces(text);
        double value = 0;
        if (text.empty() || !isDigit(text.front()))
            break;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value,
                                                  std::chars_format::fixed);
        if (error != std::errc{})
            break;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        std::string_view rest = text;
        skipSpaces(rest);
        const auto unitEnd = std::find_if_not(rest.begin(), rest.end(), isLetter);
        const std::string_view unit
            = rest.substr(0, static_cast<std::size_t>(unitEnd - rest.begin()));
        const double factor = secondsOfUnit(unit);
        if (factor == 0) // no unit: seconds, and what follows is prose
            return any ? total : value;
        any = true;
        total += value * factor;
        text = rest.substr(unit.size());
    }
    return any ? std::optional(total) : std::nullopt;
}

std::vector<std::uint64_t> countsOfTokens(std::string_view text)
{
    std::vector<std::uint64_t> counts;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!isDigit(text[i]) || (i > 0 && (isDigit(text[i - 1]) || text[i - 1] == '.')))
            continue;
        std::uint64_t value = 0;
        std::size_t end = i;
        while (end < text.size() && (isDigit(text[end]) || text[end] == ',')) {
            if (isDigit(text[end]))
                value = value * 10 + static_cast<std::uint64_t>(text[end] - '0');
            ++end;
        }
        std::string_view rest = text.substr(end);
        skipSpaces(rest);
        if (end - i < 16 && (rest.starts_with("token") || rest.starts_with("maximum")))
            counts.push_back(value);
        i = end;
    }
    return counts;
}

} // namespace

std::optional<base::Milliseconds> delayOfSeconds(double seconds)
{
    if (!(seconds >= 0) || seconds > longestSeconds)
        return std::nullopt;
    return base::Milliseconds(static_cast<std::int64_t>(std::ceil(seconds * 1000 - 1e-6)));
}

std::optional<base::Milliseconds> delayInText(std::string_view text)
{
    const std::string lower = lowered(text);
    constexpr std::array<std::string_view, 4> leads{"try again in", "retry after", "retry in",
                                                    "try again after"};
    for (const std::string_view lead : leads) {
        for (std::size_t at = lower.find(lead); at != std::string::npos;
             at = lower.find(lead, at + 1)) {
            const std::string_view rest = std::string_view(lower).substr(at + lead.size());
            if ((at > 0 && isLetter(lower[at - 1])) || !rest.starts_with(' '))
                continue;
            if (const auto seconds = readDuration(rest))
                return delayOfSeconds(*seconds);
        }
    }
    return std::nullopt;
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> tokensInText(std::string_view text)
{
    const auto counts = countsOfTokens(lowered(text));
    if (counts.size() < 2 || counts[0] == counts[1])
        return std::nullopt;
    // What overflowed is larger than what is allowed, in whatever order the sentence puts them.
    return std::pair(std::max(counts[0], counts[1]), std::min(counts[0], counts[1]));
}

} // namespace headway::dialects
