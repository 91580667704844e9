// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/chat/chatwriter.h"

#include "proxy/core/dialects/clienterror.h"
#include "proxy/core/dialects/translate/assistantitems.h"
#include "proxy/core/json/quote.h"

#include <algorithm>

namespace headway::dialects {

namespace {

using json::Value;

// Between two messages of one reply, which are one content here, and two parts of its reasoning.
constexpr std::string_view messageJoint = "\n\n";

std::string_view bodyOf(std::string_view literal)
{
    return literal.size() < 2 ? std::string_view() : literal.substr(1, literal.size() - 2);
}

// Unix seconds out of a response object; 0 when it does not say.
std::int64_t createdAt(std::string_view response)
{
    json::Document document;
    if (response.empty() || document.read(response))
        return 0;
    const auto seconds = document.root()["created_at"].number();
    return seconds && *seconds > 0 && *seconds < 1e11 ? static_cast<std::int64_t>(*seconds) : 0;
}

std::shared_ptr<const ReplyContext> contextOf(const TurnRequest &request)
{
    return request.reply ? request.reply : std::make_shared<const ReplyContext>();
}

} // namespace

ChatWriter::ChatWriter(const TurnRequest &request, base::TurnId turn)
    : m_stream(request.stream)
    , m_turn(turn)
    , m_model(request.modelAsked)
    , m_context(contextOf(request))
    , m_state(*m_context)
{
}

void ChatWriter::restart()
{
    m_state = State(*m_context);
    m_finishReason.clear();
}

void ChatWriter::event(const UpstreamEvent &event, std::string &out)
{
    if (m_state.created == 0)
        m_state.created = createdAt(event.response);
    switch (event.type) {
    case EventType::OutputItemAdded:
    case EventType::OutputItemDone:
    case EventType::OutputTextDelta:
    case EventType::RefusalDelta:
    case EventType::ReasoningSummaryTextDelta:
    case EventType::ReasoningTextDelta:
    case EventType::FunctionCallArgumentsDelta:
    case EventType::CustomToolCallInputDelta:
        m_state.items.take(event, *this, out);
        return;
    case EventType::Completed:
    case EventType::Incomplete:
        finishReply(event, out);
        return;
    case EventType::Failed:
    case EventType::Error:
        if (event.error)
            fail(*event.error, out);
        return;
    default:
        return;
    }
}

void ChatWriter::handle(OutputSlot &slot, EventType type, int part, std::string_view data,
                        std::string &out)
{
    std::string text;
    const bool isCall
        = slot.kind == OutputSlot::Kind::Call || slot.kind == OutputSlot::Kind::CustomCall;
    switch (type) {
    case EventType::OutputTextDelta:
    case EventType::RefusalDelta:
    case EventType::ReasoningSummaryTextDelta:
    case EventType::ReasoningTextDelta:
        if (isCall)
            return; // a call says nothing
        enterPart(slot, type, part, out);
        // Unescaped, because not every client can join the halves of a surrogate pair.
        slot.decoder.append(text, bodyOf(data));
        addText(slot, text, out);
        return;
    case EventType::FunctionCallArgumentsDelta:
    case EventType::CustomToolCallInputDelta:
        if (!isCall)
            return; // only a call takes input
        slot.decoder.append(text, bodyOf(data));
        addInput(slot, text, out);
        return;
    default:
        finishItem(slot, data, true, out);
    }
}

void ChatWriter::enterPart(OutputSlot &slot, EventType type, int part, std::string &out)
{
    if (part < 0) // not said: the same one
        part = std::max(slot.part, 0);
    if (slot.part >= 0 && (part != slot.part || type != slot.partType))
        endText(slot, out);
    slot.part = part;
    slot.partType = type;
}

void ChatWriter::addText(OutputSlot &slot, std::string_view unescaped, std::string &out)
{
    slot.received += unescaped;
    if (unescaped.empty())
        return;
    if (slot.kind == OutputSlot::Kind::Reasoning) {
        addReasoning(unescaped, out);
        return;
    }
    if (slot.partType == EventType::RefusalDelta) {
        m_state.refusal += unescaped;
        if (!m_state.stopped)
            show("refusal", unescaped, out);
        return;
    }
    std::string text(std::exchange(m_state.joint, false) ? messageJoint : std::string_view());
    text += unescaped;
    m_state.said += text;
    if (m_state.stopped)
        return;
    std::string shown;
    m_state.stopped = m_state.scanner.append(shown, text);
    m_state.shown += shown;
    show("content", shown, out);
}

void ChatWriter::addReasoning(std::string_view unescaped, std::string &out)
{
    if (!m_context->showsReasoning || m_state.stopped)
        return;
    std::string text(std::exchange(m_state.reasoningJoint, false) ? messageJoint
                                                                  : std::string_view());
    text += unescaped;
    m_state.reasoning += text;
    show("reasoning_content", text, out);
}

void ChatWriter::show(std::string_view member, std::string_view text, std::string &out)
{
    if (!m_stream || text.empty())
        return;
    start(out);
    chunk(out, "{\"" + std::string(member) + "\":" + json::literal(text) + '}');
}

// A half of a pair that never found its other half, before another part begins.
void ChatWriter::endText(OutputSlot &slot, std::string &out)
{
    std::string rest;
    slot.decoder.finish(rest);
    addText(slot, rest, out);
    slot.received.clear();
    if (slot.kind == OutputSlot::Kind::Reasoning)
        m_state.reasoningJoint = !m_state.reasoning.empty();
}

// Only once there is input or the call is complete: one that is cut off before is not shown at all.
void ChatWriter::openCall(OutputSlot &slot, std::string &out)
{
    slot.part = 0;
    const bool isCustom = slot.kind == OutputSlot::Kind::CustomCall;
    m_state.calls.push_back({slot.callIdBody, slot.name, {}, isCustom, false});
    if (!m_stream || m_state.stopped)
        return;
    start(out);
    const Call &call = m_state.calls.back();
    chunk(out,
          "{\"tool_calls\":[{\"index\":" + std::to_string(m_state.calls.size() - 1) + R"(,"id":")"
              + call.idBody + R"(","type":")"
              + (isCustom ? R"(custom","custom":{"name":)" : R"(function","function":{"name":)")
              + json::literal(clientName(call))
              + (isCustom ? R"(,"input":""}}]})" : R"(,"arguments":""}}]})"));
}

void ChatWriter::addInput(OutputSlot &slot, std::string_view unescaped, std::string &out)
{
    if (unescaped.empty())
        return;
    if (slot.part < 0)
        openCall(slot, out);
    slot.received += unescaped;
    m_state.calls.back().input += unescaped;
    if (!m_stream || m_state.stopped)
        return;
    const bool isCustom = slot.kind == OutputSlot::Kind::CustomCall;
    chunk(out,
          "{\"tool_calls\":[{\"index\":" + std::to_string(m_state.calls.size() - 1)
              + (isCustom ? R"(,"custom":{"input":)" : R"(,"function":{"arguments":)")
              + json::literal(unescaped) + "}}]}");
}

const std::string &ChatWriter::clientName(const Call &call) const
{
    const auto tool = m_context->tools.find(call.name);
    return tool == m_context->tools.end() ? call.name : tool->second.clientName;
}

void ChatWriter::start(std::string &out)
{
    if (std::exchange(m_state.started, true))
        return;
    chunk(out, R"({"role":"assistant","content":"","refusal":null})");
}

std::string ChatWriter::head(std::string_view object) const
{
    // Of the turn, not of the response: known before any attempt, and the same for all of them.
    std::string text = R"({"id":"chatcmpl-)" + requestId(m_turn).substr(4) + R"(","object":")";
    text += object;
    text += R"(","created":)" + std::to_string(m_state.created);
    text += ",\"model\":" + json::literal(m_model);
    return text;
}

