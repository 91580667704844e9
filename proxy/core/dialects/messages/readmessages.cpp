// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/identity.h"
#include "proxy/core/dialects/messages/contextedits.h"
#include "proxy/core/dialects/messages/controls.h"
#include "proxy/core/dialects/messages/conversation.h"
#include "proxy/core/dialects/messages/toolset.h"
#include "proxy/core/dialects/modeltable.h"
#include "proxy/core/dialects/requestbody.h"
#include "proxy/core/dialects/tokenestimate.h"
#include "proxy/core/dialects/translate/complaint.h"
#include "proxy/core/dialects/translate/replycontext.h"
#include "proxy/core/dialects/translate/requesttext.h"
#include "proxy/core/dialects/translate/sampling.h"
#include "proxy/core/dialects/turnrequest.h"
#include "proxy/core/json/document.h"
#include "proxy/core/json/quote.h"

#include <algorithm>

namespace headway::dialects {

namespace {

using json::Value;

constexpr std::string_view threadsBeta = "message-threads-";

void checkTypes(const Value &request, Complaint &complaint)
{
    if (!request["model"].isString() || request["model"].body().empty())
        complaint.add("model", request["model"].exists() ? "expected a string" : "field required");
    if (!request["messages"].isArray())
        complaint.add("messages",
                      request["messages"].exists() ? "expected an array" : "field required");
    else if (!request["messages"].first().exists())
        complaint.add("messages", "at least one message is required");
    const auto maximum = request["max_tokens"].integer();
    if (!maximum || *maximum < 1)
        complaint.add("max_tokens",
                      request["max_tokens"].exists() ? "expected a whole number of 1 or more"
                                                     : "field required");
    const Value stream = request["stream"];
    if (stream.exists() && !stream.isNull() && !stream.boolean())
        complaint.add("stream", "expected true or false");
}

// A thread that continues on the server's memory of earlier messages: that memory is not here, and
// answering without it would lose the context. The words make the client send everything.
std::optional<TurnError> refusedThread(const Value &request, const ClientHeaders &headers)
{
    if (!request["thread"]["type"].is("continue"))
        return std::nullopt;
    std::string beta = "message-threads";
    for (const auto &[name, value] : headers.fields) {
        const std::size_t at
            = name == "anthropic-beta" ? value.find(threadsBeta) : std::string::npos;
        if (at != std::string::npos)
            beta = value.substr(at, value.find_first_of(", ", at) - at);
    }
    TurnError error;
    error.kind = ErrorKind::InvalidRequest;
    error.type = "invalid_request_error";
    error.code = "capability_rejected";
    error.param = "thread";
    error.message = "capability_rejected: " + beta
        + " is not supported here; send the whole conversation in messages.";
    return error;
}

class MessagesReader final
{
public:
    MessagesReader(const Value &root, const ClientHeaders &headers)
        : m_root(root)
        , m_headers(headers)
        , m_context(std::make_shared<ReplyContext>())
        , m_edits(readContextEdits(root, m_complaint))
        , m_conversation(m_text.growing(), m_edits, m_complaint)
    {
    }

    tl::expected<TurnRequest, TurnError> read(std::size_t bodySize)
    {
        m_text.growing().reserve(bodySize + bodySize / 4 + 4096);
        checkTypes(m_root, m_complaint);
        readFields();
        if (m_root["messages"].isArray())
            m_conversation.read(m_root["messages"]);
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
        m_request.identity = messagesIdentity(m_root, m_headers);
        m_request.effort = effortOf(m_root);
        const std::string instructions = instructionsOf(m_root["system"], m_complaint);
        const Toolset tools = readTools(m_root, *m_context, m_complaint);
        readStopSequences(m_root, *m_context, m_complaint);
        readSampling(m_root, m_request.wishes, m_complaint);

        std::string &fields = m_request.fields;
        addField(fields, "model", json::literal(m_request.model));
        addField(fields, "instructions", instructions);
        addField(fields, "tools", tools.tools);
        addField(fields, "tool_choice", tools.choice);
        if (!tools.parallelCalls)
            addField(fields, "parallel_tool_calls", "false");
        addField(fields, "reasoning", reasoningOf(m_root, m_request.effort, *m_context));
        addField(fields, "text", textFormatOf(m_root));
        const auto maximum = m_root["max_tokens"].integer().value_or(leastOutputTokens);
        addField(fields, "max_output_tokens",
                 std::to_string(std::max<std::int64_t>(maximum, leastOutputTokens)));
        if (m_root["speed"].is("fast"))
            addField(fields, "service_tier", "\"priority\"");
        addField(fields, "store", "false");
        addField(fields, "include", R"(["reasoning.encrypted_content"])");
        m_instructions = m_text.keep(instructions);
        m_tools = m_text.keep(tools.tools);
    }

    void finish()
    {
        m_request.door = Door::Messages;
        for (const auto &range : m_conversation.items())
            m_request.input.push_back(m_text.view(range));
        m_request.wishes.cacheMarks = m_conversation.cacheMarks();
        m_request.wishes.plainResults = m_conversation.plainResults();
        m_request.wishes.cachesLong
            = m_conversation.cachesLong() || m_root["cache_control"]["ttl"].is("1h");
        m_request.wishes.compactAt = m_edits.compactAt;
        m_context->contextEdits = m_edits.applied();
        m_request.instructions = m_text.view(m_instructions);
        m_request.tools = m_text.view(m_tools);
        m_request.interactive = !m_request.identity.session.empty()
            && m_request.identity.agent.empty() && m_conversation.endsWithUserText();
        const std::uint64_t estimate = estimateRequest(m_root, Care::Sampled);
        m_request.estimatedInputTokens = estimate - std::min(estimate, m_edits.savedTokens());
        m_request.text = m_text.shared();
        m_request.reply = m_context;
    }

    Value m_root;
    const ClientHeaders &m_headers;
    RequestText m_text;
    std::shared_ptr<ReplyContext> m_context;
    Complaint m_complaint;
    ContextEdits m_edits;
    Conversation m_conversation;
    TurnRequest m_request;
    RequestText::Range m_instructions;
    RequestText::Range m_tools;
};

} // namespace

tl::expected<TurnRequest, TurnError> readMessages(std::shared_ptr<const std::string> body,
                                                  const ClientHeaders &headers)
{
    json::Document document;
    if (auto error = readBody(document, *body))
        return tl::make_unexpected(std::move(*error));
    if (auto error = refusedThread(document.root(), headers))
        return tl::make_unexpected(std::move(*error));
    return MessagesReader(document.root(), headers).read(body->size());
}

} // namespace headway::dialects
