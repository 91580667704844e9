// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/settings/upstreams.h"

#include <algorithm>

namespace headway::settings {

namespace {

constexpr std::string_view openAiUrl = "https://api.openai.com/v1/responses";
constexpr std::string_view planUrl = "https://chatgpt.com/backend-api/codex/responses";
constexpr std::string_view anthropicUrl = "https://api.anthropic.com";

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

// The part behind "NAME=", the whole service at `url` for NAME alone; nothing for other entries.
std::string_view placeOf(std::string_view entry, std::string_view name, std::string_view url)
{
    if (entry == name)
        return url;
    if (entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=')
        return trimmed(entry.substr(name.size() + 1));
    return {};
}

} // namespace

tl::expected<Upstreams, std::string> parseUpstreams(std::string_view setting)
{
    Upstreams upstreams;
    while (!setting.empty()) {
        const std::size_t end = std::min(setting.find(','), setting.size());
        const std::string_view entry = trimmed(setting.substr(0, end));
        setting.remove_prefix(std::min(end + 1, setting.size()));
        if (entry.empty())
            continue;
        if (const auto place = placeOf(entry, "anthropic", anthropicUrl); !place.empty()) {
            upstreams.anthropic = place;
            continue;
        }
        if (!upstreams.turns.empty())
            return tl::unexpected(std::string(
                "upstream names two places for turns; give one of openai, chatgpt or a URL, and "
                "anthropic beside it if claude-* models are to be passed through"));
        const auto plan = placeOf(entry, "chatgpt", planUrl);
        upstreams.plan = !plan.empty();
        upstreams.turns = upstreams.plan ? plan : entry == "openai" ? openAiUrl : entry;
    }
    return upstreams;
}

} // namespace headway::settings
