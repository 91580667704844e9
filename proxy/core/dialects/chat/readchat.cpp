// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/chat/chatconversation.h"
#include "proxy/core/dialects/chat/chattools.h"
#include "proxy/core/dialects/identity.h"
#include "proxy/core/dialects/modeltable.h"
#include "proxy/core/dialects/requestbody.h"
#include "proxy/core/dialects/tokenestimate.h"
#include "proxy/core/dialects/translate/sampling.h"
#include "proxy/core/dialects/turnrequest.h"
#include "proxy/core/json/quote.h"

#include <algorithm>

namespace headway::dialects {

namespace {

using json::Value;

bool isAbsent(const Value &value)
{
    return !value.exists() || value.isNull();
}

void checkTypes(const Value &request, Complaint &complaint)
{
    if (!request["model"].isString() || request["model"].body().empty())
        complaint.add("model", request["model"].exists() ? "expected a string" : "field required");
    if (!request["messages"].isArray())
        complaint.add("messages",
                      request["messages"].exists() ? "expected an array" : "field required");
    else if (!request["messages"].first().exists())
        complaint.add("messages", "at least one message is required");
    const Value choices = request["n"];
    if (!isAbsent(choices) && choices.integer() != 1)
        complaint.add("n", "only one choice is supported: leave n out or set it to 1");
    for (const std::string_view name : {"stream", "parallel_tool_calls"}) {
        if (!isAbsent(request[name]) && !request[name].boolean())
            complaint.add(std::string(name), "expected true or false");
    }
    for (const std::string_view name : {"max_completion_tokens", "max_tokens"}) {
        const auto most = request[name].integer();
        if (!isAbsent(request[name]) && (!most || *most < 1))
            complaint.add(std::string(name), "expected a whole number of 1 or more");
    }
    if (!isAbsent(request["audio"]))
        complaint.add("audio", "only text can be asked for");
}

void readStops(const Value &stop, ReplyContext &context, Complaint &complaint)
{
    if (isAbsent(stop))
        return;
    if (!stop.isString() && !stop.isArray())
        complaint.add("stop", "expected a string or an array of strings");
    if (stop.isString() && !stop.body().empty())
        context.stopSequences.push_back(stop.text());
    for (const Value &one : stop) {
        if (!one.isString())
            complaint.add("stop", "expected a string or an array of strings");
        else if (!one.body().empty())
            context.stopSequences.push_back(one.text());
    }
}

// `text`: the output format, which lies flat upstream, and the verbosity.
std::string textControls(const Value &request)
{
    const Value format = request["response_format"];
    const Value schema = format["json_schema"];
    std::string out;
    if (format["type"].is("json_object")) {
        out = R"("format":{"type":"json_object"})";
    } else if (format["type"].is("json_schema") && schema["schema"].isObject()) {
        out = R"("format":{"type":"json_schema","name":)";
        out += schema["name"].isString() ? schema["name"].raw() : std::string_view("\"output\"");
        for (const std::string_view name : {"description", "schema", "strict"})
            if (!isAbsent(schema[name]))
                out += ",\"" + std::string(name) + "\":" + std::string(schema[name].raw());
        out += '}';
    }
    if (request["verbosity"].isString()) {
        out += out.empty() ? "" : ",";
        out += "\"verbosity\":";
        out += request["verbosity"].raw();
    }
    return out.empty() ? out : '{' + out + '}';
}

std::string effortOfChat(const Value &request)
{
    const Value effort = request["reasoning_effort"];
    return (isAbsent(effort) ? request["reasoning"]["effort"] : effort).text();
}

// The dialect itself has no word for it. What gateways made usual is understood: an object
// `reasoning` or `include_reasoning` asks for a summary, `exclude` for none. Without being asked
// none is asked for upstream, since it is refused to accounts that are not verified.
std::string reasoningOfChat(const Value &request, const std::string &effort, ReplyContext &context)
{
    const Value reasoning = request["reasoning"];
    const auto included = request["include_reasoning"].boolean();
    context.showsReasoning
        = !reasoning["exclude"].boolean().value_or(false) && included.value_or(true);
    std::string out;
    if (!effort.empty())
        out += "\"effort\":" + json::literal(effort);
    if (context.showsReasoning && effort != "none" && (reasoning.isObject() || included)) {
        const Value summary = reasoning["summary"];
        out += out.empty() ? "\"summary\":" : ",\"summary\":";
        out += summary.isString() ? summary.raw() : std::string_view("\"auto\"");
    }
    return out.empty() ? out : '{' + out + '}';
}

std::string mostTokens(const Value &request)
{
    auto most = request["max_completion_tokens"].integer();
    if (!most)
        most = request["max_tokens"].integer();
    return most ? std::to_string(std::max<std::int64_t>(*most, leastOutputTokens)) : std::string();
}

class ChatReader final
{
public:
    ChatReader(const Value &root, const ClientHeaders &headers)
        : m_root(root)
        , m_headers(headers)
        , m_context(std::make_shared<ReplyContext>())
        , m_conversation(m_text, m_complaint)
    {
    }

