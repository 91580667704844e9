// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/credentials/webtoken.h"

#include "proxy/core/json/document.h"

#include <chrono>
#include <cmath>

namespace headway::credentials {

namespace {

constexpr std::size_t longestToken = 64U << 10U;
constexpr double lastSecond = 253'402'300'799.0; // of the year 9999

std::optional<unsigned> digitOf(char c)
{
    if (c >= 'A' && c <= 'Z')
        return static_cast<unsigned>(c - 'A');
    if (c >= 'a' && c <= 'z')
        return static_cast<unsigned>(c - 'a') + 26U;
    if (c >= '0' && c <= '9')
        return static_cast<unsigned>(c - '0') + 52U;
    if (c == '-')
        return 62U;
    return c == '_' ? std::optional<unsigned>(63U) : std::nullopt;
}

// RFC 7515 section 2: base64url without padding.
std::optional<std::string> decoded(std::string_view text)
{
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    unsigned held = 0;
    unsigned bits = 0;
    for (const char c : text) {
        const auto digit = digitOf(c);
        if (!digit)
            return std::nullopt;
        held = ((held << 6U) | *digit) & 0xFFFFU;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes += static_cast<char>((held >> bits) & 0xFFU);
        }
    }
    return bytes;
}

// NumericDate, RFC 7519 section 2: seconds, perhaps with a fraction.
std::optional<base::WallTime> timeOf(const json::Value &value)
{
    const auto seconds = value.number();
    if (!seconds || !(*seconds >= 0) || *seconds > lastSecond)
        return std::nullopt;
    return base::WallTime(
        base::Milliseconds(static_cast<std::int64_t>(std::floor(*seconds * 1e3))));
}

} // namespace

Claims readClaims(std::string_view token)
{
    const std::size_t first = token.find('.');
    const std::size_t second = first == std::string_view::npos ? first : token.find('.', first + 1);
    if (second == std::string_view::npos || token.size() > longestToken)
        return {};
    const auto payload = decoded(token.substr(first + 1, second - first - 1));
    json::Document document;
    if (!payload || document.read(*payload))
        return {};
    const json::Value root = document.root();
    const json::Value account = root["https://api.openai.com/auth"];
    Claims claims;
    claims.issuer = root["iss"].text();
    claims.expiresAt = timeOf(root["exp"]);
    claims.accountId = account["chatgpt_account_id"].text();
    claims.plan = account["chatgpt_plan_type"].text();
    claims.fedramp = account["chatgpt_account_is_fedramp"].boolean().value_or(false);
    claims.email = root["https://api.openai.com/profile"]["email"].text();
    return claims;
}

} // namespace headway::credentials
