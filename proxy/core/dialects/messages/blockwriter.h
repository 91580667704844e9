// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headway::dialects {

// Appends one SSE record with both lines: SDKs skip records without an event line.
void appendRecord(std::string &out, std::string_view type, std::string_view data);

// Writes content blocks, one open at a time with rising indices, as stream events or, for a client
// that does not stream, as the content array of one message.
class BlockWriter final
{
public:
    explicit BlockWriter(bool stream)
        : m_stream(stream)
    {
    }

    enum class Open { None, Text, Thinking, Tool };
    [[nodiscard]] Open open() const { return m_open; }

    void openText(std::string &out);
    void openThinking(std::string &out);
    void openTool(std::string &out, std::string_view idBody, std::string_view clientName);

    // `literal`: a JSON string literal with its quotes, spliced as it is.
    void text(std::string &out, std::string_view literal);
    void thinking(std::string &out, std::string_view literal);
    // The next piece of a tool's input, unescaped.
    void input(std::string &out, std::string_view piece);

    // Closes what is open. `signature`: of a thinking block, may be empty. A tool call whose input
    // is cut short is closed as it is in a stream and left out of a whole message: it must not look
    // complete.
    void close(std::string &out, std::string_view signature = {}, bool complete = true);

    // A block that is complete from the start: its JSON, and what a stream sends as its input.
    void whole(std::string &out, std::string_view head, std::string_view input,
               std::string_view tail);

    [[nodiscard]] const std::string &content() const { return m_content; } // blocks, commas between

private:
    void start(std::string &out, Open kind, std::string_view block);
    void delta(std::string &out, std::string_view type, std::string_view member,
               std::string_view literal);
    void pairedDelta(std::string &out, std::string_view type, std::string_view member,
                     std::string_view literal);
    void addContent(std::string_view block);

    bool m_stream;
    Open m_open = Open::None;
    std::size_t m_next = 0; // index of the next block
    std::string m_half; // a surrogate whose other half comes with the next delta, escaped
    std::string m_body; // of the open block, when one whole message is wanted
    std::string m_toolHead;
    std::string m_content;
};

} // namespace headway::dialects
