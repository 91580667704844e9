// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/listener/socketsession.h"

#include "proxy/net/listener/fieldtext.h"
#include "proxy/net/listener/limits.h"
#include "proxy/net/listener/reactor.h"

#include <QByteArray>
#include <QCryptographicHash>

#include <algorithm>
#include <cstring>
#include <utility>

namespace headway::net {
namespace {

// Answers to pings that the client does not read; beyond it nothing more is read from it.
constexpr std::size_t unreadBytes = 4 * limits::highWater;
constexpr std::size_t keptCapacity = std::size_t{64} << 10U;
constexpr std::size_t reasonBytes = 123; // RFC 6455 section 5.5
constexpr std::uint16_t unsupportedData = 1003;
constexpr std::uint16_t tryAgainLater = 1013;

std::string_view view(const std::uint8_t *data, std::size_t size)
{
    return {reinterpret_cast<const char *>(data), size}; // NOLINT: bytes as text
}

const std::uint8_t *octets(std::string_view text)
{
    return reinterpret_cast<const std::uint8_t *>(text.data()); // NOLINT: text as bytes
}

} // namespace

tl::expected<std::string, Refusal> readHandshake(const RequestHead &head)
{
    constexpr qsizetype nonceBytes = 16;
    if (head.header("sec-websocket-version") != "13")
        return tl::unexpected(
            Refusal{.status = 426,
                    .message = "Only WebSocket version 13 is spoken here.",
                    .headers = {{"upgrade", "websocket"}, {"sec-websocket-version", "13"}},
                    .code = "upgrade_required"});
    const std::string_view key = head.header("sec-websocket-key");
    const auto nonce = QByteArray::fromBase64Encoding(
        QByteArray::fromRawData(key.data(), static_cast<qsizetype>(key.size())),
        QByteArray::AbortOnBase64DecodingErrors);
    if (!nonce || nonce.decoded.size() != nonceBytes)
        return tl::unexpected(Refusal{.status = 400,
                                      .message = "Sec-WebSocket-Key is not 16 bytes in base64.",
                                      .headers = {},
                                      .code = "bad_request"});
    return std::string{key};
}

std::string handshakeReply(std::string_view key)
{
    const std::string text = std::string{key} + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    const QByteArray accept
        = QCryptographicHash::hash(QByteArray::fromStdString(text), QCryptographicHash::Sha1)
              .toBase64();
    return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
           "Sec-WebSocket-Accept: "
        + accept.toStdString() + "\r\n\r\n";
}

// wslay's callbacks; the session is their user data.
struct SocketSession::Callbacks
{
    static SocketSession &self(void *data) { return *static_cast<SocketSession *>(data); }

    static ssize_t receive(wslay_event_context *frames, std::uint8_t *buffer, std::size_t size, int,
                           void *data)
    {
        std::string_view &input = self(data).m_input;
        if (input.empty() || self(data).m_over) {
            wslay_event_set_error(frames, WSLAY_ERR_WOULDBLOCK);
            return -1;
        }
        const std::size_t count = std::min(size, input.size());
        std::memcpy(buffer, input.data(), count);
        input.remove_prefix(count);
        return static_cast<ssize_t>(count);
    }

    static ssize_t send(wslay_event_context *, const std::uint8_t *bytes, std::size_t size, int,
                        void *data)
    {
        self(data).m_stream.output() += view(bytes, size);
        return static_cast<ssize_t>(size);
    }

    static void frameStart(wslay_event_context *, const wslay_event_on_frame_recv_start_arg *frame,
                           void *data)
    {
        self(data).m_inControlFrame = wslay_is_ctrl_frame(frame->opcode);
    }

    static void framePart(wslay_event_context *, const wslay_event_on_frame_recv_chunk_arg *part,
                          void *data)
    {
        if (!self(data).m_inControlFrame)
            self(data).addPart(view(part->data, part->data_length));
    }

