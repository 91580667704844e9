// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/chat/chattools.h"

#include "proxy/core/dialects/translate/schema.h"
#include "proxy/core/dialects/translate/toolnames.h"
#include "proxy/core/json/quote.h"

namespace headway::dialects {

namespace {

using json::Value;

void addDescription(std::string &out, const Value &description)
{
    if (!description.isString())
        return;
    out += ",\"description\":";
    out += description.raw();
}

std::string functionTool(const Value &function, const std::string &name)
{
    std::string out = R"({"type":"function","name":)" + json::literal(name);
    addDescription(out, function["description"]);
    const Value parameters = function["parameters"];
    out += ",\"parameters\":";
    appendParameters(out, parameters);
    // Without the word the provider tries strict mode, in which each optional field must be filled.
    const bool strict = function["strict"].boolean().value_or(false) && fitsStrictMode(parameters);
    out += strict ? ",\"strict\":true}" : ",\"strict\":false}";
    return out;
}

// {"type":"grammar","grammar":{…}} lies flat upstream.
std::string customFormat(const Value &format)
{
    const Value grammar = format["grammar"];
    if (!format["type"].is("grammar") || !grammar["definition"].isString())
        return R"({"type":"text"})";
    std::string out = R"({"type":"grammar","syntax":)";
    out += grammar["syntax"].isString() ? grammar["syntax"].raw() : std::string_view("\"lark\"");
    out += ",\"definition\":";
    out += grammar["definition"].raw();
    out += '}';
    return out;
}

std::string customTool(const Value &custom, const std::string &name)
{
    std::string out = R"({"type":"custom","name":)" + json::literal(name);
    addDescription(out, custom["description"]);
    if (custom["format"].isObject())
        out += ",\"format\":" + customFormat(custom["format"]);
    out += '}';
    return out;
}

// {"type":"function","function":{"name":…}} of a choice; empty when there is no such tool.
std::string namedChoice(const Value &choice, const ReplyContext &context)
{
    const bool isCustom = choice["type"].is("custom");
    const std::string name = aliased(choice[isCustom ? "custom" : "function"]["name"].text());
    if (!context.tools.contains(name))
        return {};
    return std::string(isCustom ? R"({"type":"custom","name":)" : R"({"type":"function","name":)")
        + json::literal(name) + '}';
}

std::string allowedTools(const Value &allowed, const ReplyContext &context)
{
    std::string names;
    for (const Value &tool : allowed["tools"]) {
        const std::string choice = namedChoice(tool, context);
        if (choice.empty())
            continue;
        names += names.empty() ? "" : ",";
        names += choice;
    }
    if (names.empty())
        return "\"auto\"";
    return std::string(R"({"type":"allowed_tools","mode":)")
        + (allowed["mode"].is("required") ? "\"required\"" : "\"auto\"") + ",\"tools\":[" + names
        + "]}";
}

} // namespace

std::string chatTools(json::Value request, ReplyContext &context, Complaint &complaint)
{
    const Value tools = request["tools"];
    if (tools.exists() && !tools.isNull() && !tools.isArray())
        complaint.add("tools", "expected an array");
    if (request["functions"].isArray())
        complaint.add("functions", "no longer supported; use tools");
    std::string out;
    std::size_t index = 0;
    for (const Value &tool : tools) {
        const std::string path = "tools[" + std::to_string(index++) + ']';
        const bool isCustom = tool["type"].is("custom");
        const Value what = tool[isCustom ? "custom" : "function"];
        const std::string name = what["name"].text();
        if (!isCustom && !tool["type"].is("function")) {
            complaint.add(path + ".type", "expected function or custom");
        } else if (name.empty()) {
            complaint.add(path + (isCustom ? ".custom.name" : ".function.name"),
                          "expected a string");
        } else if (context.tools.try_emplace(aliased(name), ToolShape{name, {}}).second) {
            // The first of a name counts.
            out += out.empty() ? "" : ",";
            out += isCustom ? customTool(what, aliased(name)) : functionTool(what, aliased(name));
        }
    }
    return out.empty() ? std::string() : '[' + out + ']';
}

std::string chatToolChoice(json::Value choice, const ReplyContext &context)
{
    if (context.tools.empty())
        return {}; // upstream refuses a choice without tools
    if (choice.is("none") || choice.is("auto") || choice.is("required"))
        return std::string(choice.raw());
    if (!choice.isObject())
        return {};
    if (choice["type"].is("allowed_tools"))
        return allowedTools(choice["allowed_tools"], context);
    const std::string named = namedChoice(choice, context);
    return named.empty() ? std::string("\"auto\"") : named;
}

} // namespace headway::dialects
