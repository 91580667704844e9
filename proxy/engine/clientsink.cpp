// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/clientsink.h"

#include "proxy/net/listener/clientsocket.h"
#include "proxy/net/listener/exchange.h"

namespace headway::engine {

HttpSink::HttpSink(net::Exchange *exchange, QObject *parent)
    : ClientSink(parent)
    , m_exchange(exchange)
{
    connect(exchange, &net::Exchange::clientGone, this, &ClientSink::gone);
    connect(exchange, &net::Exchange::drained, this, &ClientSink::drained);
}

void HttpSink::open(const Headers &headers)
{
    m_opened = true;
    if (m_exchange)
        m_exchange->openStream(200, headers);
}

void HttpSink::write(std::string_view bytes)
{
    m_bytesOut += bytes.size();
    if (m_exchange)
        m_exchange->write(bytes);
}

void HttpSink::finish()
{
    if (m_exchange)
        m_exchange->finish();
    m_exchange.clear();
}

void HttpSink::answer(const dialects::Answer &answer)
{
    m_bytesOut += answer.body.size();
    if (m_exchange)
        m_exchange->respond(answer.status, answer.headers, answer.body);
    m_exchange.clear();
}

void HttpSink::fail(std::string_view lastBytes)
{
    write(lastBytes);
    if (m_exchange)
        m_exchange->cut();
    m_exchange.clear();
}

std::size_t HttpSink::buffered() const
{
    return m_exchange ? m_exchange->buffered() : 0;
}

SocketSink::SocketSink(net::ClientSocket *socket, QObject *parent)
    : ClientSink(parent)
    , m_socket(socket)
{
    connect(socket, &net::ClientSocket::clientGone, this, &ClientSink::gone);
    connect(socket, &net::ClientSocket::drained, this, &ClientSink::drained);
}

void SocketSink::open(const Headers & /*headers*/)
{
    m_opened = true;
}

void SocketSink::write(std::string_view bytes)
{
    m_bytesOut += bytes.size();
    while (!bytes.empty()) {
        const std::size_t end = bytes.find(dialects::messageEnd);
        const std::string_view message = bytes.substr(0, end);
        if (m_socket && !message.empty())
            m_socket->send(message);
        if (end == std::string_view::npos)
            return;
        bytes.remove_prefix(end + 1);
    }
}

void SocketSink::finish()
{
    detach();
}

void SocketSink::answer(const dialects::Answer &answer)
{
    write(answer.body);
    detach();
}

void SocketSink::fail(std::string_view lastBytes)
{
    // The socket itself is well: the error frame ends this turn, and the client decides.
    write(lastBytes);
    detach();
}

std::size_t SocketSink::buffered() const
{
    return m_socket ? m_socket->buffered() : 0;
}

void SocketSink::detach()
{
    if (m_socket)
        m_socket->disconnect(this);
    m_socket.clear();
}

} // namespace headway::engine
