// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/base/time.h"

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>

namespace headway::credentials {

// What the server hands out at the start of a sign-in by device code.
struct DeviceCode
{
    std::string deviceId; // secret: whoever holds it gets the tokens
    std::string userCode; // what the person types in the browser
    base::Seconds interval{5}; // between two questions, at the least
    base::Seconds lifetime{900}; // then the code is worth nothing

    friend bool operator==(const DeviceCode &, const DeviceCode &) = default;
};

// The sign-in, one answer of the server after the other. The endpoints are those of the issuer
// (as Codex's own `login --device-auth` uses them):
//   POST …/api/accounts/deviceauth/usercode {client_id}            -> DeviceCode
//   POST …/api/accounts/deviceauth/token {device_auth_id, user_code}
//        403, 404: not yet; 200 {authorization_code, code_verifier}
//   POST …/oauth/token, form: grant_type=authorization_code …      -> tokens
// The words of RFC 8628 section 3.5 (authorization_pending, slow_down, expired_token,
// access_denied) are understood in every answer to the second.
class DeviceSignIn final
{
public:
    struct Ask // again, after that long
    {
        base::Seconds after{0};
        friend bool operator==(const Ask &, const Ask &) = default;
    };
    struct Exchange // done: exchange this for the tokens
    {
        std::string form; // the body of the last POST
        friend bool operator==(const Exchange &, const Exchange &) = default;
    };
    struct Ended
    {
        std::string text; // why, and what to do; nothing secret
        friend bool operator==(const Ended &, const Ended &) = default;
    };
    using Step = std::variant<Ask, Exchange, Ended>;

    // `issuer` without a slash at its end.
    DeviceSignIn(DeviceCode code, std::string issuer, base::SteadyTime now);

    // The JSON body of the first and the second POST.
    [[nodiscard]] static std::string startBody();
    [[nodiscard]] std::string askBody() const;
    // Where the person goes, with the user code.
    [[nodiscard]] std::string verificationUrl() const;
    [[nodiscard]] base::Seconds interval() const { return m_interval; }

    // The answer to the second POST. A server that is out of order (5xx, 429) is asked again.
    [[nodiscard]] Step answered(int status, std::string_view body, base::SteadyTime now);
    // There was no answer at all: asked again until the code ends.
    [[nodiscard]] Step unanswered(base::SteadyTime now);

private:
    [[nodiscard]] Step again(base::SteadyTime now) const;

    DeviceCode m_code;
    std::string m_issuer;
    base::Seconds m_interval;
    base::SteadyTime m_end;
};

// The answer to the first POST; the error is a sentence.
[[nodiscard]] tl::expected<DeviceCode, std::string> readDeviceCode(int status,
                                                                   std::string_view body);

} // namespace headway::credentials
