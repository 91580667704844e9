// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/endpointprofile.h"

#include <algorithm>
#include <string>

namespace headway::heads {

namespace {

using namespace std::chrono_literals;

std::string lowered(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return out;
}

// `host` itself or a subdomain of it.
bool belongsTo(std::string_view host, std::string_view domain)
{
    return host == domain
        || (host.ends_with(domain) && host.size() > domain.size()
            && host[host.size() - domain.size() - 1] == '.');
}

// With the clouds that countries have for themselves.
bool isAzure(std::string_view name)
{
    return belongsTo(name, "azure.com") || belongsTo(name, "azure.us")
        || belongsTo(name, "azure.cn");
}

bool isVercel(std::string_view name)
{
    return belongsTo(name, "vercel.sh") || belongsTo(name, "vercel.com")
        || belongsTo(name, "vercel.app");
}

// A connection is left before the provider's limit, in the proportion of the public endpoint (55 of
// 60 minutes): what is rotated then, less its random part, still has time for a last turn.
constexpr base::Seconds before(base::Seconds limit)
{
    return limit * 55 / 60;
}

// What the frame is larger than the request's own fields and items.
constexpr std::size_t frameMargin = 4096;

} // namespace

bool isPlanEndpoint(std::string_view host, std::string_view path)
{
    return belongsTo(lowered(host), "chatgpt.com") && lowered(path).starts_with("/backend-api/");
}

PoolSettings profileOf(std::string_view host, std::string_view path)
{
    PoolSettings settings;
    settings.lanes = LaneMode::Auto;
    const std::string name = lowered(host);
    if (isPlanEndpoint(host, path)) {
        // A large pool itself provokes rejections there, and nobody promised lanes.
        settings.nurseryCap = 24;
        settings.establishedCap = 40;
        settings.lanes = LaneMode::Off;
    } else if (belongsTo(name, "x.ai")) {
        settings.rotateAfter = before(25min);
        settings.lanes = LaneMode::Off;
    } else if (isAzure(name)) {
        settings.lanes = LaneMode::Off;
    } else if (isVercel(name)) {
        settings.rotateAfter = before(13min);
        settings.lanes = LaneMode::Off;
    }
    return settings;
}

std::optional<std::size_t> frameLimitOf(std::string_view host)
{
    if (isVercel(lowered(host)))
        return (std::size_t{4} << 20U) - frameMargin;
    return std::nullopt;
}

} // namespace headway::heads
