// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/credentials/headerprofile.h"

#include <algorithm>
#include <array>

namespace headway::credentials {

namespace {

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

std::vector<std::string_view> parts(std::string_view text, char separator)
{
    std::vector<std::string_view> result;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        if (const std::string_view part = trimmed(text.substr(0, end)); !part.empty())
            result.push_back(part);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

std::string lowered(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return out;
}

bool isName(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    });
}

bool isValue(std::string_view text)
{
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f; });
}

// Not the user's to set: what carries a credential, and what belongs to the request itself.
bool isReserved(std::string_view name)
{
    constexpr std::array reserved{
        std::string_view("authorization"),
        std::string_view("x-api-key"),
        std::string_view("cookie"),
        std::string_view("proxy-authorization"),
        std::string_view("host"),
        std::string_view("connection"),
        std::string_view("upgrade"),
        std::string_view("content-length"),
        std::string_view("content-type"),
        std::string_view("transfer-encoding"),
        std::string_view("chatgpt-account-id"),
    };
    return name.starts_with("sec-websocket-")
        || std::find(reserved.begin(), reserved.end(), name) != reserved.end();
}

bool matches(std::string_view pattern, std::string_view model)
{
    if (pattern.ends_with('*'))
        return model.starts_with(pattern.substr(0, pattern.size() - 1));
    return pattern == model;
}

} // namespace

HeaderProfiles HeaderProfiles::ofPlan()
{
    HeaderProfiles profiles;
    profiles.m_profiles.push_back(
        {"gpt-5.6-luna",
         {{"x-openai-internal-codex-responses-lite", "true"}, {"version", "0.144.1"}}});
    return profiles;
}

tl::expected<void, std::string> HeaderProfiles::add(std::string_view setting)
{
    std::vector<Profile> added;
    for (const std::string_view entry : parts(setting, ';')) {
        const auto wrong = [&](const std::string &why) {
            return tl::unexpected("model_headers: \"" + std::string(entry.substr(0, 60)) + "\" "
                                  + why + "; write MODEL: name=value, name=value; MODEL: …");
        };
        const std::size_t colon = entry.find(':');
        const std::string_view model = trimmed(entry.substr(0, std::min(colon, entry.size())));
        if (colon == std::string_view::npos || model.empty())
            return wrong("names no model");
        Profile profile{std::string(model), {}};
        for (const std::string_view pair : parts(entry.substr(colon + 1), ',')) {
            const std::size_t equals = pair.find('=');
            if (equals == std::string_view::npos)
                return wrong("has a header without a value");
            const std::string name = lowered(trimmed(pair.substr(0, equals)));
            const std::string_view value = trimmed(pair.substr(equals + 1));
            if (!isName(name) || !isValue(value))
                return wrong("has a header that cannot be sent");
            if (isReserved(name))
                return wrong("sets " + name + ", which is Headway's to set");
            profile.headers.emplace_back(name, value);
        }
        added.push_back(std::move(profile));
    }
    m_profiles.insert(m_profiles.end(), added.begin(), added.end());
    return {};
}

Headers HeaderProfiles::of(std::string_view model) const
{
    Headers result;
    for (const Profile &profile : m_profiles) {
        if (!matches(profile.pattern, model))
            continue;
        for (const auto &header : profile.headers) {
            const auto known
                = std::find_if(result.begin(), result.end(),
                               [&header](const auto &old) { return old.first == header.first; });
            if (known == result.end())
                result.push_back(header);
            else
                known->second = header.second;
        }
    }
    return result;
}

Headers planHeaders(std::string_view accountId, bool fedramp)
{
    Headers headers;
    if (!accountId.empty())
        headers.emplace_back("chatgpt-account-id", accountId);
    if (fedramp)
        headers.emplace_back("x-openai-fedramp", "true");
    headers.emplace_back("originator", "headway");
    return headers;
}

} // namespace headway::credentials
