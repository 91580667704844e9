// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/wishes.h"

#include "proxy/core/dialects/translate/requesttext.h"
#include "proxy/core/dialects/turnrequest.h"
#include "proxy/core/json/quote.h"

#include <algorithm>
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

bool isOfSeriesO(std::string_view name)
{
    return name.size() > 1 && name.front() == 'o' && name[1] >= '0' && name[1] <= '9';
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
    return !isOfSeriesO(name) && !name.starts_with("codex-") && kind != UpstreamKind::Azure;
}

bool takesCacheMarks(std::string_view model, UpstreamKind kind)
{
    const auto version = gptVersion(bareName(model));
    return kind == UpstreamKind::OpenAi && version && version->isAtLeast({5, 6});
}

constexpr std::uint64_t leastCompaction = 1000; // the provider's minimum

// What the models of this provider take (protocol notes 3.3: "per model"; table 5.1: clamp). GPT-5
// has minimal, GPT-5.1 and later have none in its place; xhigh came with 5.1-codex-max and 5.2, max
// with 5.6; those made for code always reason.
std::string effortFor(std::string_view model, std::string effort)
{
    const std::string_view name = bareName(model);
    const bool isForCode = name.find("codex") != std::string_view::npos;
    const auto version = gptVersion(name).value_or(Version{});
    const bool isSeriesO = isOfSeriesO(name);
    if (!isSeriesO && !version.isAtLeast({5, 0}))
        return effort; // no reasoning model, or nothing known of it
    const bool knowsNone = !isSeriesO && !isForCode && version.isAtLeast({5, 1});
    const bool knowsMinimal = !isSeriesO && !isForCode && !version.isAtLeast({5, 1});
    const bool knowsHighest = version.isAtLeast({5, 2}) || name.ends_with("codex-max");
    if (effort == "none" && !knowsNone)
        effort = "minimal";
    if (effort == "minimal" && !knowsMinimal)
        effort = knowsNone ? "none" : "low";
    if (effort == "max" && !version.isAtLeast({5, 6}))
        effort = "xhigh";
    if (effort == "xhigh" && !knowsHighest)
        effort = "high";
    return effort;
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
    const bool isAzure = endsWithDomain(host, "azure.com") || endsWithDomain(host, "azure.us")
        || endsWithDomain(host, "azure.cn");
    return isAzure ? UpstreamKind::Azure : UpstreamKind::Other;
}

void grantWishes(TurnRequest &request, UpstreamKind kind)
{
    const Wishes &wishes = request.wishes;
    if (request.door == Door::Messages && !request.effort.empty())
        setEffort(request, effortFor(request.model, request.effort));
    if (takesSampling(request.model, request.effort, kind)) {
        addField(request.fields, "temperature", wishes.temperature);
        addField(request.fields, "top_p", wishes.topP);
    }
    request.postsItemIds = kind == UpstreamKind::Azure
        && (request.door == Door::Messages || request.door == Door::ChatCompletions);
    request.sendsCacheMarks = !wishes.cacheMarks.empty() && takesCacheMarks(request.model, kind);
    if (wishes.cachesLong && takesCacheMarks(request.model, kind))
        addField(request.fields, "prompt_cache_options", R"({"ttl":"12h"})");
    if (!wishes.user.empty() && kind == UpstreamKind::OpenAi)
        addField(request.fields, "safety_identifier", json::literal(wishes.user));
    if (wishes.compactAt > 0 && kind == UpstreamKind::OpenAi)
        addField(request.fields, "context_management",
                 R"([{"type":"compaction","compact_threshold":)"
                     + std::to_string(std::max(wishes.compactAt, leastCompaction)) + "}]");
}

} // namespace headway::dialects
