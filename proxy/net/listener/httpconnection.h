// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/listener/httpexchange.h"
#include "proxy/net/listener/listenercontext.h"
#include "proxy/net/listener/requestbody.h"
#include "proxy/net/listener/requestparser.h"
#include "proxy/net/listener/routes.h"
#include "proxy/net/listener/stream.h"

#include <memory>
#include <optional>
#include <string>

namespace headway::net {

// A client connection that speaks HTTP: one request at a time from head to reply. What follows on
// the wire waits, bounded, until the reply is finished and the kernel has it.
class HttpConnection final : public StreamSink
{
public:
    HttpConnection(Stream &stream, ListenerContext &context);

    void arrived(std::string_view bytes) override;
    void ended() override;
    void sent() override;
    void tick(base::SteadyTime now) override;

private:
    enum class State : std::uint8_t {
        Idle, // between requests
        Head,
        Body,
        Replying, // the exchange is with the engine
        Held, // a refusal is held back (wrong keys)
        Answered, // a refusal is on its way out; the next request waits for it
        Over, // the stream has let go of this
    };

    [[nodiscard]] bool isReading() const;
    void consume(std::string_view bytes,
                 RequestParser::Event last = RequestParser::Event::NeedMore);
    void keep(std::string_view bytes); // for after the reply
    void resume(); // to the next request, with what was kept

    void headComplete(std::string_view rest);
    [[nodiscard]] std::optional<Refusal> readExpectation();
    void upgrade(std::string_view rest);
    void dispatch();
    void exchangeOver();

    void refuse(Refusal refusal, std::chrono::milliseconds delay = {});
    void answerRefusal(const Refusal &refusal);
    [[nodiscard]] bool isBodyTooSlow(base::SteadyTime now) const;
    [[nodiscard]] bool isStalled(base::SteadyTime now);
    [[nodiscard]] Refusal tooSlow(std::string what) const;
    void enter(State state);

    Stream &m_stream;
    ListenerContext &m_context;
    RequestBody m_body;
    RequestParser m_parser;
    std::unique_ptr<HttpExchange> m_exchange;
    std::string m_kept;
    std::optional<Refusal> m_held;
    base::SteadyTime m_since; // the state began, or output was last taken
    base::SteadyTime m_heldUntil;
    std::size_t m_discarded = 0; // of what followed a request
    std::size_t m_unsent = 0; // when output was last looked at
    State m_state = State::Idle;
    bool m_headParsed = false; // the refusal can be answered without closing
    bool m_answered = false; // the current request was refused; its end is awaited
};

} // namespace headway::net
