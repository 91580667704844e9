// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/replyscript.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace headway::bench {

namespace {

constexpr std::size_t idDigits = 16;
const std::string idMark(idDigits, '\x01'); // stands for the id while the script is made

std::string deltaText(int index)
{
    return (index == 0 ? "word" : " word") + std::to_string(index);
}

std::string hex(std::uint64_t value)
{
    constexpr std::array digits{'0', '1', '2', '3', '4', '5', '6', '7',
                                '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
    std::string text(idDigits, '0');
    for (std::size_t i = idDigits; i > 0; --i, value >>= 4U)
        text[i - 1] = digits[value & 0xfU];
    return text;
}

// An unmasked text frame, RFC 6455 section 5.2; events are shorter than 64 KiB but for the last.
std::string frame(const std::string &text)
{
    std::string bytes = "\x81";
    const std::size_t size = text.size();
    const unsigned lengthBytes = size < 126 ? 0 : size < 65536 ? 2 : 8;
    bytes += static_cast<char>(lengthBytes == 0 ? size : lengthBytes == 2 ? 126 : 127);
    for (unsigned i = lengthBytes; i > 0; --i)
        bytes += static_cast<char>((size >> (8U * (i - 1))) & 0xffU);
    return bytes + text;
}

std::string chunk(const std::string &type, const std::string &json)
{
    const std::string event = "event: " + type + "\ndata: " + json + "\n\n";
    std::string size;
    for (std::size_t left = event.size(); left > 0; left >>= 4U)
        size.insert(size.begin(), "0123456789abcdef"[left & 0xfU]);
    return size + "\r\n" + event + "\r\n";
}

class Writer
{
public:
    explicit Writer(Wire wire)
        : m_wire(wire)
    {
        if (wire != Wire::WebSocket)
            m_script.bytes = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                             "Cache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n\r\n";
    }

    // `fields` follow the type; a Responses event is numbered.
    void event(const std::string &type, const std::string &fields)
    {
        const std::string number = m_wire == Wire::MessagesSse
            ? std::string()
            : ",\"sequence_number\":" + std::to_string(m_number++);
        const std::string json = "{\"type\":\"" + type + "\"" + number + fields + "}";
        m_script.bytes += m_wire == Wire::WebSocket ? frame(json) : chunk(type, json);
    }

    void cut() { m_script.cuts.push_back(m_script.bytes.size()); }

    [[nodiscard]] ReplyScript finish()
    {
        if (m_wire != Wire::WebSocket)
            m_script.bytes += "0\r\n\r\n";
        for (std::size_t at = 0; (at = m_script.bytes.find(idMark, at)) != std::string::npos;
             at += idDigits)
            m_script.idOffsets.push_back(at);
        return std::move(m_script);
    }

private:
    Wire m_wire;
    ReplyScript m_script;
    int m_number = 0;
};

std::string response(const std::string &status, const std::string &output, const std::string &usage)
{
    return ",\"response\":{\"id\":\"resp_" + idMark
        + "\",\"object\":\"response\",\"created_at\":1,"
          "\"status\":\""
        + status
        + "\",\"error\":null,\"incomplete_details\":null,"
          "\"model\":\"bench\",\"output\":["
        + output
        + "],\"parallel_tool_calls\":true,"
          "\"store\":false,\"usage\":"
        + usage + "}";
}

void writeResponses(Writer &writer, int deltas)
{
    const std::string at = ",\"item_id\":\"msg_bench\",\"output_index\":0,\"content_index\":0";
    const std::string text = replyText(deltas);
    const auto item = [](const std::string &status, const std::string &content) {
        return "{\"id\":\"msg_bench\",\"type\":\"message\",\"status\":\"" + status
            + "\",\"role\":\"assistant\",\"content\":[" + content + "]}";
    };
    const auto part = [](const std::string &words) {
        return "{\"type\":\"output_text\",\"text\":\"" + words
            + "\",\"annotations\":[],\"logprobs\":[]}";
    };
    writer.event("response.created", response("in_progress", "", "null"));
    writer.event("response.in_progress", response("in_progress", "", "null"));
    writer.event("response.output_item.added",
                 ",\"output_index\":0,\"item\":" + item("in_progress", ""));
    writer.event("response.content_part.added", at + ",\"part\":" + part(""));
    writer.cut();
    for (int i = 0; i < deltas; ++i) {
        writer.event("response.output_text.delta",
                     at + ",\"delta\":\"" + deltaText(i)
                         + "\",\"logprobs\":[],\"obfuscation\":\"0123456789abcdef\"");
        writer.cut();
    }
    writer.event("response.output_text.done", at + ",\"text\":\"" + text + "\",\"logprobs\":[]");
    writer.event("response.content_part.done", at + ",\"part\":" + part(text));
    writer.event("response.output_item.done",
                 ",\"output_index\":0,\"item\":" + item("completed", part(text)));
    writer.event("response.completed",
                 response("completed", item("completed", part(text)),
                          "{\"input_tokens\":100,\"input_tokens_details\":{\"cached_tokens\":80},"
                          "\"output_tokens\":"
                              + std::to_string(deltas)
                              + ",\"output_tokens_details\":{\"reasoning_tokens\":0},"
                                "\"total_tokens\":"
                              + std::to_string(100 + deltas) + "}"));
}

void writeMessages(Writer &writer, int deltas)
{
    writer.event(
        "message_start",
        ",\"message\":{\"id\":\"msg_" + idMark
            + "\",\"type\":\"message\","
              "\"role\":\"assistant\",\"model\":\"bench\",\"content\":[],\"stop_reason\":null,"
              "\"stop_sequence\":null,\"usage\":{\"input_tokens\":100,\"output_tokens\":0}}");
    writer.event("content_block_start",
                 ",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}");
    writer.cut();
    for (int i = 0; i < deltas; ++i) {
        writer.event("content_block_delta",
                     ",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"" + deltaText(i)
                         + "\"}");
        writer.cut();
    }
    writer.event("content_block_stop", ",\"index\":0");
    writer.event("message_delta",
                 ",\"delta\":{\"stop_reason\":\"end_turn\",\"stop_sequence\":null},\"usage\":{"
                 "\"input_tokens\":20,\"cache_read_input_tokens\":80,\"output_tokens\":"
                     + std::to_string(deltas) + "}");
    writer.event("message_stop", "");
}

} // namespace

std::string ReplyScript::withId(std::uint64_t id) const
{
    std::string copy = bytes;
    const std::string digits = hex(id);
    for (const std::size_t offset : idOffsets)
        copy.replace(offset, idDigits, digits);
    return copy;
}

ReplyScript makeReply(Wire wire, int deltas)
{
    Writer writer(wire);
    if (wire == Wire::MessagesSse)
        writeMessages(writer, deltas);
    else
        writeResponses(writer, deltas);
    return writer.finish();
}

std::string replyText(int deltas)
{
    std::string text;
    for (int i = 0; i < deltas; ++i)
        text += deltaText(i);
    return text;
}

TurnShape shapeFromBody(const std::string &jsonBody)
{
    TurnShape shape;
    const std::size_t name = jsonBody.find("\"bench-");
    if (name == std::string::npos)
        return shape;
    char *end = nullptr;
    shape.deltas
        = std::max(1, static_cast<int>(std::strtol(jsonBody.c_str() + name + 7, &end, 10)));
    if (*end == '-')
        shape.paceMs = std::max(0, static_cast<int>(std::strtol(end + 1, nullptr, 10)));
    return shape;
}

std::string modelName(TurnShape shape)
{
    std::string name = "bench-" + std::to_string(shape.deltas);
    if (shape.paceMs > 0)
        name += '-' + std::to_string(shape.paceMs) + "ms";
    return name;
}

} // namespace headway::bench
