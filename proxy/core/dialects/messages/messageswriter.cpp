// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/messages/messageswriter.h"

#include "proxy/core/dialects/clienterror.h"
#include "proxy/core/dialects/translate/assistantitems.h"
#include "proxy/core/json/quote.h"

#include <algorithm>

namespace headway::dialects {

namespace {

std::shared_ptr<const ReplyContext> contextOf(const TurnRequest &request)
{
    return request.reply ? request.reply : std::make_shared<const ReplyContext>();
}

} // namespace

MessagesWriter::MessagesWriter(const TurnRequest &request, base::TurnId turn)
    : m_stream(request.stream)
    , m_turn(turn)
    , m_model(request.modelAsked)
    , m_estimate(request.estimatedInputTokens)
    , m_context(contextOf(request))
    , m_state(request.stream, *m_context)
{
}

void MessagesWriter::restart()
{
    m_state = State(m_stream, *m_context);
    m_stopReason.clear();
}

void MessagesWriter::event(const UpstreamEvent &event, std::string &out)
{
    if (!event.responseId.empty() && m_state.responseId.empty())
        m_state.responseId = event.responseId;
    switch (event.type) {
    case EventType::OutputItemAdded:
    case EventType::OutputItemDone:
    case EventType::OutputTextDelta:
    case EventType::RefusalDelta:
    case EventType::FunctionCallArgumentsDelta:
    case EventType::ReasoningSummaryTextDelta:
    case EventType::ReasoningTextDelta:
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

ArgumentFilter &MessagesWriter::filterOf(Slot &slot) const
{
    if (!slot.filter) {
        const auto tool = m_context->tools.find(slot.name);
        slot.filter.emplace(tool == m_context->tools.end() ? nullptr : &tool->second.droppable);
    }
    return *slot.filter;
}

void MessagesWriter::handle(Slot &slot, EventType type, int part, std::string_view data,
                            std::string &out)
{
    switch (type) {
    case EventType::OutputTextDelta:
    case EventType::RefusalDelta:
        addText(slot, type, part, data, out);
        return;
    case EventType::ReasoningSummaryTextDelta:
    case EventType::ReasoningTextDelta:
        addThinking(slot, type, part, data, out);
        return;
    case EventType::FunctionCallArgumentsDelta: {
        std::string piece;
        slot.decoder.append(piece, data.substr(1, data.size() - 2));
        addArguments(slot, piece, out);
        return;
    }
    default:
        finishItem(slot, data, out);
    }
}

void MessagesWriter::openBlock(BlockWriter::Open kind, const Slot &slot, std::string &out)
{
    if (m_state.blocks.open() != BlockWriter::Open::None)
        return;
    startMessage(out);
    if (kind == BlockWriter::Open::Text) {
        m_state.blocks.openText(out);
    } else if (kind == BlockWriter::Open::Thinking) {
        m_state.blocks.openThinking(out);
    } else {
        const auto tool = m_context->tools.find(slot.name);
        m_state.blocks.openTool(out, slot.callIdBody,
                                tool == m_context->tools.end() ? slot.name
                                                               : tool->second.clientName);
    }
}

void MessagesWriter::addText(Slot &slot, EventType type, int part, std::string_view literal,
                             std::string &out)
{
    if (literal.size() <= 2)
        return;
    if (part < 0) // not said: the same one
        part = std::max(slot.part, 0);
    if (!slot.partBody.empty() && (part != slot.part || type != slot.partType))
        endText(slot, out);
    slot.part = part;
    slot.partType = type;
    slot.partBody += literal.substr(1, literal.size() - 2);
    m_state.refused = m_state.refused || type == EventType::RefusalDelta;
    if (m_state.stopped)
        return;
    openBlock(BlockWriter::Open::Text, slot, out);
    showText(literal, out);
}

void MessagesWriter::showText(std::string_view literal, std::string &out)
{
    if (m_context->stopSequences.empty()) {
        m_state.blocks.text(out, literal);
        return;
    }
    std::string text;
    std::string shown;
    m_state.textDecoder.append(text, literal.substr(1, literal.size() - 2));
    m_state.stopped = m_state.scanner.append(shown, text);
    if (!shown.empty())
        m_state.blocks.text(out, json::literal(shown));
}

void MessagesWriter::endText(Slot &slot, std::string &out)
{
    if (!slot.partBody.empty())
        m_state.echoes.push_back(textItem(slot.partBody, slot.phaseBody));
    slot.partBody.clear();
    std::string rest;
    if (!m_state.stopped) {
        std::string text;
        m_state.textDecoder.finish(text);
        m_state.stopped = m_state.scanner.append(rest, text);
        if (!m_state.stopped)
            m_state.scanner.flush(rest);
    }
    if (!rest.empty())
        m_state.blocks.text(out, json::literal(rest));
    m_state.blocks.close(out);
}

void MessagesWriter::addThinking(Slot &slot, EventType type, int part, std::string_view literal,
                                 std::string &out)
{
    if (!m_context->showsSummary || literal.size() <= 2)
        return;
    if (part < 0)
        part = std::max(slot.part, 0);
    const bool isNewPart = slot.summary.empty() || part != slot.part || type != slot.partType;
    slot.part = part;
    slot.partType = type;
    if (!m_state.stopped) {
        openBlock(BlockWriter::Open::Thinking, slot, out);
        if (isNewPart && !slot.summary.empty())
            m_state.blocks.thinking(out, json::literal(summaryJoint));
        m_state.blocks.thinking(out, literal);
    }
    if (isNewPart)
        slot.summary.emplace_back();
    slot.summary.back() += literal.substr(1, literal.size() - 2);
}

void MessagesWriter::addArguments(Slot &slot, std::string_view unescaped, std::string &out)
{
    slot.received += unescaped;
    std::string shown;
    filterOf(slot).append(shown, unescaped);
    if (shown.empty())
        return;
    slot.arguments += shown;
    if (m_state.stopped)
        return;
    // Only now: a call that is cut off before it has any input is not shown at all.
    openBlock(BlockWriter::Open::Tool, slot, out);
    m_state.blocks.input(out, shown);
}

void MessagesWriter::ping(std::string &out) const
{
    if (m_stream)
        appendRecord(out, "ping", R"({"type":"ping"})");
}

void MessagesWriter::fail(const TurnError &error, std::string &out)
{
    m_stopReason = "error";
    if (!m_stream)
        return;
    const ClientError client = clientError(Door::Messages, error);
    appendRecord(out, "error", messagesErrorBody(client, m_turn));
}

std::vector<std::string> MessagesWriter::echoedItems() const
{
    std::vector<std::string> items = m_state.echoes;
    // As the client's history is read: reasoning that nothing follows is dropped there.
    while (!items.empty() && items.back().starts_with(R"({"type":"reasoning")"))
        items.pop_back();
    return items;
}

} // namespace headway::dialects
