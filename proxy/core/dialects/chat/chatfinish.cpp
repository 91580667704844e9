// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/chat/chatwriter.h"
#include "proxy/core/json/quote.h"

namespace headway::dialects {

namespace {

using json::Value;

} // namespace

void ChatWriter::finishItem(OutputSlot &slot, std::string_view itemJson, bool complete,
                            std::string &out)
{
    json::Document document;
    const bool readable = !document.read(itemJson);
    const Value item = readable ? document.root() : Value();
    switch (slot.kind) {
    case OutputSlot::Kind::Message:
        finishMessage(slot, item, out);
        break;
    case OutputSlot::Kind::Call:
    case OutputSlot::Kind::CustomCall:
        finishCall(slot, item, complete && !item["status"].is("incomplete"), out);
        break;
    case OutputSlot::Kind::Reasoning:
        finishReasoning(slot, item, out);
        break;
    case OutputSlot::Kind::Search:
    case OutputSlot::Kind::Hidden:
        break;
    }
    slot.finished = true;
    slot.waiting.clear();
}

void ChatWriter::finishReasoning(OutputSlot &slot, json::Value item, std::string &out)
{
    const bool hasSummary = item["summary"].first().exists();
    const EventType type
        = hasSummary ? EventType::ReasoningSummaryTextDelta : EventType::ReasoningTextDelta;
    const bool shown = slot.part >= 0 && slot.partType != type; // the other form of it
    int index = 0;
    for (const Value &part : shown ? Value() : item[hasSummary ? "summary" : "content"]) {
        const std::string whole = part["text"].text();
        finishPart(slot, type, index++, whole, out);
    }
    if (slot.part >= 0)
        endText(slot, out);
}

// A part as its item tells it: what its deltas did not say.
void ChatWriter::finishPart(OutputSlot &slot, EventType type, int part, const std::string &whole,
                            std::string &out)
{
    const bool isNew = part > slot.part; // no delta came
    if (part < slot.part)
        return;
    enterPart(slot, type, part, out);
    addText(slot, isNew ? whole : missingTail(whole, slot.received), out);
}

void ChatWriter::finishMessage(OutputSlot &slot, json::Value item, std::string &out)
{
    int index = 0;
    for (const Value &part : item["content"]) {
        const bool refusal = part["type"].is("refusal");
        const std::string whole = part[refusal ? "refusal" : "text"].text();
        const EventType type = refusal ? EventType::RefusalDelta : EventType::OutputTextDelta;
        finishPart(slot, type, index++, whole, out);
    }
    if (slot.part >= 0)
        endText(slot, out);
    m_state.joint = !m_state.said.empty();
    // All that was said comes back as one text: a phase that only a part of it had is nobody's.
    const std::string phase(item["phase"].body());
    if (!m_state.phaseBody)
        m_state.phaseBody = phase;
    else if (*m_state.phaseBody != phase)
        m_state.phaseBody = std::string();
}

void ChatWriter::finishCall(OutputSlot &slot, json::Value item, bool complete, std::string &out)
{
    const bool isCustom = slot.kind == OutputSlot::Kind::CustomCall;
    std::string rest;
    slot.decoder.finish(rest);
    addInput(slot, rest, out);
    addInput(slot, missingTail(item[isCustom ? "input" : "arguments"].text(), slot.received), out);
    if (!complete)
        return;
    if (slot.part < 0)
        openCall(slot, out);
    if (slot.received.empty() && !isCustom)
        addInput(slot, "{}", out);
    m_state.calls.back().complete = true;
}

void ChatWriter::finishReply(const UpstreamEvent &event, std::string &out)
{
    if (!m_finishReason.empty())
        return;
    const bool incomplete = event.type == EventType::Incomplete;
    m_state.items.takeWhole(event, *this, out);
    // Items that never ended: those that wait come after the one that is open.
    while (OutputSlot *const slot = m_state.items.active()) {
        finishItem(*slot, "{}", !incomplete, out);
        m_state.items.advance(*this, out);
    }
    if (!m_state.stopped) {
        std::string rest;
        m_state.scanner.flush(rest);
        m_state.shown += rest;
        show("content", rest, out);
    }
    if (event.usage)
        m_state.usage = *event.usage;
    if (m_state.stopped)
        m_finishReason = "stop";
    else if (incomplete)
        m_finishReason = event.incompleteReason == "content_filter" ? "content_filter" : "length";
    else
        m_finishReason = m_state.calls.empty() ? "stop" : "tool_calls";
    if (!m_stream)
        return;
    start(out);
    chunk(out, "{}", json::literal(m_finishReason));
    if (m_context->includesUsage)
        out += "data: " + head("chat.completion.chunk") + R"(,"choices":[],"usage":)" + usageJson()
            + "}\n\n";
    out += "data: [DONE]\n\n";
}

std::string ChatWriter::usageJson() const
{
    const Usage &usage = m_state.usage;
    std::string json = "{\"prompt_tokens\":" + std::to_string(usage.inputTokens);
    json += ",\"completion_tokens\":" + std::to_string(usage.outputTokens);
    json += ",\"total_tokens\":" + std::to_string(usage.inputTokens + usage.outputTokens);
    json += ",\"prompt_tokens_details\":{\"cached_tokens\":" + std::to_string(usage.cachedTokens)
        + '}';
    json += ",\"completion_tokens_details\":{\"reasoning_tokens\":"
        + std::to_string(usage.reasoningTokens) + "}}";
    return json;
}

// A call that was cut off is left out: it must not look complete.
std::string ChatWriter::messageJson() const
{
    std::string calls;
    for (const Call &call : m_state.calls) {
        if (!call.complete || m_state.stopped)
            continue;
        calls += calls.empty() ? "" : ",";
        calls += R"({"id":")" + call.idBody + R"(","type":")"
            + (call.isCustom ? R"(custom","custom":{"name":)" : R"(function","function":{"name":)")
            + json::literal(clientName(call)) + (call.isCustom ? ",\"input\":" : ",\"arguments\":")
            + json::literal(call.input) + "}}";
    }
    const bool elsewhere = !m_state.refusal.empty() || !calls.empty();
    std::string json = R"({"role":"assistant","content":)";
    json += m_state.shown.empty() && elsewhere ? "null" : json::literal(m_state.shown);
    json += ",\"refusal\":";
    json += m_state.refusal.empty() ? "null" : json::literal(m_state.refusal);
    if (!m_state.reasoning.empty())
        json += ",\"reasoning_content\":" + json::literal(m_state.reasoning);
    if (!calls.empty())
        json += ",\"tool_calls\":[" + calls + ']';
    return json + '}';
}

Answer ChatWriter::answer() const
{
    const std::string id = requestId(m_turn);
    Answer answer;
    answer.headers
        = {{"Content-Type", "application/json"}, {"request-id", id}, {"x-request-id", id}};
    answer.body = head("chat.completion") + R"(,"choices":[{"index":0,"message":)" + messageJson()
        + R"(,"logprobs":null,"finish_reason":)" + json::literal(m_finishReason) + R"(}],"usage":)"
        + usageJson() + '}';
    return answer;
}

} // namespace headway::dialects
