// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/translate/upstreamerror.h"
#include "proxy/core/dialects/upstreamevent.h"
#include "proxy/core/json/document.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace headway::dialects {

namespace {

using json::Value;

struct TypeName
{
    std::string_view name;
    EventType type;
};

// The frequent ones first: the list is searched from the front.
constexpr std::array<TypeName, 22> typeNames{{
    {"response.output_text.delta", EventType::OutputTextDelta},
    {"response.function_call_arguments.delta", EventType::FunctionCallArgumentsDelta},
    {"response.reasoning_summary_text.delta", EventType::ReasoningSummaryTextDelta},
    {"response.reasoning_text.delta", EventType::ReasoningTextDelta},
    {"response.custom_tool_call_input.delta", EventType::CustomToolCallInputDelta},
    {"response.output_item.added", EventType::OutputItemAdded},
    {"response.output_item.done", EventType::OutputItemDone},
    {"response.content_part.added", EventType::ContentPartAdded},
    {"response.content_part.done", EventType::ContentPartDone},
    {"response.output_text.done", EventType::OutputTextDone},
    {"response.function_call_arguments.done", EventType::FunctionCallArgumentsDone},
    {"response.custom_tool_call_input.done", EventType::CustomToolCallInputDone},
    {"response.reasoning_summary_part.added", EventType::ReasoningSummaryPartAdded},
    {"response.refusal.delta", EventType::RefusalDelta},
    {"response.created", EventType::Created},
    {"response.in_progress", EventType::InProgress},
    {"response.queued", EventType::Queued},
    {"response.completed", EventType::Completed},
    {"response.incomplete", EventType::Incomplete},
    {"response.failed", EventType::Failed},
    {"error", EventType::Error},
    {"codex.rate_limits", EventType::RateLimits},
}};

EventType typeOf(std::string_view name)
{
    const auto *const found
        = std::find_if(typeNames.begin(), typeNames.end(),
                       [name](const TypeName &entry) { return entry.name == name; });
    return found == typeNames.end() ? EventType::Unknown : found->type;
}

int indexOf(const Value &value)
{
    const auto index = value.integer();
    return index && *index >= 0 && *index <= 1'000'000 ? static_cast<int>(*index) : -1;
}

// A count that is no count makes the whole usage unknown: half of it would be taken for true.
std::optional<Usage> usageOf(const Value &usage)
{
    if (!usage.isObject())
        return std::nullopt;
    const Value input = usage["input_tokens_details"];
    bool known = true;
    const auto countOf = [&known](const Value &value) -> std::uint64_t {
        if (!value.exists() || value.isNull())
            return 0;
        const auto count = value.integer();
        known = known && count && *count >= 0;
        return known ? static_cast<std::uint64_t>(*count) : 0;
    };
    const Usage read{
        .inputTokens = countOf(usage["input_tokens"]),
        .cachedTokens = countOf(input["cached_tokens"]),
        .cacheWriteTokens = countOf(input["cache_write_tokens"]),
        .outputTokens = countOf(usage["output_tokens"]),
        .reasoningTokens = countOf(usage["output_tokens_details"]["reasoning_tokens"]),
    };
    return known ? std::optional(read) : std::nullopt;
}

// One look at each member; deltas have few.
void takeMember(UpstreamEvent &event, const Value &member)
{
    const std::string_view key = member.keyBody();
    if (key == "type")
        event.typeName = member.body();
    else if (key == "delta" && member.isString())
        event.delta = member.raw();
    else if (key == "output_index")
        event.outputIndex = indexOf(member);
    else if (key == "content_index" || key == "summary_index")
        event.partIndex = indexOf(member);
    else if (key == "stream_id")
        event.streamId = member.body();
    else if (key == "item_id")
        event.itemId = member.body();
    else if (key == "item" && member.isObject())
        event.item = member.raw();
    else if (key == "response" && member.isObject())
        event.response = member.raw();
}

void takeResponse(UpstreamEvent &event, const Value &response)
{
    event.responseId = response["id"].body();
    if (!event.isTerminal())
        return;
    event.usage = usageOf(response["usage"]);
    const Value output = response["output"];
    event.items = static_cast<std::size_t>(std::distance(output.begin(), output.end()));
    event.incompleteReason = response["incomplete_details"]["reason"].body();
}

} // namespace

struct EventReader::State
{
    json::Document document;
};

EventReader::EventReader()
    : m_state(std::make_unique<State>())
{
}

EventReader::~EventReader() = default;

std::optional<UpstreamEvent> EventReader::read(std::string_view frame, std::size_t /*capacity*/,
                                               base::WallTime now)
{
    json::Document &document = m_state->document;
    if (document.read(frame))
        return std::nullopt;
    UpstreamEvent event;
    event.raw = frame;
    for (const Value &member : document.root())
        takeMember(event, member);
    if (event.typeName.empty())
        return std::nullopt;
    event.type = typeOf(event.typeName);
    const Value root = document.root();
    if (!event.response.empty())
        takeResponse(event, root["response"]);
    if (event.type == EventType::Error)
        event.error = readUpstreamError(root, now);
    else if (event.type == EventType::Failed)
        event.error = readUpstreamError(root["response"], now);
    return event;
}

bool UpstreamEvent::isOutput() const
{
    switch (type) {
    case EventType::OutputItemAdded:
    case EventType::OutputItemDone:
    case EventType::ContentPartAdded:
    case EventType::ContentPartDone:
    case EventType::OutputTextDelta:
    case EventType::OutputTextDone:
    case EventType::RefusalDelta:
    case EventType::FunctionCallArgumentsDelta:
    case EventType::FunctionCallArgumentsDone:
    case EventType::CustomToolCallInputDelta:
    case EventType::CustomToolCallInputDone:
    case EventType::ReasoningSummaryPartAdded:
    case EventType::ReasoningSummaryTextDelta:
    case EventType::ReasoningTextDelta:
        return true;
    case EventType::Unknown:
        // Events of hosted tools and the like belong to an output item.
        return outputIndex >= 0 && typeName.starts_with("response.");
    default:
        return false;
    }
}

bool UpstreamEvent::isModelEvent() const
{
    switch (type) {
    case EventType::RateLimits:
        return false;
    case EventType::Unknown:
        return typeName.starts_with("response.") && typeName != "response.metadata";
    default:
        return true;
    }
}

bool UpstreamEvent::isTerminal() const
{
    return type == EventType::Completed || type == EventType::Incomplete
        || type == EventType::Failed || type == EventType::Error;
}

} // namespace headway::dialects
