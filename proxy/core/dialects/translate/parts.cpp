// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/translate/parts.h"

namespace headway::dialects {

void addPart(Parts &parts, std::string_view json)
{
    if (parts.count++ > 0)
        parts.json += ',';
    parts.json += json;
    parts.onlyText = {};
}

void addText(Parts &parts, std::string_view textBody)
{
    if (textBody.empty())
        return;
    const bool first = parts.count == 0;
    std::string part = R"({"type":"input_text","text":")";
    part += textBody;
    part += "\"}";
    addPart(parts, part);
    if (first)
        parts.onlyText = textBody;
}

void markCache(Parts &parts, json::Value block)
{
    const json::Value control = block["cache_control"];
    if (!control.isObject() || parts.count == 0)
        return;
    const std::size_t place = parts.json.size() - 1;
    if (parts.cacheMarks.empty() || parts.cacheMarks.back() != place) // a dropped text came between
        parts.cacheMarks.push_back(place);
    parts.cachesLong = parts.cachesLong || control["ttl"].is("1h");
}

std::string messageItem(std::string_view role, const Parts &parts)
{
    if (parts.count == 0)
        return {};
    std::string item = R"({"type":"message","role":")";
    item += role;
    item += R"(","content":[)";
    item += parts.json;
    item += "]}";
    return item;
}

} // namespace headway::dialects
