// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/itemshape.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headway::heads {

using simdjson::dom::element;
using simdjson::dom::object;

namespace {

// Calls that the client itself carries out: their outputs make no sense without them, so they come
// back with the history.
constexpr std::array<std::string_view, 7> echoedCalls{
    "function_call",    "custom_tool_call", "local_shell_call", "shell_call",
    "apply_patch_call", "computer_call",    "tool_search_call"};

// What the provider makes and carries out by itself. Some clients send it back, some do not.
constexpr std::array<std::string_view, 10> hostedCalls{
    "web_search_call",   "file_search_call",  "code_interpreter_call", "image_generation_call",
    "mcp_call",          "mcp_list_tools",    "mcp_approval_request",  "compaction",
    "shell_call_output", "tool_search_output"};

bool hasText(element content)
{
    if (std::string_view text; content.get_string().get(text) == simdjson::SUCCESS)
        return !text.empty();
    simdjson::dom::array parts;
    if (content.get_array().get(parts) != simdjson::SUCCESS)
        return false;
    return std::any_of(parts.begin(), parts.end(), [](element part) {
        object fields;
        return part.get_object().get(fields) == simdjson::SUCCESS
            && !stringMember(fields, "text").empty();
    });
}

} // namespace

std::optional<element> member(object item, std::string_view key)
{
    std::optional<element> found;
    for (const auto [name, value] : item) {
        if (name == key)
            found = value;
    }
    return found;
}

std::string_view stringMember(object item, std::string_view key)
{
    std::string_view text;
    if (const auto value = member(item, key);
        value && value->get_string().get(text) != simdjson::SUCCESS)
        return {};
    return text;
}

std::string_view typeOf(object item)
{
    const std::string_view type = stringMember(item, "type");
    if (!type.empty())
        return type;
    return stringMember(item, "role").empty() ? "item_reference" : "message";
}

ItemKind kindOf(object item, std::string_view type)
{
    constexpr std::array<std::pair<std::string_view, ItemKind>, 5> byType{{
        {"function_call", ItemKind::FunctionCall},
        {"function_call_output", ItemKind::FunctionCallOutput},
        {"custom_tool_call", ItemKind::CustomToolCall},
        {"custom_tool_call_output", ItemKind::CustomToolCallOutput},
        {"reasoning", ItemKind::Reasoning},
    }};
    constexpr std::array<std::pair<std::string_view, ItemKind>, 4> byRole{{
        {"user", ItemKind::UserMessage},
        {"assistant", ItemKind::AssistantMessage},
        {"system", ItemKind::SystemMessage},
        {"developer", ItemKind::SystemMessage},
    }};
    const auto lookUp = [](const auto &table, std::string_view word) {
        const auto at = std::find_if(table.begin(), table.end(),
                                     [word](const auto &row) { return row.first == word; });
        return at == table.end() ? ItemKind::Other : at->second;
    };
    if (type == "message") {
        const ItemKind kind = lookUp(byRole, stringMember(item, "role"));
        const auto content = member(item, "content");
        return kind == ItemKind::AssistantMessage && !(content && hasText(*content))
            ? ItemKind::TextlessMessage
            : kind;
    }
    if (std::find(hostedCalls.begin(), hostedCalls.end(), type) != hostedCalls.end())
        return ItemKind::HostedCall;
    return lookUp(byType, type);
}

bool clientEchoes(object item)
{
    const std::string_view type = typeOf(item);
    const ItemKind kind = kindOf(item, type);
    return kind == ItemKind::AssistantMessage || mayBeMissing(kind)
        || std::find(echoedCalls.begin(), echoedCalls.end(), type) != echoedCalls.end();
}

} // namespace headway::heads
