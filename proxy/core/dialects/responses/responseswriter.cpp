// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/responses/responseswriter.h"

#include "proxy/core/dialects/clienterror.h"
#include "proxy/core/json/document.h"
#include "proxy/core/json/quote.h"

#include <algorithm>

namespace headway::dialects {

namespace {

// A record ends at a line break; inside JSON one can only stand between tokens, where a space says
// the same.
void appendOneLine(std::string &out, std::string_view json)
{
    const std::size_t from = out.size();
    out += json;
    std::replace_if(
        out.begin() + static_cast<std::ptrdiff_t>(from), out.end(),
        [](char c) { return c == '\n' || c == '\r'; }, ' ');
}

std::string itemArray(const std::map<int, std::string> &items)
{
    std::string array = "[";
    for (const auto &[index, item] : items) {
        if (array.size() > 1)
            array += ',';
        array += item;
    }
    array += ']';
    return array;
}

} // namespace

ResponsesWriter::ResponsesWriter(const TurnRequest &request, base::TurnId turn)
    : m_door(request.door)
    , m_stream(request.stream || request.door == Door::ResponsesSocket)
    , m_turn(turn)
    , m_model(request.modelAsked)
{
}

void ResponsesWriter::event(const UpstreamEvent &event, std::string &out)
{
    if (!event.responseId.empty() && m_responseId.empty())
        m_responseId = event.responseId;
    if (event.type == EventType::OutputItemDone && !event.item.empty())
        m_items[event.outputIndex >= 0 ? event.outputIndex : static_cast<int>(m_items.size())]
            = event.item;
    if (event.isTerminal())
        finish(event);
    if (!m_stream)
        return;
    ++m_events;
    // Until there is output another attempt may take this one's place.
    if (!m_hasOutput && !event.isOutput() && !event.isTerminal()) {
        write(m_held, event.typeName, event.raw);
        return;
    }
    if (!m_hasOutput)
        out += m_held;
    m_hasOutput = true;
    m_held.clear();
    write(out, event.typeName, event.raw);
}

void ResponsesWriter::write(std::string &out, std::string_view typeName,
                            std::string_view json) const
{
    if (m_door == Door::ResponsesSocket) {
        out += json;
        out += messageEnd;
        return;
    }
    out += "event: ";
    out += typeName;
    out += "\ndata: ";
    appendOneLine(out, json);
    out += "\n\n";
}

void ResponsesWriter::finish(const UpstreamEvent &event)
{
    switch (event.type) {
    case EventType::Completed:
        m_stopReason = "completed";
        break;
    case EventType::Incomplete:
        m_stopReason = "incomplete";
        if (!event.incompleteReason.empty())
            m_stopReason += ": " + std::string(event.incompleteReason);
        break;
    default:
        m_stopReason = "failed";
    }
    if (!m_stream)
        m_response = event.response;
    if (event.items > m_items.size())
        takeWhole(event.response);
}

// The provider told some of its items at the end only, each at its place.
void ResponsesWriter::takeWhole(std::string_view response)
{
    json::Document document;
    if (document.read(response))
        return;
    int index = 0;
    for (const json::Value &item : document.root()["output"])
        m_items.try_emplace(index++, item.raw());
}

void ResponsesWriter::restart()
{
    m_hasOutput = false;
    m_held.clear();
    m_responseId.clear();
    m_items.clear();
    m_response.clear();
    m_stopReason.clear();
    m_events = 0;
}

void ResponsesWriter::ping(std::string &out) const
{
    // Data, not a comment and not a protocol ping: nothing else counts for Codex.
    if (m_door == Door::ResponsesSocket)
        write(out, "keepalive", R"({"type":"keepalive"})");
    else if (m_stream)
        write(out, "ping", R"({"type":"ping"})");
}

void ResponsesWriter::fail(const TurnError &error, std::string &out)
{
    m_stopReason = "failed";
    if (!m_stream)
        return;
    if (m_door == Door::ResponsesSocket)
        write(out, "error", responsesErrorFrame(clientError(m_door, error), error, m_turn));
    else
        write(out, "response.failed", failedEvent(error));
}

std::string ResponsesWriter::failedEvent(const TurnError &error) const
{
    const ClientError client = clientError(m_door, error);
    const std::string id = m_responseId.empty() ? "resp_" + requestId(m_turn) : m_responseId;
    std::string event
        = R"({"type":"response.failed","sequence_number":)" + std::to_string(m_events);
    event += R"(,"response":{"id":)" + json::literal(id);
    event += R"(,"object":"response","status":"failed","model":)" + json::literal(m_model);
    event += ",\"error\":" + responsesErrorObject(client, error);
    event += R"(,"incomplete_details":null,"output":[],"usage":null}})";
    return event;
}

Answer ResponsesWriter::answer() const
{
    const std::string id = requestId(m_turn);
    Answer answer;
    answer.headers
        = {{"Content-Type", "application/json"}, {"request-id", id}, {"x-request-id", id}};
    answer.body = m_response;
    json::Document document;
    if (document.read(m_response))
        return answer;
    // Some endpoints leave the output out at the end; the items that were done are what counts.
    const json::Value output = document.root()["output"];
    if (m_items.empty() || output.first().exists())
        return answer;
    if (output.exists())
        answer.body.replace(output.offset(), output.raw().size(), itemArray(m_items));
    else
        answer.body.insert(
            1, "\"output\":" + itemArray(m_items) + (document.root().first().exists() ? "," : ""));
    return answer;
}

std::vector<std::string> ResponsesWriter::echoedItems() const
{
    std::vector<std::string> items;
    for (const auto &[index, item] : m_items)
        items.push_back(item);
    return items;
}

} // namespace headway::dialects
