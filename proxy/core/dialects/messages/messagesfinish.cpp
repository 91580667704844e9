// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/messages/messageswriter.h"
#include "proxy/core/dialects/translate/assistantitems.h"
#include "proxy/core/json/quote.h"

namespace headway::dialects {

namespace {

using json::Value;

std::string searchResults(const Value &item)
{
    std::string results;
    for (const Value &source : item["action"]["sources"]) {
        if (!source["url"].isString())
            continue;
        results += results.empty() ? "" : ",";
        results += R"({"type":"web_search_result","url":)";
        results += source["url"].raw();
        results += ",\"title\":";
        results += source["title"].isString() ? source["title"].raw() : source["url"].raw();
        results += R"(,"encrypted_content":"","page_age":null})";
    }
    return results;
}

} // namespace

void MessagesWriter::finishItem(Slot &slot, std::string_view itemJson, std::string &out)
{
    json::Document document;
    const bool readable = !document.read(itemJson);
    const Value item = readable ? document.root() : Value();
    switch (slot.kind) {
    case Slot::Kind::Reasoning:
        finishReasoning(slot, item, out);
        break;
    case Slot::Kind::Message:
        finishMessage(slot, item, out);
        break;
    case Slot::Kind::Call:
        finishCall(slot, item, !item["status"].is("incomplete"), out);
        break;
    case Slot::Kind::Search:
        finishSearch(slot, item, out);
        break;
    case Slot::Kind::CustomCall:
    case Slot::Kind::Hidden:
        break;
    }
    slot.finished = true;
    slot.waiting.clear();
}

void MessagesWriter::finishReasoning(Slot &slot, json::Value item, std::string &out)
{
    if (slot.summary.empty()) { // no delta came
        int index = 0;
        for (const Value &part : item["summary"])
            addThinking(slot, EventType::ReasoningSummaryTextDelta, index++, part["text"].raw(),
                        out);
        for (const Value &part : index == 0 ? item["content"] : Value())
            addThinking(slot, EventType::ReasoningTextDelta, index++, part["text"].raw(), out);
    }
    CarriedReasoning reasoning;
    reasoning.id = item["id"].text();
    reasoning.encryptedContent = item["encrypted_content"].text();
    std::string thinking;
    for (const std::string &body : slot.summary) {
        const std::string text = json::unescaped(body);
        if (!thinking.empty())
            thinking += summaryJoint;
        thinking += text;
        reasoning.partLengths.push_back(text.size());
    }
    if (!m_context->showsThinking)
        return;
    const bool carries = !reasoning.encryptedContent.empty();
    if (carries)
        m_state.echoes.push_back(reasoningItem(reasoning, thinking));
    if (m_state.stopped)
        return;
    if (carries)
        openBlock(BlockWriter::Open::Thinking, slot, out);
    m_state.blocks.close(out, carries ? encodeSignature(reasoning) : std::string());
}

void MessagesWriter::finishMessage(Slot &slot, json::Value item, std::string &out)
{
    if (slot.phaseBody.empty())
        slot.phaseBody = item["phase"].body();
    int index = 0;
    for (const Value &part : item["content"]) {
        const bool refusal = part["type"].is("refusal");
        const Value text = part[refusal ? "refusal" : "text"];
        const EventType type = refusal ? EventType::RefusalDelta : EventType::OutputTextDelta;
        if (index > slot.part) { // no delta came
            addText(slot, type, index, text.raw(), out);
        } else if (index == slot.part && text.body() != slot.partBody) {
            const std::string tail = missingTail(text.text(), json::unescaped(slot.partBody));
            if (!tail.empty())
                addText(slot, type, index, json::literal(tail), out);
        }
        ++index;
    }
    endText(slot, out);
}

void MessagesWriter::finishCall(Slot &slot, json::Value item, bool complete, std::string &out)
{
    std::string rest;
    slot.decoder.finish(rest);
    addArguments(slot, rest, out);
    const std::string whole = item["arguments"].text();
    addArguments(slot, missingTail(whole, slot.received), out);
    if (!complete) {
        m_state.blocks.close(out, {}, false);
        return;
    }
    if (slot.received.empty())
        addArguments(slot, "{}", out);
    rest.clear();
    filterOf(slot).finish(rest);
    slot.arguments += rest;
    m_state.echoes.push_back(callItem(slot.callIdBody, slot.name, slot.arguments));
    if (m_state.stopped)
        return;
    ++m_state.calls;
    openBlock(BlockWriter::Open::Tool, slot, out);
    if (!rest.empty())
        m_state.blocks.input(out, rest);
    m_state.blocks.close(out);
}

void MessagesWriter::finishSearch(const Slot &slot, json::Value item, std::string &out)
{
    const Value action = item["action"];
    if (!action["type"].is("search") || m_state.stopped)
        return;
    ++m_state.searches;
    startMessage(out);
    const std::string id = "\"srvtoolu_" + slot.itemId + '"';
    std::string input = "{\"query\":";
    input += action["query"].isString() ? action["query"].raw() : std::string_view("\"\"");
    input += '}';
    m_state.blocks.whole(
        out, R"({"type":"server_tool_use","id":)" + id + R"(,"name":"web_search","input":)", input,
        "}");
    m_state.blocks.whole(out,
                         R"({"type":"web_search_tool_result","tool_use_id":)" + id
                             + ",\"content\":[" + searchResults(item) + "]}",
                         {}, {});
}

void MessagesWriter::finishReply(const UpstreamEvent &event, std::string &out)
{
    if (!m_stopReason.empty())
        return;
    const bool incomplete = event.type == EventType::Incomplete;
    m_state.items.takeWhole(event, *this, out);
    // Items that never ended: those that wait come after the one that is open.
    while (Slot *const slot = m_state.items.active()) {
        if (slot->kind == Slot::Kind::Call) {
            finishCall(*slot, {}, !incomplete, out);
            slot->finished = true;
        } else {
            finishItem(*slot, "{}", out);
        }
        m_state.items.advance(*this, out);
    }
    if (event.usage)
        m_state.usage = *event.usage;
    if (m_state.stopped)
        m_stopReason = "stop_sequence";
    else if (incomplete)
        m_stopReason = event.incompleteReason == "content_filter" ? "refusal" : "max_tokens";
    else if (m_state.refused)
        m_stopReason = "refusal";
    else
        m_stopReason = m_state.calls > 0 ? "tool_use" : "end_turn";
    if (!m_stream)
        return;
    startMessage(out);
    appendRecord(out, "message_delta",
                 R"({"type":"message_delta","delta":{)" + stopJson()
                     + R"(,"container":null},"usage":)" + usageJson() + editsJson() + '}');
    appendRecord(out, "message_stop", R"({"type":"message_stop"})");
}

void MessagesWriter::startMessage(std::string &out)
{
    if (m_state.started)
        return;
    m_state.started = true;
    if (!m_stream)
        return;
    // Final numbers come with message_delta; clients that look here want a size of the prompt.
    std::string data = R"({"type":"message_start","message":{"id":)" + json::literal(messageId());
    data += R"(,"type":"message","role":"assistant","model":)" + json::literal(m_model);
    data += R"(,"content":[],"stop_reason":null,"stop_sequence":null,"stop_details":null,)";
    data += R"("container":null,"usage":{"input_tokens":)" + std::to_string(m_estimate);
    data += R"(,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":0}}})";
    appendRecord(out, "message_start", data);
}

