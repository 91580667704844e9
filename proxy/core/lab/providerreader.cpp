// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/lab/providerreader.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace headway::lab {

namespace {

using Kind = UpgradeLimit::Kind;

constexpr base::Nanoseconds second = base::Seconds{1};
constexpr base::Nanoseconds millisecond = base::Milliseconds{1};
constexpr double mostCount = 1e9;

constexpr std::array limitKinds{
    std::pair<std::string_view, Kind>{"sliding_window", Kind::SlidingWindow},
    std::pair<std::string_view, Kind>{"token_bucket", Kind::TokenBucket},
    std::pair<std::string_view, Kind>{"concurrent", Kind::Concurrent},
    std::pair<std::string_view, Kind>{"random", Kind::Random},
    std::pair<std::string_view, Kind>{"after_total", Kind::AfterTotal},
};

// Members of a fault that only the simulator plays, besides kind, at_s, for_s and n.
struct SimulatorFault
{
    std::string_view kind;
    std::vector<std::string_view> texts{};
    std::vector<std::string_view> numbers{};
    std::vector<std::string_view> others{};
};
const std::array simulatorFaults{
    SimulatorFault{"error_event", {"code", "message"}, {"status", "retry_after_s", "after_events"}},
    SimulatorFault{"close", {}, {"code", "after_events"}},
    SimulatorFault{"reset", {}, {"after_events"}},
    SimulatorFault{"eof", {}, {"after_events"}},
    SimulatorFault{"silence", {}, {"after_events"}, {"pongs"}},
    SimulatorFault{"empty_completed"},
    SimulatorFault{"upgrade_body", {"body"}, {"status"}, {"headers"}},
};

std::optional<base::Milliseconds> retryAfter(Fields &fields)
{
    const auto time = fields.optionalTime("retry_after_s", second);
    if (!time)
        return std::nullopt;
    return std::chrono::ceil<base::Milliseconds>(*time);
}

// A number, or a list of them with `every_s`.
void readMax(Fields &fields, UpgradeLimit &limit)
{
    fields.require("max");
    const json::Value max = fields.any("max");
    const bool isList = max.isArray();
    for (json::Value value = isList ? max.first() : max; value.exists(); value = value.next()) {
        const auto number = value.number();
        if (!number)
            fields.refuse("max", "expected a number, or a list of numbers with every_s");
        else if (*number < 0 || *number > mostCount)
            fields.refuse("max", "must be between 0 and 1000000000");
        limit.max.push_back(number.value_or(0));
        if (!isList)
            break;
    }
    limit.every = fields.time("every_s", second, {});
    if (limit.max.empty() && max.exists())
        fields.refuse("max", "needs at least one value");
    if (isList && limit.every.count() <= 0)
        fields.refuse("max", "a list of values needs every_s above 0");
}

std::optional<Kind> limitKind(Fields &fields)
{
    fields.require("kind");
    const std::string name = fields.text("kind", {});
    const auto *const found = std::find_if(limitKinds.begin(), limitKinds.end(),
                                           [&](const auto &row) { return row.first == name; });
    if (found != limitKinds.end())
        return found->second;
    fields.refuse("kind",
                  "there is no limit of this kind; there are sliding_window, token_bucket, "
                  "concurrent, random and after_total");
    return std::nullopt;
}

UpgradeLimit readLimit(json::Value value, const std::string &path, Problem &problem)
{
    UpgradeLimit limit;
    Fields fields(value, path, problem);
    const auto kind = limitKind(fields);
    if (!kind)
        return limit;
    limit.kind = *kind;
    limit.retryAfter = retryAfter(fields);
    switch (limit.kind) {
    case Kind::SlidingWindow:
        if (fields.has("max"))
            readMax(fields, limit);
        else
            limit.max = {70};
        limit.window = fields.time("window_s", second, limit.window);
        limit.block = fields.time("block_s", second, limit.block);
        break;
    case Kind::TokenBucket:
        fields.require("rate_per_min");
        fields.require("burst");
        limit.ratePerMinute = fields.number("rate_per_min", limit.ratePerMinute, 0, mostCount);
        limit.burst = fields.number("burst", limit.burst, 0, mostCount);
        break;
    case Kind::Concurrent:
        readMax(fields, limit);
        break;
    case Kind::Random:
        fields.require("p");
        limit.probability = fields.number("p", 0, 0, 1);
        break;
    case Kind::AfterTotal:
        readMax(fields, limit);
        limit.reset = fields.optionalTime("reset_s", second);
        break;
    }
    fields.finish();
    return limit;
}

void checkSimulatorFault(Fields &fields, const SimulatorFault &fault)
{
    (void)fields.optionalTime("at_s", second);
    (void)fields.optionalTime("for_s", second);
    (void)fields.integer("n", 1, 1, static_cast<std::int64_t>(mostCount));
    for (const std::string_view member : fault.texts)
        (void)fields.text(member, {});
    for (const std::string_view member : fault.numbers)
        (void)fields.number(member, 500, 0, mostCount);
    for (const std::string_view member : fault.others)
        (void)fields.any(member);
}

std::optional<Outage> readFault(json::Value value, const std::string &path, Problem &problem)
{
    Fields fields(value, path, problem);
    fields.require("kind");
    const std::string kind = fields.text("kind", {});
    const auto *const simulated
        = std::find_if(simulatorFaults.begin(), simulatorFaults.end(),
                       [&](const SimulatorFault &fault) { return fault.kind == kind; });
    if (simulated != simulatorFaults.end()) {
        checkSimulatorFault(fields, *simulated);
        fields.finish();
        return std::nullopt;
    }
    if (kind != "reject_upgrades") {
        fields.refuse("kind", "there is no fault of this kind");
        return std::nullopt;
    }
    Outage outage;
    if (fields.has("n"))
        outage.count = fields.integer("n", 1, 1, static_cast<std::int64_t>(mostCount));
    outage.from = fields.time("at_s", second, outage.count ? 0 * second : 120 * second);
    outage.length = fields.optionalTime("for_s", second);
    if (!outage.length && !outage.count)
        outage.length = 30 * second;
    outage.status = static_cast<int>(fields.integer("status", 403, 400, 599));
    outage.retryAfter = retryAfter(fields);
    fields.finish();
    return outage;
}

void checkReply(json::Value value, const std::string &path, Problem &problem)
{
    constexpr std::array kinds{"text", "reasoning", "tool", "tools", "fanout"};
    Fields fields(value, path, problem);
    fields.require("kind");
    const std::string kind = fields.text("kind", {});
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
        fields.refuse("kind", "there is no reply of this kind");
    (void)fields.text("name", {});
    (void)fields.any("input");
    (void)fields.integer("n", 1, 1, static_cast<std::int64_t>(mostCount));
    fields.finish();
}

std::string itemPath(std::string_view list, std::size_t index)
{
    return "provider." + std::string(list) + '[' + std::to_string(index) + ']';
}

void readLists(Fields &fields, ProviderPlan &plan, Problem &problem)
{
    std::size_t index = 0;
    for (const json::Value limit : fields.array("upgrade_limits"))
        plan.upgradeLimits.push_back(
            readLimit(limit, itemPath("upgrade_limits", index++), problem));
    index = 0;
    for (const json::Value fault : fields.array("faults")) {
        if (auto outage = readFault(fault, itemPath("faults", index++), problem))
            plan.outages.push_back(*std::move(outage));
    }
    index = 0;
    for (const json::Value reply : fields.array("replies"))
        checkReply(reply, itemPath("replies", index++), problem);
}

} // namespace

ProviderPlan readProvider(json::Value value, Problem &problem)
{
    ProviderPlan plan;
    Fields fields(value, "provider", problem);
    fields.require("upgrade_limits");
    readLists(fields, plan, problem);
    plan.othersPerMinute = fields.number("others_per_min", 0, 0, 1e6);
    plan.connect = fields.times("connect_ms", millisecond, plan.connect);
    plan.firstToken = fields.times("first_token_ms", millisecond, plan.firstToken);
    plan.turn = fields.times("turn_ms", millisecond, plan.turn);
    if (const json::Value tokens = fields.any("tokens_per_min");
        tokens.exists() && !tokens.isNull())
        plan.tokensPerMinute = fields.number("tokens_per_min", 1, 1, 1e12);
    plan.lanes = fields.flag("lanes", plan.lanes);
    for (const std::string_view simulatorOnly : {"plan_endpoint", "max_frame_bytes"})
        (void)fields.any(simulatorOnly);
    plan.connectionMaxAge = fields.time("connection_max_age_s", second, plan.connectionMaxAge);
    fields.finish();
    return plan;
}

} // namespace headway::lab
