// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/listener/httpexchange.h"

#include "proxy/net/listener/limits.h"
#include "proxy/net/listener/stream.h"

#include <utility>

namespace headway::net {

HttpExchange::HttpExchange(Stream &stream, Request request)
    : m_stream(&stream)
    , m_request(std::move(request))
    , m_keepAlive(m_request.head.keepAlive)
    , m_isHead(m_request.head.method == "HEAD")
{
}

bool HttpExchange::hasNoBody(int status) const
{
    constexpr int noContent = 204;
    constexpr int notModified = 304;
    return status == noContent || status == notModified;
}

void HttpExchange::respond(int status, const HeaderFields &headers, std::string_view body)
{
    if (!m_stream || m_state != State::Waiting)
        return;
    const bool bodiless = hasNoBody(status);
    appendReplyHead(m_stream->output(),
                    {.status = status,
                     .framing = bodiless ? ReplyFraming::None : ReplyFraming::Length,
                     .length = body.size(),
                     .isHttp10 = m_request.isHttp10,
                     .keepAlive = m_keepAlive},
                    headers);
    if (!m_isHead && !bodiless)
        m_stream->output() += body;
    m_state = State::Finished;
    appended();
}

void HttpExchange::openStream(int status, const HeaderFields &headers)
{
    if (!m_stream || m_state != State::Waiting)
        return;
    if (hasNoBody(status))
        m_framing = ReplyFraming::None;
    else
        m_framing = m_request.isHttp10 ? ReplyFraming::Close : ReplyFraming::Chunked;
    if (m_framing == ReplyFraming::Close)
        m_keepAlive = false;
    appendReplyHead(m_stream->output(),
                    {.status = status,
                     .framing = m_framing,
                     .isHttp10 = m_request.isHttp10,
                     .keepAlive = m_keepAlive},
                    headers);
    m_state = State::Streaming;
    appended();
}

void HttpExchange::write(std::string_view bytes)
{
    if (!m_stream || m_state != State::Streaming || m_isHead || bytes.empty())
        return;
    if (m_framing == ReplyFraming::Chunked)
        appendChunk(m_stream->output(), bytes);
    else if (m_framing == ReplyFraming::Close)
        m_stream->output() += bytes;
    appended();
}

void HttpExchange::finish()
{
    if (!m_stream || m_state != State::Streaming)
        return;
    if (m_framing == ReplyFraming::Chunked && !m_isHead)
        m_stream->output() += lastChunk;
    m_state = State::Finished;
    appended();
}

void HttpExchange::cut()
{
    if (!m_stream || m_state == State::Finished)
        return;
    m_state = State::Finished;
    std::exchange(m_stream, nullptr)->reset(); // buries the connection, and this with it
}

std::size_t HttpExchange::buffered() const
{
    return m_stream ? m_stream->buffered() : 0;
}

void HttpExchange::appended()
{
    m_stream->flushSoon();
    m_wasHigh = m_wasHigh || m_stream->buffered() > limits::highWater;
}

void HttpExchange::progress()
{
    if (!m_wasHigh || !m_stream || m_stream->buffered() >= limits::lowWater)
        return;
    m_wasHigh = false;
    if (m_state == State::Streaming)
        Q_EMIT drained();
}

void HttpExchange::lose()
{
    if (!std::exchange(m_stream, nullptr) || m_state == State::Finished)
        return;
    m_state = State::Finished;
    Q_EMIT clientGone();
}

} // namespace headway::net
