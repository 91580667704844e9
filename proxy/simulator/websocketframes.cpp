// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/websocketframes.h"

#include <QCryptographicHash>
#include <QtEndian>

#include <utility>

namespace headway::simulator {

namespace {

constexpr std::uint64_t controlMax = 125;

bool isControl(std::uint8_t opcode)
{
    return (opcode & 8U) != 0;
}

} // namespace

void FrameReader::fail(std::uint16_t code, const char *reason)
{
    m_error = FrameError{.closeCode = code, .reason = reason};
    m_buffer.clear();
}

bool FrameReader::allowed(std::uint8_t first, bool masked, std::uint64_t length)
{
    const auto opcode = static_cast<std::uint8_t>(first & 0x0FU);
    if ((first & 0x70U) != 0)
        fail(1002, "reserved bits set");
    else if (opcode != 0 && opcode != 1 && opcode != 2 && (opcode < 8 || opcode > 10))
        fail(1002, "unknown opcode");
    else if (!masked)
        fail(1002, "client frames must be masked");
    else if (isControl(opcode) && (length > controlMax || (first & 0x80U) == 0))
        fail(1002, "control frame too long or fragmented");
    else if (length > static_cast<std::uint64_t>(m_maxMessage)
             || static_cast<qsizetype>(length) + m_message.size() > m_maxMessage)
        fail(1009, "message too big");
    return !m_error;
}

std::optional<FrameReader::Header> FrameReader::header()
{
    if (m_error || m_buffer.size() < 2)
        return std::nullopt;
    const auto first = static_cast<std::uint8_t>(m_buffer.at(0));
    const auto second = static_cast<std::uint8_t>(m_buffer.at(1));
    const bool masked = (second & 0x80U) != 0;
    std::uint64_t length = second & 0x7FU;
    qsizetype size = 2;
    if (length >= 126) {
        const qsizetype extra = length == 126 ? 2 : 8;
        if (m_buffer.size() < size + extra)
            return std::nullopt;
        const char *bytes = m_buffer.constData() + size;
        length = extra == 2 ? qFromBigEndian<std::uint16_t>(bytes)
                            : qFromBigEndian<std::uint64_t>(bytes);
        size += extra;
    }
    if (!allowed(first, masked, length))
        return std::nullopt;
    return Header{.final = (first & 0x80U) != 0,
                  .opcode = static_cast<Opcode>(first & 0x0FU),
                  .length = static_cast<qsizetype>(length),
                  .size = size + 4};
}

std::optional<WebSocketMessage> FrameReader::next()
{
    while (const auto head = header()) {
        if (m_buffer.size() < head->size + head->length)
            return std::nullopt;
        QByteArray payload = m_buffer.mid(head->size, head->length);
        const char *mask = m_buffer.constData() + head->size - 4;
        for (qsizetype i = 0; i < payload.size(); ++i)
            payload[i] = static_cast<char>(payload.at(i) ^ mask[i & 3]);
        m_buffer.remove(0, head->size + head->length);
        if (isControl(static_cast<std::uint8_t>(head->opcode)))
            return WebSocketMessage{.opcode = head->opcode, .payload = std::move(payload)};
        if (auto message = join(*head, std::move(payload)))
            return message;
    }
    return std::nullopt;
}

std::optional<WebSocketMessage> FrameReader::join(const Header &header, QByteArray payload)
{
    const bool continues = header.opcode == Opcode::Continuation;
    if (continues != m_messageKind.has_value()) {
        fail(1002, "fragments out of order");
        return std::nullopt;
    }
    if (!continues)
        m_messageKind = header.opcode;
    m_message.append(payload);
    if (!header.final)
        return std::nullopt;
    const Opcode kind = *std::exchange(m_messageKind, std::nullopt);
    return WebSocketMessage{.opcode = kind, .payload = std::exchange(m_message, {})};
}

QByteArray encodeFrame(Opcode opcode, QByteArrayView payload)
{
    QByteArray frame;
    frame.reserve(payload.size() + 10);
    frame.append(static_cast<char>(0x80U | static_cast<std::uint8_t>(opcode)));
    if (payload.size() < 126) {
        frame.append(static_cast<char>(payload.size()));
    } else if (payload.size() <= 0xFFFF) {
        frame.append(char{126});
        const auto length = qToBigEndian(static_cast<std::uint16_t>(payload.size()));
        frame.append(reinterpret_cast<const char *>(&length), sizeof(length));
    } else {
        frame.append(char{127});
        const auto length = qToBigEndian(static_cast<std::uint64_t>(payload.size()));
        frame.append(reinterpret_cast<const char *>(&length), sizeof(length));
    }
    return frame.append(payload);
}

QByteArray encodeClose(std::uint16_t code, QByteArrayView reason)
{
    const auto big = qToBigEndian(code);
    QByteArray payload(reinterpret_cast<const char *>(&big), sizeof(big));
    payload.append(reason);
    return encodeFrame(Opcode::Close, payload);
}

QByteArray acceptValue(const QByteArray &key)
{
    const QByteArray keyed = key + QByteArrayLiteral("258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    return QCryptographicHash::hash(keyed, QCryptographicHash::Sha1).toBase64();
}

} // namespace headway::simulator
