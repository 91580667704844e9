// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/identity.h"

#include <algorithm>

namespace headway::dialects {

namespace {

using json::Value;

// {"device_id":"…","account_uuid":"…","session_id":"…"} as a string, or the older
// user_…_session_UUID; anything else is a user.
void readUserId(const std::string &userId, Identity &identity)
{
    json::Document document;
    if (userId.starts_with('{') && !document.read(userId)) {
        identity.session = document.root()["session_id"].text();
        const std::string account = document.root()["account_uuid"].text();
        identity.user = account.empty() ? document.root()["device_id"].text() : account;
        return;
    }
    constexpr std::string_view mark = "_session_";
    const std::size_t at = userId.rfind(mark);
    identity.user = userId.substr(0, at);
    if (at != std::string::npos)
        identity.session = userId.substr(at + mark.size());
}

std::string firstOf(const ClientHeaders &headers, std::string_view name, std::string_view older)
{
    const std::string_view value = headers.value(name);
    return std::string(value.empty() ? headers.value(older) : value);
}

} // namespace

std::string_view ClientHeaders::value(std::string_view name) const
{
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [name](const auto &field) { return field.first == name; });
    return found == fields.end() ? std::string_view() : std::string_view(found->second);
}

Identity messagesIdentity(json::Value request, const ClientHeaders &headers)
{
    Identity identity;
    readUserId(request["metadata"]["user_id"].text(), identity);
    if (identity.session.empty())
        identity.session = headers.value("x-claude-code-session-id");
    identity.agent = headers.value("x-claude-code-agent-id");
    identity.parentAgent = headers.value("x-claude-code-parent-agent-id");
    return identity;
}

Identity responsesIdentity(json::Value request, const ClientHeaders &headers)
{
    Identity identity;
    const std::string thread = firstOf(headers, "thread-id", "conversation_id");
    identity.session = firstOf(headers, "session-id", "session_id");
    if (identity.session.empty())
        identity.session = thread;
    if (thread != identity.session)
        identity.agent = thread;
    identity.parentAgent = headers.value("x-codex-parent-thread-id");
    identity.cacheKey = request["prompt_cache_key"].text();
    if (identity.cacheKey.empty())
        identity.cacheKey = request["user"].text();
    return identity;
}

} // namespace headway::dialects
