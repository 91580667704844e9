// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/listener/exchange.h"
#include "proxy/net/listener/refusal.h"

#include <cstddef>
#include <cstdint>
#include <llhttp.h>
#include <optional>
#include <string_view>

namespace headway::net {

// Takes the parts of a request's body, transfer coding removed.
class BodySink
{
public:
    BodySink() = default;
    BodySink(const BodySink &) = delete;
    BodySink &operator=(const BodySink &) = delete;
    virtual ~BodySink() = default;

    // A refusal ends the request.
    [[nodiscard]] virtual std::optional<Refusal> bodyArrived(std::string_view bytes) = 0;
};

// How the body is delimited.
struct Framing
{
    bool chunked = false;
    std::size_t contentLength = 0; // 0 when chunked or without a body

    [[nodiscard]] bool hasBody() const { return chunked || contentLength != 0; }
};

// One connection's requests, one after the other, with llhttp in strict mode and what that lets
// through: obs-fold (RFC 9112 section 5.2), a bare LF after the request line, empty header names,
// unbounded heads, chunk extensions and trailers, and a Transfer-Encoding of HTTP/1.0. Control
// returns after the head and after the body, so that nothing is decided, and nothing deleted,
// inside llhttp.
class RequestParser final
{
public:
    enum class Event : std::uint8_t { NeedMore, HeadComplete, MessageComplete, Failed };
    struct Step
    {
        Event event = Event::NeedMore;
        std::size_t consumed = 0;
    };

    explicit RequestParser(BodySink &body);
    RequestParser(const RequestParser &) = delete;
    RequestParser &operator=(const RequestParser &) = delete;

    // After HeadComplete call again even when no bytes are left: a request without a body is
    // complete. After Failed the connection is of no more use.
    [[nodiscard]] Step next(std::string_view bytes);

    [[nodiscard]] RequestHead &head() { return m_head; } // whole after HeadComplete
    [[nodiscard]] const Framing &framing() const { return m_framing; }
    [[nodiscard]] bool isHttp10() const { return m_parser.http_minor == 0; }
    [[nodiscard]] const Refusal &refusal() const { return m_refusal; } // after Failed

private:
    enum class Pause : std::uint8_t { None, Head, Message };
    struct Callbacks;

    void startMessage();
    [[nodiscard]] Step execute(std::string_view bytes);
    [[nodiscard]] Step fail(Refusal refusal, std::size_t consumed);
    [[nodiscard]] std::optional<Refusal> checkLines(std::string_view headBytes);
    [[nodiscard]] std::optional<Refusal> closeHead();
    [[nodiscard]] std::optional<Refusal> readFraming();

    int stop(Refusal refusal);
    int addField(std::string_view part);
    int addOverhead(std::size_t bytes);

    llhttp_t m_parser{};
    BodySink &m_body;
    RequestHead m_head;
    Framing m_framing;
    Refusal m_refusal;
    std::size_t m_headBytes = 0;
    std::size_t m_overhead = 0; // chunk extensions and trailers
    Pause m_pause = Pause::Message;
    bool m_stopped = false; // m_refusal was set by a callback
    bool m_headDone = true;
    bool m_fieldOpen = false;
    bool m_named = false; // the field that is being read has a name
    char m_last = '\0'; // of the head, in the bytes before
};

} // namespace headway::net
