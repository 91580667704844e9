// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/translate/assistantitems.h"

#include "proxy/core/json/quote.h"

#include <algorithm>

namespace headway::dialects {

namespace {

constexpr std::string_view textBegin
    = R"({"type":"message","role":"assistant","content":[{"type":"output_text","text":")";
constexpr std::string_view textEnd = R"("}])";
constexpr std::string_view phaseBegin = R"(,"phase":")";

// Where the quote stands that ends the string whose body begins there.
std::size_t bodyEnd(std::string_view item, std::size_t from)
{
    std::size_t at = item.find_first_of("\\\"", from);
    while (at != std::string_view::npos && item[at] == '\\')
        at = item.find_first_of("\\\"", at + 2);
    return std::min(at, item.size());
}

std::string call(std::string_view head, std::string_view idBody, std::string_view name,
                 std::string_view member, std::string_view input)
{
    std::string item(head);
    item += idBody;
    item += R"(","name":)";
    json::appendQuoted(item, name);
    item += member;
    json::appendQuoted(item, input);
    item += '}';
    return item;
}

} // namespace

std::string textItem(std::string_view textBody, std::string_view phaseBody)
{
    std::string item(textBegin);
    item += textBody;
    item += textEnd;
    if (!phaseBody.empty()) {
        item += phaseBegin;
        item += phaseBody;
        item += '"';
    }
    item += '}';
    return item;
}

TextItem readTextItem(std::string_view item)
{
    if (!item.starts_with(textBegin))
        return {};
    const std::size_t quote = bodyEnd(item, textBegin.size());
    const std::string_view body = item.substr(textBegin.size(), quote - textBegin.size());
    std::string_view rest = item.substr(quote);
    if (!rest.starts_with(textEnd))
        return {};
    rest.remove_prefix(textEnd.size());
    if (rest == "}")
        return {.body = body, .phase = {}};
    if (!rest.starts_with(phaseBegin) || !rest.ends_with("\"}"))
        return {};
    rest.remove_prefix(phaseBegin.size());
    rest.remove_suffix(2);
    return {.body = body, .phase = rest};
}

std::string callItem(std::string_view idBody, std::string_view name, std::string_view arguments)
{
    return call(R"({"type":"function_call","call_id":")", idBody, name, R"(,"arguments":)",
                arguments);
}

std::string customCallItem(std::string_view idBody, std::string_view name, std::string_view input)
{
    return call(R"({"type":"custom_tool_call","call_id":")", idBody, name, R"(,"input":)", input);
}

std::string reasoningItem(const CarriedReasoning &reasoning, std::string_view thinking)
{
    std::string item = R"({"type":"reasoning",)";
    if (!reasoning.id.empty()) {
        item += "\"id\":";
        json::appendQuoted(item, reasoning.id);
        item += ',';
    }
    item += R"("summary":[)";
    bool first = true;
    for (const std::string_view part : summaryParts(reasoning, thinking)) {
        item += first ? "" : ",";
        item += R"({"type":"summary_text","text":)";
        json::appendQuoted(item, part);
        item += '}';
        first = false;
    }
    item += R"(],"encrypted_content":)";
    json::appendQuoted(item, reasoning.encryptedContent);
    item += '}';
    return item;
}

} // namespace headway::dialects
