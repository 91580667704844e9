// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/framereader.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <simdjson.h>

namespace headway::net {

namespace {

constexpr std::size_t firstCapacity = 2048;
constexpr std::size_t keptCapacity = std::size_t{128} << 10U; // more is freed after a message

// One buffer per thread goes round among the readers that are not within a message: a thousand idle
// connections hold none, and a busy one allocates nothing per message.
FrameBuffer &spareBuffer()
{
    static thread_local FrameBuffer spare;
    return spare;
}

// RFC 6455 section 7.4 and the registry: what may stand in a close frame.
bool isWireCode(std::uint16_t code)
{
    return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014)
        || (code >= 3000 && code <= 4999);
}

bool isUtf8(std::string_view text)
{
    return simdjson::validate_utf8(text.data(), text.size());
}

bool isControl(std::uint8_t opcode)
{
    return (opcode & 0x8U) != 0;
}

} // namespace

FrameReader::FrameReader(std::size_t maxMessageBytes)
    : m_maxMessageBytes(maxMessageBytes)
{
    const wslay_frame_callbacks callbacks{nullptr, onWanted, nullptr};
    if (wslay_frame_context_init(&m_frames, &callbacks, this) != 0)
        throw std::bad_alloc();
}

FrameReader::~FrameReader()
{
    wslay_frame_context_free(m_frames);
}

void FrameReader::feed(std::string_view bytes)
{
    if (m_over)
        return; // what stands behind the end is nobody's; it may not be kept either
    if (m_kept.empty() && m_input.empty()) {
        m_input = bytes;
        return;
    }
    keepRest();
    m_kept.append(bytes);
    m_input = m_kept;
}

void FrameReader::keepRest()
{
    if (m_over || m_input.empty()) {
        m_input = {};
        m_kept = {};
        return;
    }
    std::string rest(m_input); // m_input may point into m_kept
    m_kept = std::move(rest);
    m_input = m_kept;
}

ssize_t FrameReader::onWanted(std::uint8_t *buffer, std::size_t length, int, void *data)
{
    FrameReader &self = *static_cast<FrameReader *>(data);
    const std::size_t count = std::min(length, self.m_input.size());
    if (count == 0)
        return -1;
    std::memcpy(buffer, self.m_input.data(), count);
    self.m_input.remove_prefix(count);
    return static_cast<ssize_t>(count);
}

FrameReader::Event FrameReader::next()
{
    if (m_delivered) {
        m_delivered = false;
        m_size = 0;
    }
    while (!m_over) {
        wslay_frame_iocb frame{};
        const ssize_t result = wslay_frame_recv(m_frames, &frame);
        if (result == WSLAY_ERR_WANT_READ) {
            if (!m_input.empty())
                continue; // wslay's own buffer was short of a header; it has room now
            m_kept = {}; // an idle connection holds no memory of a busy one
            if (!m_inMessage)
                giveBufferBack();
            return {};
        }
        if (result < 0)
            return broken(1002, QStringLiteral("the server sent a malformed frame"));
        if (!m_inFrame) {
            if (Event problem = startFrame(frame); problem.kind != Kind::NeedMore)
                return problem;
        }
        append(frame);
        if (m_frameRead < frame.payload_length)
            continue;
        m_inFrame = false;
        if (Event event = endFrame(frame); event.kind != Kind::NeedMore)
            return event;
    }
    return {};
}

