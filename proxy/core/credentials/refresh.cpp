// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/credentials/refresh.h"

#include "proxy/core/credentials/webtoken.h"
#include "proxy/core/json/document.h"
#include "proxy/core/json/quote.h"

#include <algorithm>
#include <array>

namespace headway::credentials {

namespace {

using namespace std::chrono_literals;

constexpr auto renewBefore = 5min;
constexpr auto longestUnnamedLife = std::chrono::days{8};
constexpr std::size_t longestCode = 64;

// A blank or control character would break the header it goes into.
bool isUsable(std::string_view token)
{
    return !token.empty()
        && std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

} // namespace

bool needsRefresh(const Tokens &tokens, base::WallTime now)
{
    if (const auto end = readClaims(tokens.access).expiresAt)
        return *end <= now + renewBefore;
    return !tokens.refreshedAt || *tokens.refreshedAt + longestUnnamedLife < now;
}

bool isValid(const Tokens &tokens, base::WallTime now)
{
    const auto end = readClaims(tokens.access).expiresAt;
    return !end || *end > now;
}

std::string refreshBody(const Tokens &tokens)
{
    return "{\"client_id\":" + json::literal(clientId)
        + ",\"grant_type\":\"refresh_token\",\"refresh_token\":" + json::literal(tokens.refresh)
        + "}";
}

std::optional<Tokens> readTokenAnswer(Tokens base, std::string_view body, base::WallTime now)
{
    json::Document document;
    if (document.read(body))
        return std::nullopt;
    const json::Value root = document.root();
    const std::string access = root["access_token"].text();
    if (!isUsable(access))
        return std::nullopt;
    base.access = access;
    if (const std::string refresh = root["refresh_token"].text(); !refresh.empty())
        base.refresh = refresh;
    if (const std::string id = root["id_token"].text(); !id.empty())
        base.id = id;
    base.refreshedAt = now;
    return base;
}

std::string errorCode(std::string_view body)
{
    json::Document document;
    if (document.read(body))
        return {};
    // {"error":"code"} as RFC 6749 section 5.2 has it, {"error":{"code":…}}, or {"code":…}.
    const json::Value error = document.root()["error"];
    std::string code = error.isString() ? error.text() : error["code"].text();
    if (code.empty())
        code = document.root()["code"].text();
    const bool plain
        = code.size() <= longestCode && std::all_of(code.begin(), code.end(), [](char c) {
              return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
          });
    return plain ? code : std::string();
}

RefreshResult readRefresh(const Tokens &tokens, int status, std::string_view body,
                          base::WallTime now)
{
    constexpr std::array lost{
        std::string_view("refresh_token_expired"),
        std::string_view("refresh_token_reused"),
        std::string_view("refresh_token_invalidated"),
    };
    if (status == 200) {
        if (auto renewed = readTokenAnswer(tokens, body, now))
            return Refreshed{*std::move(renewed)};
        return RefreshFailed{"the sign-in server's answer holds no access token"};
    }
    const std::string code = errorCode(body);
    if (status == 401 || std::find(lost.begin(), lost.end(), code) != lost.end())
        return SignInLost{code};
    return RefreshFailed{"the sign-in server answered with status " + std::to_string(status)};
}

} // namespace headway::credentials
