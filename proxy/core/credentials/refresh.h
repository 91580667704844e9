// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/credentials/tokens.h"

#include <chrono>
#include <string>
#include <string_view>
#include <variant>

namespace headway::credentials {

// Protocol notes 2.7: an access token is renewed once it ends within 5 min; one that does not say
// when it ends, once the last refresh is more than 8 days ago (unknown counts as long ago).
[[nodiscard]] bool needsRefresh(const Tokens &tokens, base::WallTime now);
// Whether it may still be shown: until its end, or for ever where it names none.
[[nodiscard]] bool isValid(const Tokens &tokens, base::WallTime now);

// The client id that the sign-in server knows programs of this kind by (protocol notes 2.7).
inline constexpr std::string_view clientId = "app_EMoamEEZ73f0CkXaXp7hrann";

// The JSON body of the POST to ISSUER/oauth/token.
[[nodiscard]] std::string refreshBody(const Tokens &tokens);

// The tokens with what the answer renews; what it leaves out stays as it was.
struct Refreshed
{
    Tokens tokens;
};
// The refresh token is used up, ended or withdrawn: nobody but the user can help.
struct SignInLost
{
    std::string code; // of the server; may be recorded
};
// Anything else: the same may work in a while.
struct RefreshFailed
{
    std::string text; // what happened, without anything secret
};
using RefreshResult = std::variant<Refreshed, SignInLost, RefreshFailed>;

// What the server's answer to the refresh of `tokens` means. `body` may hold anything.
[[nodiscard]] RefreshResult readRefresh(const Tokens &tokens, int status, std::string_view body,
                                        base::WallTime now);

// The new tokens out of a 200 of ISSUER/oauth/token; nothing without an access token.
[[nodiscard]] std::optional<Tokens> readTokenAnswer(Tokens base, std::string_view body,
                                                    base::WallTime now);

// The machine-readable word of an error answer, at most 64 characters of [a-z0-9_]; else empty.
[[nodiscard]] std::string errorCode(std::string_view body);

} // namespace headway::credentials
