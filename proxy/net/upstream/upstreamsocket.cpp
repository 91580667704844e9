// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/upstreamsocket.h"

#include "proxy/net/upstream/upstreamstate.h"

namespace headway::net {

UpstreamSocket::UpstreamSocket(QObject *parent)
    : QObject(parent)
    , m_state(std::make_unique<State>(*this))
{
}

UpstreamSocket::~UpstreamSocket()
{
    // Deleted from a slot of its own signal: what is on the stack below must outlive it.
    if (m_state->detach())
        m_state.release()->deleteLater();
}

void UpstreamSocket::open(const Endpoint &endpoint,
                          const std::vector<std::pair<std::string, std::string>> &headers,
                          std::chrono::milliseconds timeout)
{
    m_state->open(endpoint, headers, timeout);
}

void UpstreamSocket::sendText(std::string_view message)
{
    m_state->sendText(message);
}

void UpstreamSocket::ping()
{
    m_state->ping();
}

void UpstreamSocket::close(std::uint16_t code)
{
    m_state->close(code);
}

void UpstreamSocket::abort()
{
    m_state->abort();
}

void UpstreamSocket::setReadingPaused(bool paused)
{
    m_state->setReadingPaused(paused);
}

bool UpstreamSocket::isOpen() const
{
    return m_state->isOpen();
}

std::uint64_t UpstreamSocket::bytesUp() const
{
    return m_state->bytesUp();
}

std::uint64_t UpstreamSocket::bytesDown() const
{
    return m_state->bytesDown();
}

std::size_t UpstreamSocket::buffered() const
{
    return m_state->buffered();
}

} // namespace headway::net