void ChatWriter::chunk(std::string &out, std::string_view delta,
                       std::string_view finishReason) const
{
    out += "data: " + head("chat.completion.chunk") + R"(,"choices":[{"index":0,"delta":)";
    out += delta;
    out += R"(,"logprobs":null,"finish_reason":)";
    out += finishReason;
    out += m_context->includesUsage ? "}],\"usage\":null}\n\n" : "}]}\n\n";
}

void ChatWriter::ping(std::string &out) const
{
    // Clients of this dialect take every record for a chunk: an empty one is harmless, but has a
    // time in it, which is not known before the upstream accepted the turn.
    if (!m_stream)
        return;
    if (m_state.created != 0)
        chunk(out, "{}");
    else
        out += ": ping\n\n";
}

void ChatWriter::fail(const TurnError &error, std::string &out)
{
    m_finishReason = "error";
    if (!m_stream)
        return;
    const ClientError client = clientError(Door::ChatCompletions, error);
    out += "data: {\"error\":" + responsesErrorObject(client, error) + "}\n\n";
}

// What upstream said, not what the client was shown of it: a text that was cut is not continued
// there.
std::vector<std::string> ChatWriter::echoedItems() const
{
    std::vector<std::string> items;
    for (const std::string *text : {&m_state.said, &m_state.refusal}) {
        if (!text->empty())
            items.push_back(
                textItem(bodyOf(json::literal(*text)), m_state.phaseBody.value_or(std::string())));
    }
    for (const Call &call : m_state.calls) {
        if (!call.complete)
            continue;
        items.push_back(call.isCustom ? customCallItem(call.idBody, call.name, call.input)
                                      : callItem(call.idBody, call.name, call.input));
    }
    return items;
}

} // namespace headway::dialects
