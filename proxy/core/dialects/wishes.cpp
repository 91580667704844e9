// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/wishes.h"

#include "proxy/core/dialects/translate/requesttext.h"
#include "proxy/core/dialects/turnrequest.h"

#include <charconv>
#include <optional>

namespace headway::dialects {

namespace {

struct Version
{
    int major = 0;
    int minor = 0;

    [[nodiscard]] bool isAtLeast(Version other) const
    {
        return major > other.major || (major == other.major && minor >= other.minor);
    }
};

// The name itself: without a vendor in front ("openai/…") or the mark of a fine-tuned one ("ft:…").
std::string_view bareName(std::string_view model)
{
    const std::size_t slash = model.rfind('/');
    if (slash != std::string_view::npos)
        model.remove_prefix(slash + 1);
    if (model.starts_with("ft:"))
        model.remove_prefix(3);
    return model;
}

// Of "gpt-5.6-codex": 5.6. "gpt-4o" is no version of that kind, and older than all that matter.
std::optional<Version> gptVersion(std::string_view name)
{
    constexpr std::string_view family = "gpt-";
    if (!name.starts_with(family))
        return std::nullopt;
    name.remove_prefix(family.size());
    Version version;
    const char *const end = name.data() + name.size();
    const auto major = std::from_chars(name.data(), end, version.major);
    if (major.ec != std::errc{})
        return std::nullopt;
    if (major.ptr != end && *major.ptr == '.')
        (void)std::from_chars(major.ptr + 1, end, version.minor);
    return version;
}

bool takesSampling(std::string_view model, std::string_view effort, UpstreamKind kind)
{
    if (kind == UpstreamKind::Plan)
        return false;
    const std::string_view name = bareName(model);
    if (const auto version = gptVersion(name)) {
        if (!version->isAtLeast({5, 0}) || name.find("-chat") != std::string_view::npos)
            return true;
        return effort == "none" && version->isAtLeast({5, 1});
    }
    const bool isSeriesO
        = name.size() > 1 && name.front() == 'o' && name[1] >= '0' && name[1] <= '9';
    return !isSeriesO && !name.starts_with("codex-") && kind != UpstreamKind::Azure;
}

bool takesCacheMarks(std::string_view model, UpstreamKind kind)
{
    const auto version = gptVersion(bareName(model));
    return kind == UpstreamKind::OpenAi && version && version->isAtLeast({5, 6});
}

bool endsWithDomain(std::string_view host, std::string_view domain)
{
    return host == domain
        || (host.ends_with(domain) && host[host.size() - domain.size() - 1] == '.');
}

} // namespace

UpstreamKind upstreamKindOf(std::string_view host, bool plan)
{
    if (plan)
        return UpstreamKind::Plan;
    if (endsWithDomain(host, "api.openai.com"))
        return UpstreamKind::OpenAi;
    return endsWithDomain(host, "azure.com") ? UpstreamKind::Azure : UpstreamKind::Other;
}

void grantWishes(TurnRequest &request, UpstreamKind kind)
{
    const Wishes &wishes = request.wishes;
    if (takesSampling(request.model, request.effort, kind)) {
        addField(request.fields, "temperature", wishes.temperature);
        addField(request.fields, "top_p", wishes.topP);
    }
    request.sendsCacheMarks = !wishes.cacheMarks.empty() && takesCacheMarks(request.model, kind);
    if (request.sendsCacheMarks && wishes.cachesLong)
        addField(request.fields, "prompt_cache_options", R"({"ttl":"12h"})");
}

} // namespace headway::dialects
