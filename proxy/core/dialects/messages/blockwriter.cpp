// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/messages/blockwriter.h"

#include "proxy/core/json/document.h"
#include "proxy/core/json/literal.h"
#include "proxy/core/json/quote.h"

namespace headway::dialects {

namespace {

std::string_view bodyOf(std::string_view literal)
{
    return literal.size() < 2 ? std::string_view() : literal.substr(1, literal.size() - 2);
}

// Input must be an object in a whole message. What the model wrote instead is shown to the client,
// whose check of the input will tell the model.
std::string asObject(const std::string &input)
{
    json::Document document;
    if (!document.read(input) && document.root().isObject())
        return input;
    return R"({"invalid_arguments":)" + json::literal(input) + '}';
}

} // namespace

void appendRecord(std::string &out, std::string_view type, std::string_view data)
{
    out += "event: ";
    out += type;
    out += "\ndata: ";
    out += data;
    out += "\n\n";
}

void BlockWriter::start(std::string &out, Open kind, std::string_view block)
{
    m_open = kind;
    m_body.clear();
    if (!m_stream)
        return;
    std::string data = R"({"type":"content_block_start","index":)" + std::to_string(m_next);
    data += ",\"content_block\":";
    data += block;
    data += '}';
    appendRecord(out, "content_block_start", data);
}

void BlockWriter::openText(std::string &out)
{
    start(out, Open::Text, R"({"type":"text","text":""})");
}

void BlockWriter::openThinking(std::string &out)
{
    start(out, Open::Thinking, R"({"type":"thinking","thinking":"","signature":""})");
}

void BlockWriter::openTool(std::string &out, std::string_view idBody, std::string_view clientName)
{
    m_toolHead = R"({"type":"tool_use","id":")";
    m_toolHead += idBody;
    m_toolHead += "\",\"name\":";
    json::appendQuoted(m_toolHead, clientName);
    m_toolHead += ",\"input\":";
    start(out, Open::Tool, m_toolHead + "{}}");
}

// The hot path: one delta in, one record out, nothing unescaped.
void BlockWriter::delta(std::string &out, std::string_view type, std::string_view member,
                        std::string_view literal)
{
    out += "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":";
    out += std::to_string(m_next);
    out += ",\"delta\":{\"type\":\"";
    out += type;
    out += "\",\"";
    out += member;
    out += "\":";
    out += literal;
    out += "}}\n\n";
}

// Not every client can put the halves of a pair together again: both go out in one delta.
void BlockWriter::pairedDelta(std::string &out, std::string_view type, std::string_view member,
                              std::string_view literal)
{
    const std::string_view body = bodyOf(literal);
    const std::size_t open = json::openHalf(body);
    if (open == 0 && m_half.empty()) {
        delta(out, type, member, literal);
        return;
    }
    const std::string whole = m_half + std::string(body.substr(0, body.size() - open));
    m_half = body.substr(body.size() - open);
    if (!whole.empty())
        delta(out, type, member, '"' + whole + '"');
}

void BlockWriter::text(std::string &out, std::string_view literal)
{
    if (m_stream)
        pairedDelta(out, "text_delta", "text", literal);
    else
        m_body += bodyOf(literal);
}

void BlockWriter::thinking(std::string &out, std::string_view literal)
{
    if (m_stream)
        pairedDelta(out, "thinking_delta", "thinking", literal);
    else
        m_body += bodyOf(literal);
}

void BlockWriter::input(std::string &out, std::string_view piece)
{
    if (m_stream)
        delta(out, "input_json_delta", "partial_json", json::literal(piece));
    else
        m_body += piece;
}

void BlockWriter::addContent(std::string_view block)
{
    if (!m_content.empty())
        m_content += ',';
    m_content += block;
}

void BlockWriter::close(std::string &out, std::string_view signature, bool complete)
{
    if (m_open == Open::None)
        return;
    const Open kind = m_open;
    m_open = Open::None;
    if (m_stream) {
        if (!m_half.empty()) // it never came
            pairedDelta(out, kind == Open::Text ? "text_delta" : "thinking_delta",
                        kind == Open::Text ? "text" : "thinking", "\"\"");
        if (!signature.empty())
            delta(out, "signature_delta", "signature", json::literal(signature));
        appendRecord(out, "content_block_stop",
                     R"({"type":"content_block_stop","index":)" + std::to_string(m_next) + '}');
    } else if (kind == Open::Text) {
        addContent(R"({"type":"text","text":")" + m_body + "\"}");
    } else if (kind == Open::Thinking) {
        addContent(R"({"type":"thinking","thinking":")" + m_body
                   + "\",\"signature\":" + json::literal(signature) + '}');
    } else if (complete) {
        addContent(m_toolHead + asObject(m_body) + '}');
    }
    ++m_next;
}

void BlockWriter::whole(std::string &out, std::string_view head, std::string_view input,
                        std::string_view tail)
{
    std::string block(head);
    if (!m_stream) {
        block += input;
        block += tail;
        addContent(block);
        ++m_next;
        return;
    }
    block += input.empty() ? "" : "{}";
    block += tail;
    start(out, Open::Tool, block);
    if (!input.empty())
        this->input(out, input);
    close(out);
}

} // namespace headway::dialects