    tl::expected<TurnRequest, TurnError> read(std::size_t bodySize)
    {
        m_text.growing().reserve(bodySize + bodySize / 4 + 4096);
        checkTypes(m_root, m_complaint);
        if (m_root["messages"].isArray())
            m_conversation.read(m_root["messages"]);
        readFields();
        if (m_complaint.error())
            return tl::make_unexpected(*m_complaint.error());
        finish();
        return std::move(m_request);
    }

private:
    void readFields()
    {
        m_request.modelAsked = m_root["model"].text();
        m_request.model = withoutLongContextMark(m_request.modelAsked);
        m_request.stream = m_root["stream"].boolean().value_or(false);
        m_request.effort = effortOfChat(m_root);
        m_context->includesUsage
            = m_root["stream_options"]["include_usage"].boolean().value_or(false);
        readStops(m_root["stop"], *m_context, m_complaint);
        readSampling(m_root, m_request.wishes, m_complaint);
        const std::string instructions = m_conversation.instructions();
        const std::string tools = chatTools(m_root, *m_context, m_complaint);

        std::string &fields = m_request.fields;
        addField(fields, "model", json::literal(m_request.model));
        addField(fields, "instructions", instructions);
        addField(fields, "tools", tools);
        addField(fields, "tool_choice", chatToolChoice(m_root["tool_choice"], *m_context));
        if (!tools.empty() && m_root["parallel_tool_calls"].boolean())
            addField(fields, "parallel_tool_calls", m_root["parallel_tool_calls"].raw());
        addField(fields, "reasoning", reasoningOfChat(m_root, m_request.effort, *m_context));
        addField(fields, "text", textControls(m_root));
        addField(fields, "max_output_tokens", mostTokens(m_root));
        for (const std::string_view name :
             {"service_tier", "prompt_cache_key", "safety_identifier", "user"})
            if (m_root[name].isString())
                addField(fields, name, m_root[name].raw());
        addField(fields, "store", "false");
        m_instructions = m_text.keep(instructions);
        m_tools = m_text.keep(tools);
    }

    void finish()
    {
        m_request.door = Door::ChatCompletions;
        m_request.identity = responsesIdentity(m_root, m_headers);
        for (const auto &range : m_conversation.items())
            m_request.input.push_back(m_text.view(range));
        m_request.instructions = m_text.view(m_instructions);
        m_request.tools = m_text.view(m_tools);
        m_request.interactive = !m_request.identity.session.empty()
            && m_request.identity.agent.empty() && m_conversation.endsWithUserText();
        m_request.estimatedInputTokens = estimateRequest(m_root, Care::Sampled);
        m_request.text = m_text.shared();
        m_request.reply = m_context;
    }

    Value m_root;
    const ClientHeaders &m_headers;
    RequestText m_text;
    std::shared_ptr<ReplyContext> m_context;
    Complaint m_complaint;
    ChatConversation m_conversation;
    TurnRequest m_request;
    RequestText::Range m_instructions;
    RequestText::Range m_tools;
};

} // namespace

tl::expected<TurnRequest, TurnError> readChatCompletions(std::shared_ptr<const std::string> body,
                                                         const ClientHeaders &headers)
{
    json::Document document;
    if (auto error = readBody(document, *body))
        return tl::make_unexpected(std::move(*error));
    return ChatReader(document.root(), headers).read(body->size());
}

} // namespace headway::dialects
