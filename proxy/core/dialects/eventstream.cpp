// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/eventstream.h"

#include <algorithm>

namespace headway::dialects {

namespace {

constexpr std::string_view lineEnds = "\r\n";
constexpr std::string_view byteOrderMark = "\xef\xbb\xbf";
constexpr std::size_t longestFieldName = 8; // no name that matters is longer
constexpr std::size_t longestEventName = 128;

} // namespace

std::optional<EventStreamReader::Event> EventStreamReader::next(std::string_view &bytes)
{
    if (m_handedOut) {
        m_handedOut = false;
        m_hasData = false;
        m_name.clear();
        if (m_data.capacity() > std::size_t{1} << 20U)
            m_data = {}; // one large event does not stay in memory for the rest of the stream
        m_data.clear();
    }
    skipMark(bytes);
    while (!bytes.empty() && !m_tooLarge) {
        const char c = bytes.front();
        if (c == '\r' || c == '\n') {
            bytes.remove_prefix(1);
            if (endOfLine(c)) {
                m_handedOut = true;
                m_data.append(padding, '\0');
                return Event{m_name, std::string_view(m_data).substr(0, m_data.size() - padding),
                             m_data.size()};
            }
            continue;
        }
        m_skipLineFeed = false;
        if (m_place == Place::Start || m_place == Place::Name)
            takeName(bytes);
        else
            takeValue(bytes);
    }
    return std::nullopt;
}

void EventStreamReader::skipMark(std::string_view &bytes)
{
    while (m_markBytes < byteOrderMark.size() && !bytes.empty()) {
        if (bytes.front() != byteOrderMark[m_markBytes]) {
            // Part of a mark is an unknown field's name; it ends with its line.
            if (m_markBytes > 0)
                m_place = Place::Name;
            m_fieldName.assign(m_markBytes, '?');
            m_markBytes = byteOrderMark.size();
            return;
        }
        ++m_markBytes;
        bytes.remove_prefix(1);
    }
}

// True: the line was blank and ends an event that has data.
bool EventStreamReader::endOfLine(char c)
{
    if (c == '\n' && m_skipLineFeed) {
        m_skipLineFeed = false;
        return false;
    }
    m_skipLineFeed = c == '\r';
    const Place place = m_place;
    if (place == Place::Name)
        beginValue(); // a field without a colon has an empty value
    m_place = Place::Start;
    m_fieldName.clear();
    if (place != Place::Start)
        return false;
    if (!m_hasData)
        m_name.clear();
    return m_hasData;
}

void EventStreamReader::takeName(std::string_view &bytes)
{
    m_place = Place::Name;
    const std::size_t end = std::min(bytes.find_first_of(":\r\n"), bytes.size());
    const std::size_t room = longestFieldName - std::min(longestFieldName, m_fieldName.size());
    m_fieldName.append(bytes.substr(0, std::min(end, room)));
    bytes.remove_prefix(end);
    if (bytes.empty() || bytes.front() != ':')
        return;
    bytes.remove_prefix(1);
    beginValue();
    m_place = Place::AfterColon;
}

void EventStreamReader::beginValue()
{
    m_field = m_fieldName == "data" ? Field::Data
        : m_fieldName == "event"    ? Field::Event
                                    : Field::Other;
    if (m_field == Field::Event)
        m_name.clear();
    if (m_field != Field::Data)
        return;
    if (m_hasData)
        append("\n");
    m_hasData = true;
}

void EventStreamReader::takeValue(std::string_view &bytes)
{
    if (m_place == Place::AfterColon && bytes.front() == ' ')
        bytes.remove_prefix(1);
    m_place = Place::Value;
    const std::size_t end = std::min(bytes.find_first_of(lineEnds), bytes.size());
    const std::string_view text = bytes.substr(0, end);
    bytes.remove_prefix(end);
    if (m_field == Field::Data)
        append(text);
    else if (m_field == Field::Event)
        m_name.append(text.substr(0, longestEventName - m_name.size()));
}

void EventStreamReader::append(std::string_view text)
{
    m_tooLarge = text.size() > m_maxData - std::min(m_maxData, m_data.size());
    if (!m_tooLarge)
        m_data.append(text);
}

} // namespace headway::dialects
