// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/translate/assistantitems.h"

#include "proxy/core/json/quote.h"

namespace headway::dialects {

namespace {

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

std::string textItem(std::string_view textBody)
{
    std::string item
        = R"({"type":"message","role":"assistant","content":[{"type":"output_text","text":")";
    item += textBody;
    item += "\"}]}";
    return item;
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
