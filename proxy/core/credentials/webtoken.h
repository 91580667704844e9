// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <optional>
#include <string>
#include <string_view>

namespace headway::credentials {

// What a JSON web token of the sign-in server says about itself. Empty where it says nothing.
struct Claims
{
    std::string issuer; // iss
    std::optional<base::WallTime> expiresAt; // exp
    // Under "https://api.openai.com/auth".
    std::string accountId; // chatgpt_account_id
    std::string plan; // chatgpt_plan_type
    bool fedramp = false; // chatgpt_account_is_fedramp
    std::string email; // under "https://api.openai.com/profile"

    friend bool operator==(const Claims &, const Claims &) = default;
};

// Reads the middle part of a token (RFC 7519 section 3.1); empty claims for anything that is not
// one. The signature is not checked: we are not who the token is shown to. It came from the server
// itself over verified TLS, or from the user's own file, and its claims only decide when it is
// renewed and which account it is sent with; a forged one is refused by the provider.
[[nodiscard]] Claims readClaims(std::string_view token);

} // namespace headway::credentials