FrameReader::Event FrameReader::startFrame(const wslay_frame_iocb &frame)
{
    m_inFrame = true;
    m_frameRead = 0;
    if (frame.mask != 0)
        return broken(1002, QStringLiteral("the server sent a masked frame"));
    if (frame.rsv != 0)
        return broken(1002, QStringLiteral("the server set reserved bits of a frame"));
    switch (frame.opcode) {
    case WSLAY_PING:
    case WSLAY_PONG:
    case WSLAY_CONNECTION_CLOSE:
        m_controlSize = 0;
        return {};
    case WSLAY_CONTINUATION_FRAME:
        if (!m_inMessage)
            return broken(1002, QStringLiteral("the server continued a message it had not begun"));
        break;
    case WSLAY_TEXT_FRAME:
        if (m_inMessage)
            return broken(1002, QStringLiteral("the server began a message inside another"));
        m_inMessage = true;
        break;
    case WSLAY_BINARY_FRAME:
        return broken(1003, QStringLiteral("the server sent a binary message"));
    default:
        return broken(
            1002, QStringLiteral("the server sent a frame of unknown kind %1").arg(frame.opcode));
    }
    if (frame.payload_length > m_maxMessageBytes - m_size)
        return broken(1009,
                      QStringLiteral("the server sent a message larger than %1 bytes")
                          .arg(m_maxMessageBytes));
    return {};
}

void FrameReader::append(const wslay_frame_iocb &frame)
{
    const std::size_t count = frame.data_length;
    m_frameRead += count;
    if (isControl(frame.opcode)) {
        std::memcpy(m_control.data() + m_controlSize, frame.data, count);
        m_controlSize += count;
        return;
    }
    reserve(m_size + count);
    std::memcpy(m_message.bytes.get() + m_size, frame.data, count);
    m_size += count;
}

FrameReader::Event FrameReader::endFrame(const wslay_frame_iocb &frame)
{
    const std::string_view control(m_control.data(), m_controlSize);
    switch (frame.opcode) {
    case WSLAY_PING:
        return {Kind::Ping, control, 0, 0, {}};
    case WSLAY_PONG:
        return {Kind::Pong, control, 0, 0, {}};
    case WSLAY_CONNECTION_CLOSE:
        return readClose();
    default:
        break;
    }
    if (frame.fin == 0)
        return {};
    m_inMessage = false;
    const std::string_view text(m_message.bytes.get(), m_size);
    if (!isUtf8(text))
        return broken(1007, QStringLiteral("the server sent text that is not UTF-8"));
    m_delivered = true;
    return {Kind::Text, text, m_message.capacity, 0, {}};
}

FrameReader::Event FrameReader::readClose()
{
    if (m_controlSize == 0) {
        m_over = true;
        return {Kind::Close, {}, 0, 1005, {}};
    }
    if (m_controlSize == 1)
        return broken(1002, QStringLiteral("the server sent a close frame of one byte"));
    const auto high = static_cast<unsigned char>(m_control[0]);
    const auto low = static_cast<unsigned char>(m_control[1]);
    const auto code = static_cast<std::uint16_t>((high << 8U) | low);
    if (!isWireCode(code))
        return broken(1002, QStringLiteral("the server closed with the invalid code %1").arg(code));
    const std::string_view reason(m_control.data() + 2, m_controlSize - 2);
    if (!isUtf8(reason))
        return broken(1007, QStringLiteral("the server's reason to close is not UTF-8"));
    m_over = true;
    return {Kind::Close,
            {},
            0,
            code,
            QString::fromUtf8(reason.data(), static_cast<qsizetype>(reason.size()))};
}

FrameReader::Event FrameReader::broken(std::uint16_t code, const QString &why)
{
    m_over = true;
    return {Kind::Broken, {}, 0, code, why};
}

// Grows with what has arrived, not with what a header claims: a claim costs the peer nothing.
void FrameReader::reserve(std::size_t bytes)
{
    if (m_message.capacity == 0)
        std::swap(m_message, spareBuffer());
    if (bytes + padding <= m_message.capacity)
        return;
    FrameBuffer grown;
    grown.capacity = std::max({firstCapacity, m_message.capacity * 2, bytes + padding});
    grown.bytes = std::make_unique_for_overwrite<char[]>(grown.capacity);
    if (m_size > 0)
        std::memcpy(grown.bytes.get(), m_message.bytes.get(), m_size);
    m_message = std::move(grown);
}

void FrameReader::giveBufferBack()
{
    FrameBuffer &spare = spareBuffer();
    if (m_message.capacity > spare.capacity && m_message.capacity <= keptCapacity)
        spare = std::move(m_message);
    m_message = {};
}

} // namespace headway::net
