// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/listener/exchange.h"
#include "proxy/net/listener/memorybudget.h"
#include "proxy/net/listener/replyhead.h"

#include <string>

namespace headway::net {

class Stream;

// The exchange that an HttpConnection is replying to. Talks to the stream directly; the connection
// hears of progress from the stream.
class HttpExchange final : public Exchange
{
    Q_OBJECT

public:
    struct Request
    {
        RequestHead head;
        std::string body;
        MemoryCharge charge; // held until the exchange is over
        bool isHttp10 = false;
    };

    HttpExchange(Stream &stream, Request request);

    [[nodiscard]] const RequestHead &head() const override { return m_request.head; }
    [[nodiscard]] std::string takeBody() override { return std::exchange(m_request.body, {}); }
    void respond(int status, const HeaderFields &headers, std::string_view body) override;
    void openStream(int status, const HeaderFields &headers) override;
    void write(std::string_view bytes) override;
    void finish() override;
    void cut() override;
    [[nodiscard]] std::size_t buffered() const override;
    [[nodiscard]] bool isOpen() const override { return m_stream != nullptr; }

    // For the connection.
    void lose(); // the client is gone
    void progress(); // buffered() may have fallen
    void refuseReuse() { m_keepAlive = false; } // draining
    [[nodiscard]] bool isFinished() const { return m_state == State::Finished; }
    [[nodiscard]] bool keepsAlive() const { return m_keepAlive; }

private:
    enum class State : std::uint8_t { Waiting, Streaming, Finished };

    [[nodiscard]] bool hasNoBody(int status) const;
    void appended();

    Stream *m_stream; // null once the client is gone
    Request m_request;
    State m_state = State::Waiting;
    ReplyFraming m_framing = ReplyFraming::None;
    bool m_keepAlive;
    bool m_isHead;
    bool m_wasHigh = false;
};

} // namespace headway::net