std::string MessagesWriter::messageId() const
{
    constexpr std::string_view prefix = "resp_";
    const std::string &id = m_state.responseId;
    if (id.empty())
        return "msg_" + requestId(m_turn).substr(4);
    return "msg_" + (id.starts_with(prefix) ? id.substr(prefix.size()) : id);
}

// Table 5.3: upstream counts cached and written tokens as input, the client wants them apart.
std::string MessagesWriter::usageJson() const
{
    const Usage &usage = m_state.usage;
    const std::uint64_t apart = usage.cachedTokens + usage.cacheWriteTokens;
    const std::uint64_t input = usage.inputTokens > apart ? usage.inputTokens - apart : 0;
    std::string json = "{\"input_tokens\":" + std::to_string(input);
    json += ",\"cache_creation_input_tokens\":" + std::to_string(usage.cacheWriteTokens);
    json += ",\"cache_read_input_tokens\":" + std::to_string(usage.cachedTokens);
    json += ",\"output_tokens\":" + std::to_string(usage.outputTokens);
    json += ",\"output_tokens_details\":{\"thinking_tokens\":"
        + std::to_string(usage.reasoningTokens) + '}';
    if (m_state.searches > 0)
        json += ",\"server_tool_use\":{\"web_search_requests\":" + std::to_string(m_state.searches)
            + '}';
    json += '}';
    return json;
}

std::string MessagesWriter::editsJson() const
{
    const std::string &edits = m_context->contextEdits;
    return edits.empty() ? std::string() : ",\"context_management\":" + edits;
}

std::string MessagesWriter::stopJson() const
{
    const bool refusal = m_stopReason == "refusal";
    std::string json = "\"stop_reason\":" + json::literal(m_stopReason);
    json += ",\"stop_sequence\":";
    json += m_state.stopped ? json::literal(m_state.scanner.found()) : "null";
    json += ",\"stop_details\":";
    json += refusal ? R"({"type":"refusal","category":null,"explanation":null})" : "null";
    return json;
}

Answer MessagesWriter::answer() const
{
    const std::string id = requestId(m_turn);
    Answer answer;
    answer.headers
        = {{"Content-Type", "application/json"}, {"request-id", id}, {"x-request-id", id}};
    answer.body = R"({"id":)" + json::literal(messageId());
    answer.body += R"(,"type":"message","role":"assistant","model":)" + json::literal(m_model);
    answer.body += ",\"content\":[" + m_state.blocks.content() + "]," + stopJson();
    answer.body += ",\"container\":null,\"usage\":" + usageJson() + editsJson() + '}';
    return answer;
}

} // namespace headway::dialects
