// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/credentials/devicecode.h"

#include "proxy/core/credentials/refresh.h"
#include "proxy/core/json/document.h"
#include "proxy/core/json/quote.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <utility>

namespace headway::credentials {

namespace {

using namespace std::chrono_literals;

constexpr base::Seconds slowDownBy = 5s; // RFC 8628 section 3.5
constexpr base::Seconds longestInterval = 60s;
constexpr base::Seconds longestLife = 3600s;

// A number, or a string that holds one; the server sends the interval as a string.
std::optional<base::Seconds> secondsOf(const json::Value &value)
{
    if (const auto number = value.integer())
        return base::Seconds{*number};
    const std::string text = value.text();
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return base::Seconds{number};
}

// RFC 3986 section 2.3: everything but the unreserved is escaped.
std::string escaped(std::string_view text)
{
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'
            || c == '.' || c == '_' || c == '~')
            out += c;
        else
            out += {'%', digits[byte >> 4U], digits[byte & 0xFU]};
    }
    return out;
}

} // namespace

DeviceSignIn::DeviceSignIn(DeviceCode code, std::string issuer, base::SteadyTime now)
    : m_code(std::move(code))
    , m_issuer(std::move(issuer))
    , m_interval(m_code.interval)
    , m_end(now + m_code.lifetime)
{
}

std::string DeviceSignIn::startBody()
{
    return "{\"client_id\":" + json::literal(clientId) + "}";
}

std::string DeviceSignIn::askBody() const
{
    return "{\"device_auth_id\":" + json::literal(m_code.deviceId)
        + ",\"user_code\":" + json::literal(m_code.userCode) + "}";
}

std::string DeviceSignIn::verificationUrl() const
{
    return m_issuer + "/codex/device";
}

DeviceSignIn::Step DeviceSignIn::answered(int status, std::string_view body, base::SteadyTime now)
{
    const std::string code = errorCode(body);
    if (code == "expired_token")
        return Ended{"The code has run out before it was entered. Start again."};
    if (code == "access_denied")
        return Ended{"The sign-in was declined in the browser."};
    if (code == "slow_down") {
        m_interval = std::min(m_interval + slowDownBy, longestInterval);
        return again(now);
    }
    if (status == 200) {
        json::Document document;
        const bool readable = !document.read(body);
        const std::string grant
            = readable ? document.root()["authorization_code"].text() : std::string();
        const std::string verifier
            = readable ? document.root()["code_verifier"].text() : std::string();
        if (grant.empty() || verifier.empty())
            return Ended{"The sign-in server's answer is not understood."};
        return Exchange{"grant_type=authorization_code&code=" + escaped(grant) + "&redirect_uri="
                        + escaped(m_issuer + "/deviceauth/callback") + "&client_id="
                        + escaped(clientId) + "&code_verifier=" + escaped(verifier)};
    }
    if (status == 403 || status == 404 || status == 429 || status >= 500
        || code == "authorization_pending")
        return again(now);
    return Ended{"The sign-in server answered with status " + std::to_string(status) + "."};
}

DeviceSignIn::Step DeviceSignIn::unanswered(base::SteadyTime now)
{
    return again(now);
}

DeviceSignIn::Step DeviceSignIn::again(base::SteadyTime now) const
{
    if (now + m_interval > m_end)
        return Ended{"The code has run out before it was entered. Start again."};
    return Ask{m_interval};
}

tl::expected<DeviceCode, std::string> readDeviceCode(int status, std::string_view body)
{
    if (status == 404)
        return tl::unexpected(std::string(
            "The sign-in server offers no device codes. Switch them on in the ChatGPT security "
            "settings, or sign in with codex login: Headway can use that too."));
    if (status != 200)
        return tl::unexpected("The sign-in server answered with status " + std::to_string(status)
                              + ".");
    json::Document document;
    DeviceCode code;
    if (!document.read(body)) {
        const json::Value root = document.root();
        code.deviceId = root["device_auth_id"].text();
        code.userCode = root["user_code"].text();
        if (code.userCode.empty())
            code.userCode = root["usercode"].text();
        if (const auto interval = secondsOf(root["interval"]))
            code.interval = std::clamp(*interval, base::Seconds{1}, longestInterval);
        if (const auto lifetime = secondsOf(root["expires_in"]))
            code.lifetime = std::clamp(*lifetime, base::Seconds{1}, longestLife);
    }
    if (code.deviceId.empty() || code.userCode.empty())
        return tl::unexpected(std::string("The sign-in server's answer is not understood."));
    return code;
}

} // namespace headway::credentials