    static void message(wslay_event_context *, const wslay_event_on_msg_recv_arg *message,
                        void *data)
    {
        if (!wslay_is_ctrl_frame(message->opcode))
            self(data).finishMessage(message->opcode == WSLAY_TEXT_FRAME);
    }
};

SocketSession::SocketSession(Stream &stream, MemoryBudget &budget, RequestHead head)
    : m_stream(stream)
    , m_budget(budget)
    , m_head(std::move(head))
    , m_charge(budget)
{
    wslay_event_callbacks callbacks{};
    callbacks.recv_callback = Callbacks::receive;
    callbacks.send_callback = Callbacks::send;
    callbacks.on_frame_recv_start_callback = Callbacks::frameStart;
    callbacks.on_frame_recv_chunk_callback = Callbacks::framePart;
    callbacks.on_msg_recv_callback = Callbacks::message;
    wslay_event_context *frames = nullptr;
    if (wslay_event_context_server_init(&frames, &callbacks, this) != 0)
        throw std::bad_alloc();
    m_frames.reset(frames);
    wslay_event_config_set_no_buffering(frames, 1); // one copy: straight into m_message
    wslay_event_config_set_max_recv_msg_length(frames, limits::socketMessageBytes);
}

void SocketSession::send(std::string_view text)
{
    if (!m_open)
        return;
    const wslay_event_msg message{WSLAY_TEXT_FRAME, octets(text), text.size()};
    if (wslay_event_queue_msg(m_frames.get(), &message) == 0)
        pump();
}

void SocketSession::close(std::uint16_t code, std::string_view reason)
{
    if (!std::exchange(m_open, false))
        return;
    reason = reason.substr(0, reasonBytes);
    wslay_event_queue_close(m_frames.get(), code, octets(reason), reason.size());
    m_closingSince = m_stream.reactor().now();
    pump();
}

void SocketSession::cut()
{
    m_open = false;
    if (!std::exchange(m_over, true))
        m_stream.reset(); // buries this
}

std::size_t SocketSession::buffered() const
{
    return m_over ? 0 : m_stream.buffered();
}

void SocketSession::pump()
{
    if (m_receiving || m_over)
        return; // after what has arrived was read
    wslay_event_send(m_frames.get());
    m_stream.flushSoon();
    m_wasHigh = m_wasHigh || m_stream.buffered() > limits::highWater;
    if (!m_paused && m_stream.buffered() > unreadBytes) {
        m_paused = true;
        m_stream.setReading(false);
    }
}

void SocketSession::arrived(std::string_view bytes)
{
    m_input = bytes;
    m_receiving = true;
    const int result = wslay_event_recv(m_frames.get());
    m_receiving = false;
    m_input = {};
    if (m_over)
        return;
    if (result != 0) {
        end(false);
        return;
    }
    pump();
    endIfClosed();
}

void SocketSession::endIfClosed()
{
    // Both close frames are exchanged, or wslay has given up on what the client sends and said so.
    if (wslay_event_get_close_sent(m_frames.get()) != 0
        && (wslay_event_get_close_received(m_frames.get()) != 0
            || wslay_event_get_read_enabled(m_frames.get()) == 0))
        end(true);
}

void SocketSession::end(bool politely)
{
    if (std::exchange(m_over, true))
        return;
    m_open = false;
    if (politely)
        m_stream.finish();
    else
        m_stream.abort();
    Q_EMIT clientGone();
}

void SocketSession::ended()
{
    end(false);
}

void SocketSession::sent()
{
    const std::size_t unsent = m_stream.buffered();
    if (m_paused && unsent < limits::lowWater) {
        m_paused = false;
        m_stream.setReading(true);
    }
    if (m_wasHigh && unsent < limits::lowWater) {
        m_wasHigh = false;
        if (m_open)
            Q_EMIT drained();
    }
}

void SocketSession::tick(base::SteadyTime now)
{
    // After our close frame the client has a moment to answer it.
    if (!m_open && now - m_closingSince >= m_stream.reactor().times().linger)
        end(true);
}

void SocketSession::addPart(std::string_view part)
{
    if (!m_open || part.empty())
        return;
    const std::size_t size = m_message.size() + part.size();
    if (!m_charge.raiseTo(size)) {
        close(tryAgainLater, "all messages together have reached the memory limit");
        return;
    }
    if (size + limits::bodySlack > m_message.capacity())
        m_message.reserve(std::max(size, 2 * m_message.size()) + limits::bodySlack);
    m_message += part;
}

void SocketSession::finishMessage(bool isText)
{
    if (m_open && !isText)
        close(unsupportedData, "only text messages are taken");
    if (m_open) {
        if (m_message.capacity() < limits::bodySlack)
            m_message.reserve(limits::bodySlack);
        Q_EMIT received(m_message);
    }
    if (m_message.capacity() > keptCapacity)
        m_message = {};
    m_message.clear();
    m_charge = MemoryCharge(m_budget);
}

} // namespace headway::net
