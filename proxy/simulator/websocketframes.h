// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <cstdint>
#include <optional>

namespace headway::simulator {

enum class Opcode : std::uint8_t {
    Continuation = 0,
    Text = 1,
    Binary = 2,
    Close = 8,
    Ping = 9,
    Pong = 10,
};

// A whole message (fragments joined) or a control frame.
struct WebSocketMessage
{
    Opcode opcode = Opcode::Text;
    QByteArray payload;
};

struct FrameError
{
    std::uint16_t closeCode = 1002;
    QByteArray reason;
};

// The server's side of RFC 6455 without extensions: client frames must be masked, reserved bits
// zero, control frames short and whole. After an error nothing more is read.
class FrameReader final
{
public:
    explicit FrameReader(qsizetype maxMessage)
        : m_maxMessage(maxMessage)
    {
    }

    void append(QByteArrayView bytes) { m_buffer.append(bytes); }
    [[nodiscard]] std::optional<WebSocketMessage> next();
    [[nodiscard]] const std::optional<FrameError> &error() const { return m_error; }

private:
    struct Header
    {
        bool final = false;
        Opcode opcode = Opcode::Text;
        qsizetype length = 0; // of the payload
        qsizetype size = 0; // of the header, mask included
    };

    [[nodiscard]] std::optional<Header> header();
    [[nodiscard]] bool allowed(std::uint8_t first, bool masked, std::uint64_t length);
    [[nodiscard]] std::optional<WebSocketMessage> join(const Header &header, QByteArray payload);
    void fail(std::uint16_t code, const char *reason);

    qsizetype m_maxMessage;
    QByteArray m_buffer;
    QByteArray m_message;
    std::optional<Opcode> m_messageKind;
    std::optional<FrameError> m_error;
};

// One unmasked, final frame.
[[nodiscard]] QByteArray encodeFrame(Opcode opcode, QByteArrayView payload);
[[nodiscard]] QByteArray encodeClose(std::uint16_t code, QByteArrayView reason);
// Sec-WebSocket-Accept for a Sec-WebSocket-Key (RFC 6455 section 4.2.2).
[[nodiscard]] QByteArray acceptValue(const QByteArray &key);

} // namespace headway::simulator
