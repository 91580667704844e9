// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/listener/httpconnection.h"

#include "proxy/net/listener/errorreply.h"
#include "proxy/net/listener/fieldtext.h"
#include "proxy/net/listener/reactor.h"
#include "proxy/net/listener/socketsession.h"

#include <utility>

namespace headway::net {

namespace {

constexpr int upgradeRequired = 426;

} // namespace

HttpConnection::HttpConnection(Stream &stream, ListenerContext &context)
    : m_stream(stream)
    , m_context(context)
    , m_parser(m_body)
    , m_since(stream.reactor().now())
{
}

void HttpConnection::enter(State state)
{
    m_state = state;
    m_since = m_stream.reactor().now();
}

bool HttpConnection::isReading() const
{
    return m_state == State::Idle || m_state == State::Head || m_state == State::Body;
}

void HttpConnection::arrived(std::string_view bytes)
{
    if (isReading())
        consume(bytes);
    else
        keep(bytes);
}

// Reading goes on whatever comes, since a FIN behind unread bytes is not seen. Who sends more than
// is kept gets the reply and then a closed connection (RFC 9112 section 9.3.2 lets a server do so
// to pipelined requests); who goes on is taken for gone.
void HttpConnection::keep(std::string_view bytes)
{
    if (m_kept.size() + bytes.size() <= limits::pipelinedBytes && m_discarded == 0) {
        m_kept += bytes;
        return;
    }
    m_discarded += m_kept.size() + bytes.size();
    m_kept = {};
    if (m_discarded > limits::discardedBytes)
        ended();
}

void HttpConnection::resume()
{
    if (m_discarded != 0) {
        m_state = State::Over;
        m_stream.finish();
        return;
    }
    enter(State::Idle);
    if (!m_kept.empty())
        consume(std::exchange(m_kept, {}));
}

void HttpConnection::consume(std::string_view bytes, RequestParser::Event event)
{
    while (isReading() && (!bytes.empty() || event == RequestParser::Event::HeadComplete)) {
        if (m_state == State::Idle) {
            enter(State::Head);
            m_headParsed = false;
            m_answered = false;
        }
        const RequestParser::Step step = m_parser.next(bytes);
        event = step.event;
        bytes.remove_prefix(step.consumed);
        switch (event) {
        case RequestParser::Event::NeedMore:
            break;
        case RequestParser::Event::HeadComplete:
            headComplete(bytes);
            break;
        case RequestParser::Event::MessageComplete:
            dispatch();
            break;
        case RequestParser::Event::Failed:
            m_headParsed = false;
            refuse(m_parser.refusal());
            break;
        }
    }
    if (m_state != State::Over && !bytes.empty())
        keep(bytes);
}

void HttpConnection::headComplete(std::string_view rest)
{
    m_headParsed = true;
    auto closed
        = m_context.gate.check(m_parser.head(), m_parser.isHttp10(), m_stream.reactor().now());
    if (!closed && !m_context.modelSockets && m_parser.head().upgrade
        && m_parser.head().route == Route::Responses)
    {
        closed = Gate::Closed{
            .refusal = noSocketHere("WebSocket is switched off here (setting client_sockets); use "
                                    "plain HTTP requests."),
            .delay = {}};
    }
    if (closed) {
        if (m_parser.head().upgrade && closed->refusal.status == upgradeRequired)
            m_context.upgradeRefused();
        refuse(std::move(closed->refusal), closed->delay);
        return;
    }
    if (m_parser.head().upgrade) {
        upgrade(rest);
        return;
    }
    auto refusal = m_body.begin(m_parser.head(), m_parser.framing(), m_context.bodies,
                                m_context.limits.maxBodyBytes);
    if (!refusal)
        refusal = readExpectation();
    if (refusal) {
        refuse(std::move(*refusal));
        return;
    }
    enter(State::Body);
}

std::optional<Refusal> HttpConnection::readExpectation()
{
    const std::string_view expectation = m_parser.head().header("expect");
    if (expectation.empty() || m_parser.isHttp10())
        return std::nullopt;
    if (!equalsIgnoringCase(expectation, "100-continue"))
        return Refusal{.status = 417,
                       .message = "The only expectation that is met is \"100-continue\".",
                       .headers = {},
                       .code = "expectation_failed"};
    if (m_parser.framing().hasBody()) {
        m_stream.output() += "HTTP/1.1 100 Continue\r\n\r\n";
        m_stream.flushSoon();
    }
    return std::nullopt;
}

void HttpConnection::upgrade(std::string_view rest)
{
    if (m_parser.framing().hasBody()) {
        refuse({.status = 400,
                .message = "A WebSocket upgrade has no body.",
                .headers = {},
                .code = "bad_request"});
        return;
    }
    auto key = readHandshake(m_parser.head());
    if (!key) {
        refuse(std::move(key.error()));
        return;
    }
    m_state = State::Over;
    auto session
        = std::make_unique<SocketSession>(m_stream, m_context.bodies, std::move(m_parser.head()));
    SocketSession &socket = *session;
    m_stream.output() += handshakeReply(*key);
    m_stream.flushSoon();
    m_stream.setSink(std::move(session)); // this lives until the end of the turn
    m_context.upgraded(&socket);
    socket.arrived(rest);
}

void HttpConnection::dispatch()
{
    if (m_answered) { // refused by its head alone; there was no body
        enter(State::Answered);
        return;
    }
    if (auto refusal = m_body.end()) {
        refuse(std::move(*refusal));
        return;
    }
    m_exchange
        = std::make_unique<HttpExchange>(m_stream,
                                         HttpExchange::Request{.head = std::move(m_parser.head()),
                                                               .body = m_body.takeText(),
                                                               .charge = m_body.takeCharge(),
                                                               .isHttp10 = m_parser.isHttp10()});
    if (m_context.draining)
        m_exchange->refuseReuse();
    enter(State::Replying);
    m_context.requested(m_exchange.get());
}

void HttpConnection::sent()
{
    const std::size_t unsent = m_stream.buffered();
    if (m_state != State::Replying && m_state != State::Answered)
        return;
    if (unsent < m_unsent)
        m_since = m_stream.reactor().now();
    m_unsent = unsent;
    if (m_state == State::Answered) {
        if (unsent == 0)
            resume();
        return;
    }
    m_exchange->progress();
    if (m_exchange->isFinished() && m_stream.buffered() == 0)
        exchangeOver();
}

void HttpConnection::exchangeOver()
{
    const bool again = m_exchange->keepsAlive() && !m_context.draining;
    m_stream.reactor().bury(std::unique_ptr<QObject>(std::move(m_exchange)));
    if (!again) {
        m_state = State::Over;
        m_stream.finish();
        return;
    }
    resume();
}

void HttpConnection::ended()
{
    const bool lost = m_exchange && !m_exchange->isFinished();
    if (lost)
        m_exchange->lose();
    m_state = State::Over;
    if (lost)
        m_stream.abort();
    else
        m_stream.finish(); // half a connection is enough to take the rest of a reply
}

void HttpConnection::refuse(Refusal refusal, std::chrono::milliseconds delay)
{
    m_body.clear();
    if (delay > std::chrono::milliseconds::zero()) {
        m_held = std::move(refusal);
        enter(State::Held);
        m_heldUntil = m_since + delay;
        return;
    }
    answerRefusal(refusal);
}

void HttpConnection::answerRefusal(const Refusal &refusal)
{
    RequestHead &head = m_parser.head();
    const ErrorDialect dialect
        = dialectOf(std::string_view{head.target}.substr(0, head.target.find('?')));
    const bool keepAlive = m_headParsed && head.keepAlive && !m_parser.framing().hasBody()
        && !head.upgrade && head.method != "CONNECT" && !m_context.draining;
    appendRefusal(m_stream.output(), refusal,
                  {.dialect = dialect,
                   .isHead = head.method == "HEAD",
                   .isHttp10 = m_headParsed && m_parser.isHttp10(),
                   .keepAlive = keepAlive});
    if (keepAlive) {
        m_answered = true;
        enter(State::Body); // of which there is none: its end comes next
        m_stream.flushSoon();
    } else {
        m_state = State::Over;
        m_stream.finish();
    }
}

bool HttpConnection::isBodyTooSlow(base::SteadyTime now) const
{
    const auto counted = now - m_since - m_context.times.bodyGrace;
    if (counted <= base::Nanoseconds::zero())
        return false;
    const double seconds = std::chrono::duration<double>(counted).count();
    const double due = seconds * static_cast<double>(m_context.times.bodyBytesPerSecond);
    return static_cast<double>(m_body.received()) < due;
}

Refusal HttpConnection::tooSlow(std::string what) const
{
    return {.status = 408,
            .message = "The request's " + what + " arrived too slowly.",
            .headers = {},
            .code = "request_timeout"};
}

// Counted from when there was something to take and nothing was taken: not from the start of a reply
// of which every part so far left at once.
bool HttpConnection::isStalled(base::SteadyTime now)
{
    const std::size_t unsent = m_stream.buffered();
    if (unsent == 0 || m_unsent == 0 || unsent < m_unsent)
        m_since = now;
    m_unsent = unsent;
    return now - m_since >= m_context.times.stall;
}

void HttpConnection::tick(base::SteadyTime now)
{
    switch (m_state) {
    case State::Idle:
        if (m_context.draining || now - m_since >= m_context.times.idle) {
            m_state = State::Over;
            m_stream.finish();
        }
        break;
    case State::Head:
        if (now - m_since >= m_context.times.head)
            refuse(tooSlow("head"));
        break;
    case State::Body:
        if (!m_answered && isBodyTooSlow(now)) {
            m_headParsed = false;
            refuse(tooSlow("body"));
        }
        break;
    case State::Held:
        if (now >= m_heldUntil) {
            answerRefusal(*std::exchange(m_held, std::nullopt));
            if (m_state == State::Body)
                consume({}, RequestParser::Event::HeadComplete);
        }
        break;
    case State::Answered:
    case State::Replying:
        if (isStalled(now) && (!m_exchange || m_exchange->isFinished())) {
            m_state = State::Over;
            m_stream.abort();
        }
        break;
    case State::Over:
        break;
    }
}

} // namespace headway::net
