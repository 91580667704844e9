// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/messages/toolset.h"

#include "proxy/core/dialects/translate/schema.h"
#include "proxy/core/dialects/translate/toolnames.h"
#include "proxy/core/json/quote.h"

namespace headway::dialects {

namespace {

using json::Value;

bool isFunction(const Value &tool)
{
    return !tool["type"].exists() || tool["type"].isNull() || tool["type"].is("custom");
}

bool isWebSearch(const Value &tool)
{
    return tool["type"].body().starts_with("web_search_") || tool["type"].is("web_search");
}

std::string functionTool(const Value &tool, const std::string &name)
{
    std::string out = R"({"type":"function","name":)";
    json::appendQuoted(out, name);
    if (tool["description"].isString()) {
        out += ",\"description\":";
        out += tool["description"].raw();
    }
    out += ",\"parameters\":";
    appendParameters(out, tool["input_schema"]);
    // Without the word the provider tries strict mode, in which each optional field must be filled.
    out += ",\"strict\":false}";
    return out;
}

std::string webSearchTool(const Value &tool)
{
    std::string out = R"({"type":"web_search")";
    if (tool["allowed_domains"].isArray()) {
        out += R"(,"filters":{"allowed_domains":)";
        out += tool["allowed_domains"].raw();
        out += '}';
    }
    if (tool["user_location"].isObject()) {
        out += ",\"user_location\":";
        out += tool["user_location"].raw();
    }
    out += '}';
    return out;
}

class ToolReader final
{
public:
    ToolReader(ReplyContext &context, Complaint &complaint)
        : m_context(context)
        , m_complaint(complaint)
    {
    }

    void read(const Value &tools)
    {
        std::size_t index = 0;
        for (const Value &tool : tools)
            readTool(tool, "tools[" + std::to_string(index++) + "]");
    }

    [[nodiscard]] std::string tools() const
    {
        return m_tools.empty() ? std::string() : '[' + m_tools + ']';
    }

    // The choice in upstream terms, when it can be kept.
    [[nodiscard]] std::string choice(const Value &choice) const
    {
        const Value type = choice["type"];
        if (m_tools.empty())
            return {}; // upstream refuses a choice without tools
        if (type.is("none"))
            return "\"none\"";
        if (type.is("auto"))
            return "\"auto\"";
        if (type.is("any"))
            return "\"required\"";
        if (!type.is("tool"))
            return {};
        const std::string name = choice["name"].text();
        const std::string upstream = aliased(name);
        if (m_context.tools.contains(upstream))
            return R"({"type":"function","name":)" + json::literal(upstream) + '}';
        if (!m_webSearchName.empty() && name == m_webSearchName)
            return R"({"type":"web_search"})";
        return "\"auto\"";
    }

private:
    void readTool(const Value &tool, const std::string &path)
    {
        if (!tool.isObject()) {
            m_complaint.add(path, "expected an object");
        } else if (isFunction(tool)) {
            readFunction(tool, path);
        } else if (isWebSearch(tool) && m_webSearchName.empty()) {
            m_webSearchName = tool["name"].text();
            if (m_webSearchName.empty())
                m_webSearchName = "web_search";
            add(webSearchTool(tool));
        }
    }

    void readFunction(const Value &tool, const std::string &path)
    {
        const std::string name = tool["name"].text();
        if (name.empty()) {
            m_complaint.add(path + ".name", "expected a string");
            return;
        }
        const std::string upstream = aliased(name);
        const Value schema = tool["input_schema"];
        const auto [entry, isNew] = m_context.tools.try_emplace(
            upstream, ToolShape{.clientName = name, .droppable = optionalProperties(schema)});
        if (isNew) // the first of a name counts
            add(functionTool(tool, upstream));
    }

    void add(const std::string &tool)
    {
        if (!m_tools.empty())
            m_tools += ',';
        m_tools += tool;
    }

    ReplyContext &m_context;
    Complaint &m_complaint;
    std::string m_tools;
    std::string m_webSearchName;
};

} // namespace

Toolset readTools(json::Value request, ReplyContext &context, Complaint &complaint)
{
    const Value tools = request["tools"];
    const Value choice = request["tool_choice"];
    if (tools.exists() && !tools.isNull() && !tools.isArray())
        complaint.add("tools", "expected an array");
    if (choice.exists() && !choice.isNull() && !choice.isObject())
        complaint.add("tool_choice", "expected an object");
    ToolReader reader(context, complaint);
    if (tools.isArray())
        reader.read(tools);
    Toolset set;
    set.tools = reader.tools();
    set.choice = reader.choice(choice);
    set.parallelCalls = !choice["disable_parallel_tool_use"].boolean().value_or(false);
    return set;
}

} // namespace headway::dialects
