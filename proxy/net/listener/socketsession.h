// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/listener/clientsocket.h"
#include "proxy/net/listener/memorybudget.h"
#include "proxy/net/listener/refusal.h"
#include "proxy/net/listener/stream.h"

#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <wslay/wslay.h>

namespace headway::net {

// The Sec-WebSocket-Key of an upgrade request (RFC 6455 section 4.2.1). Refuses with 400, or with
// 426 for another version than 13.
[[nodiscard]] tl::expected<std::string, Refusal> readHandshake(const RequestHead &head);

// The 101 reply. No subprotocol and no extension is chosen: permessage-deflate is declined.
[[nodiscard]] std::string handshakeReply(std::string_view key);

// RFC 6455 in the server's role over a Stream, with wslay for the frames.
class SocketSession final : public ClientSocket, public StreamSink
{
    Q_OBJECT

public:
    // Messages being put together count in `budget`.
    SocketSession(Stream &stream, MemoryBudget &budget, RequestHead head);

    [[nodiscard]] const RequestHead &head() const override { return m_head; }
    void send(std::string_view text) override;
    void close(std::uint16_t code, std::string_view reason) override;
    void cut() override;
    [[nodiscard]] std::size_t buffered() const override;
    [[nodiscard]] bool isOpen() const override { return m_open; }

    void arrived(std::string_view bytes) override;
    void ended() override;
    void sent() override;
    void tick(base::SteadyTime now) override;

private:
    struct Callbacks;
    struct Free
    {
        void operator()(wslay_event_context *context) const { wslay_event_context_free(context); }
    };

    void pump(); // queued frames into the output
    void endIfClosed();
    void end(bool politely);
    void addPart(std::string_view part);
    void finishMessage(bool isText);

    Stream &m_stream;
    MemoryBudget &m_budget;
    RequestHead m_head;
    std::unique_ptr<wslay_event_context, Free> m_frames;
    std::string_view m_input; // not read by wslay yet
    std::string m_message; // what arrived of the current one
    MemoryCharge m_charge;
    base::SteadyTime m_closingSince;
    bool m_open = true;
    bool m_over = false; // the stream has let go of this
    bool m_inControlFrame = false;
    bool m_receiving = false;
    bool m_wasHigh = false;
    bool m_paused = false;
};

} // namespace headway::net
