// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headway::dialects {

// Splits a text/event-stream body (WHATWG HTML, section 9.2.6) into events, fed in whatever pieces
// it comes: one byte at a time and all at once give the same. Holds the data of one event at most;
// comments, other fields and events without data are passed over, and so is an event that the end
// of the stream cut off.
class EventStreamReader final
{
public:
    static constexpr std::size_t maxDataBytes = std::size_t{32} << 20U; // spec/safety.md, frames
    static constexpr std::size_t padding = 64; // readable bytes behind `data`

    struct Event
    {
        std::string_view name; // of its `event:` line, at most 128 bytes; empty: none
        std::string_view data; // its `data:` lines, joined with a line feed
        std::size_t capacity = 0; // readable from the start of `data`
    };

    explicit EventStreamReader(std::size_t maxData = maxDataBytes)
        : m_maxData(maxData)
    {
    }

    // Takes from the front of `bytes` until an event is whole; nothing when all was taken first, or
    // when the event is too large. The views hold until the next call.
    [[nodiscard]] std::optional<Event> next(std::string_view &bytes);

    // An event was larger than allowed: nothing more comes.
    [[nodiscard]] bool isTooLarge() const { return m_tooLarge; }

private:
    enum class Field : std::uint8_t { Data, Event, Other };
    enum class Place : std::uint8_t { Start, Name, AfterColon, Value };

    void skipMark(std::string_view &bytes);
    [[nodiscard]] bool endOfLine(char c);
    void takeName(std::string_view &bytes);
    void takeValue(std::string_view &bytes);
    void beginValue();
    void append(std::string_view text);

    std::size_t m_maxData;
    std::string m_fieldName;
    std::string m_name;
    std::string m_data;
    std::size_t m_markBytes = 0; // of the byte order mark at the start; 3: looked at
    Field m_field = Field::Other;
    Place m_place = Place::Start;
    bool m_hasData = false;
    bool m_skipLineFeed = false; // the second half of CR LF
    bool m_handedOut = false; // the event was given to the caller: what follows is the next one
    bool m_tooLarge = false;
};

} // namespace headway::dialects
