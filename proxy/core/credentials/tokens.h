// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace headway::credentials {

// What a sign-in to the ChatGPT plan gives. All three tokens are secrets.
struct Tokens
{
    std::string issuer; // the sign-in server that gave them; they are shown to no other
    std::string access;
    std::string refresh; // works once: redeeming it gives the next one
    std::string id;
    std::string accountId; // empty: as the tokens' claims say
    std::optional<base::WallTime> refreshedAt;

    friend bool operator==(const Tokens &, const Tokens &) = default;
};

// Of what stands in `accountId`, else in the claims of the id token, else of the access token.
[[nodiscard]] std::string accountOf(const Tokens &tokens);

// Our own format, for a file or the keychain: one JSON object.
[[nodiscard]] std::string serialized(const Tokens &tokens);
// Nothing unless it is that, with an issuer and an access token.
[[nodiscard]] std::optional<Tokens> parseTokens(std::string_view text);

// What `codex login` left in auth.json (protocol notes 2.7), which is only ever read. Its tokens
// carry no issuer but in their claims: `issuer` says whose they are taken to be when the claims are
// silent. The error says in one sentence why it cannot be used, without anything out of it.
[[nodiscard]] tl::expected<Tokens, std::string> parseCodexSignIn(std::string_view text,
                                                                 std::string_view issuer);

} // namespace headway::credentials
