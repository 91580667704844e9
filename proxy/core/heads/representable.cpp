// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/representable.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

namespace headway::heads {

namespace {

constexpr std::size_t safeDigits = 18; // always inside 64 bits
constexpr std::int64_t farExponent = 1'000'000'000;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

std::size_t skipDigits(std::string_view text, std::size_t at)
{
    while (at < text.size() && isDigit(text[at]))
        ++at;
    return at;
}

// A number of RFC 8259 section 6, taken apart.
struct NumberParts
{
    bool negative = false;
    std::string_view whole;
    std::string_view fraction;
    std::string_view exponent; // with its sign
    bool integer = false;
};

std::optional<NumberParts> numberParts(std::string_view token)
{
    NumberParts parts;
    std::size_t at = 0;
    if (at < token.size() && token[at] == '-') {
        parts.negative = true;
        ++at;
    }
    const std::size_t wholeEnd = skipDigits(token, at);
    parts.whole = token.substr(at, wholeEnd - at);
    if (parts.whole.empty() || (parts.whole.size() > 1 && parts.whole.front() == '0'))
        return std::nullopt;
    at = wholeEnd;
    if (at < token.size() && token[at] == '.') {
        const std::size_t end = skipDigits(token, at + 1);
        parts.fraction = token.substr(at + 1, end - at - 1);
        if (parts.fraction.empty())
            return std::nullopt;
        at = end;
    }
    if (at < token.size() && (token[at] == 'e' || token[at] == 'E')) {
        const std::size_t signAt = at + 1;
        const bool sign = signAt < token.size() && (token[signAt] == '+' || token[signAt] == '-');
        const std::size_t end = skipDigits(token, signAt + (sign ? 1 : 0));
        parts.exponent = token.substr(signAt, end - signAt);
        if (parts.exponent.size() == (sign ? 1U : 0U))
            return std::nullopt;
        at = end;
    }
    if (at != token.size())
        return std::nullopt;
    parts.integer = parts.fraction.empty() && parts.exponent.empty();
    return parts;
}

std::int64_t exponentValue(std::string_view exponent)
{
    const bool negative = exponent.starts_with('-');
    if (negative || exponent.starts_with('+'))
        exponent.remove_prefix(1);
    std::int64_t value = 0;
    for (const char digit : exponent)
        value = std::min(farExponent, value * 10 + (digit - '0'));
    return negative ? -value : value;
}

// Whether a number outside the range of a double is too large, not too small: by the decimal place
// of its first digit other than zero.
bool overflows(const NumberParts &parts)
{
    std::int64_t place = 0;
    if (const std::size_t at = parts.whole.find_first_not_of('0'); at != std::string_view::npos)
        place = static_cast<std::int64_t>(parts.whole.size() - at);
    else if (const std::size_t in = parts.fraction.find_first_not_of('0');
             in != std::string_view::npos)
        place = -static_cast<std::int64_t>(in);
    else
        return false;
    return place + exponentValue(parts.exponent) > 0;
}

void appendNumber(std::string &out, std::string_view token)
{
    const auto parts = numberParts(token);
    if (!parts || (parts->integer && parts->whole.size() <= safeDigits)) {
        out += token;
        return;
    }
    double value = 0.0;
    const auto [end, error] = std::from_chars(token.begin(), token.end(), value);
    if (error == std::errc::result_out_of_range && overflows(*parts)) {
        out += parts->negative ? "\"\\u0000-Infinity\"" : "\"\\u0000Infinity\"";
        return;
    }
    if (error != std::errc{} || !parts->integer) {
        out += token;
        return;
    }
    std::array<char, 32> digits{};
    const auto written
        = std::to_chars(digits.begin(), digits.end(), value, std::chars_format::scientific);
    out.append(digits.begin(), written.ptr);
}

// The code unit of a \uXXXX escape at `at`; nothing when there is none.
std::optional<std::uint32_t> escapedUnit(std::string_view json, std::size_t at)
{
    constexpr std::size_t length = 6;
    if (at + length > json.size() || json[at] != '\\' || json[at + 1] != 'u')
        return std::nullopt;
    std::uint32_t unit = 0;
    const std::string_view digits = json.substr(at + 2, 4);
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), unit, 16);
    if (error != std::errc{} || end != digits.end())
        return std::nullopt;
    return unit;
}

bool isHigh(std::uint32_t unit)
{
    return unit >= 0xD800U && unit <= 0xDBFFU;
}

bool isLow(std::uint32_t unit)
{
    return unit >= 0xDC00U && unit <= 0xDFFFU;
}

// U+D800 … U+DFFF as U+10F800 … U+10FFFF.
void appendLoneSurrogate(std::string &out, std::uint32_t unit)
{
    const std::uint32_t code = 0x10F800U + (unit - 0xD800U);
    out += static_cast<char>(0xF0U | (code >> 18U));
    out += static_cast<char>(0x80U | ((code >> 12U) & 0x3FU));
    out += static_cast<char>(0x80U | ((code >> 6U) & 0x3FU));
    out += static_cast<char>(0x80U | (code & 0x3FU));
}

// Copies one backslash escape of a string; returns the place after it.
std::size_t appendEscape(std::string &out, std::string_view json, std::size_t at)
{
    const auto unit = escapedUnit(json, at);
    std::size_t length = unit ? 6 : 2;
    if (unit && isHigh(*unit)) {
        const auto next = escapedUnit(json, at + 6);
        if (next && isLow(*next))
            length = 12;
    }
    if (length == 6 && (isHigh(*unit) || isLow(*unit)))
        appendLoneSurrogate(out, *unit);
    else
        out += json.substr(at, length);
    return std::min(at + length, json.size());
}

std::size_t appendString(std::string &out, std::string_view json, std::size_t at)
{
    out += json[at++];
    while (at < json.size()) {
        if (json[at] == '\\') {
            at = appendEscape(out, json, at);
            continue;
        }
        out += json[at];
        if (json[at++] == '"')
            break;
    }
    return at;
}

} // namespace

std::string representable(std::string_view json)
{
    std::string out;
    out.reserve(json.size());
    std::size_t at = 0;
    while (at < json.size()) {
        if (json[at] == '"') {
            at = appendString(out, json, at);
        } else if (json[at] == '-' || isDigit(json[at])) {
            const std::size_t end
                = std::min(json.find_first_not_of("0123456789+-.eE", at), json.size());
            appendNumber(out, json.substr(at, end - at));
            at = end;
        } else {
            out += json[at++];
        }
    }
    return out;
}

} // namespace headway::heads
