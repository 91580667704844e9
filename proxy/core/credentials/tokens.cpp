// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/credentials/tokens.h"

#include "proxy/core/credentials/webtoken.h"
#include "proxy/core/json/document.h"
#include "proxy/core/json/quote.h"
#include "proxy/core/ledger/text.h"

#include <algorithm>

namespace headway::credentials {

namespace {

// A token goes into a header field: visible ASCII, nothing that ends the line.
bool isToken(std::string_view text)
{
    constexpr std::size_t longest = 64U << 10U;
    return !text.empty() && text.size() <= longest
        && std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

void append(std::string &out, std::string_view name, std::string_view text)
{
    if (text.empty())
        return;
    out += out.size() > 1 ? "," : "";
    json::appendQuoted(out, name);
    out += ':';
    json::appendQuoted(out, text);
}

} // namespace

std::string accountOf(const Tokens &tokens)
{
    if (!tokens.accountId.empty())
        return tokens.accountId;
    std::string account = readClaims(tokens.id).accountId;
    return account.empty() ? readClaims(tokens.access).accountId : account;
}

std::string serialized(const Tokens &tokens)
{
    std::string out = "{";
    append(out, "issuer", tokens.issuer);
    append(out, "access_token", tokens.access);
    append(out, "refresh_token", tokens.refresh);
    append(out, "id_token", tokens.id);
    append(out, "account_id", tokens.accountId);
    if (tokens.refreshedAt)
        append(out, "refreshed_at", ledger::timeText(*tokens.refreshedAt));
    return out + "}\n";
}

std::optional<Tokens> parseTokens(std::string_view text)
{
    json::Document document;
    if (document.read(text))
        return std::nullopt;
    const json::Value root = document.root();
    Tokens tokens;
    tokens.issuer = root["issuer"].text();
    tokens.access = root["access_token"].text();
    tokens.refresh = root["refresh_token"].text();
    tokens.id = root["id_token"].text();
    tokens.accountId = root["account_id"].text();
    tokens.refreshedAt = ledger::parseTime(root["refreshed_at"].text());
    if (tokens.issuer.empty() || !isToken(tokens.access))
        return std::nullopt;
    return tokens;
}

tl::expected<Tokens, std::string> parseCodexSignIn(std::string_view text, std::string_view issuer)
{
    json::Document document;
    if (document.read(text) || !document.root().isObject())
        return tl::unexpected(std::string("Codex's sign-in file cannot be read"));
    const json::Value root = document.root();
    const json::Value own = root["tokens"];
    Tokens tokens;
    tokens.access = own["access_token"].text();
    tokens.refresh = own["refresh_token"].text();
    tokens.id = own["id_token"].text();
    tokens.accountId = own["account_id"].text();
    tokens.refreshedAt = ledger::parseTime(root["last_refresh"].text());
    if (!isToken(tokens.access))
        return tl::unexpected(
            std::string(root["OPENAI_API_KEY"].isString()
                            ? "Codex is signed in with an API key, not with the ChatGPT plan"
                            : "Codex's sign-in file holds no plan sign-in"));
    const std::string named = readClaims(tokens.access).issuer;
    tokens.issuer = named.empty() ? std::string(issuer) : named;
    return tokens;
}

} // namespace headway::credentials
