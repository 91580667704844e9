// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/listener/stream.h"

#include "proxy/net/listener/limits.h"
#include "proxy/net/listener/reactor.h"

#include <cerrno>
#include <linux/sockios.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace headway::net {
namespace {

constexpr std::size_t promptBytes = std::size_t{64} << 10U; // written without waiting for the turn
constexpr std::size_t keptCapacity = std::size_t{16} << 10U;
constexpr int readsPerTurn = 4; // so that one fast sender does not hold up the others

// Bytes the peer has not acknowledged yet.
int unacknowledged(int descriptor)
{
    int bytes = 0;
    return ::ioctl(descriptor, SIOCOUTQ, &bytes) == 0 ? bytes : 0;
}

} // namespace

Stream::Stream(Reactor &reactor, int descriptor, std::size_t slot)
    : m_reactor(reactor)
    , m_slot(slot)
    , m_descriptor(descriptor)
{
}

Stream::~Stream()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

void Stream::setSink(std::unique_ptr<StreamSink> sink)
{
    m_reactor.bury(std::exchange(m_sink, std::move(sink)));
}

void Stream::flushSoon()
{
    if (m_mode == Mode::Closed)
        return;
    if (buffered() >= promptBytes && !m_blocked)
        transmit();
    m_reactor.flushLater(*this);
}

void Stream::setReading(bool on)
{
    m_reading = on;
    updateInterest();
}

void Stream::finish()
{
    if (m_mode != Mode::Open)
        return;
    leaveSink(Mode::Finishing);
    m_deadline = m_reactor.now() + m_reactor.times().cut;
}

void Stream::reset()
{
    if (m_mode != Mode::Open)
        return;
    leaveSink(Mode::Resetting);
    m_deadline = m_reactor.now() + m_reactor.times().cut;
}

void Stream::abort()
{
    setSink(nullptr);
    close(true);
}

void Stream::leaveSink(Mode mode)
{
    setSink(nullptr);
    m_mode = mode;
    m_reading = true; // what comes is read over; it must not hide the peer's end
    updateInterest();
    m_reactor.flushLater(*this);
}

void Stream::ready(std::uint32_t events)
{
    if (m_mode == Mode::Closed)
        return;
    if ((events & EPOLLOUT) != 0) {
        m_blocked = false;
        updateInterest();
        m_reactor.flushLater(*this);
    }
    if ((events & EPOLLIN) != 0 && m_reading)
        receive();
    else if ((events & EPOLLRDHUP) != 0)
        peerEnded();
    if ((events & (EPOLLHUP | EPOLLERR)) != 0 && m_mode != Mode::Closed) {
        m_failed = true; // both directions are over; epoll would go on saying so
        m_reactor.flushLater(*this);
    }
}

void Stream::receive()
{
    auto &scratch = *m_reactor.m_scratch;
    for (int i = 0; i != readsPerTurn && m_mode != Mode::Closed && m_reading; ++i) {
        const ssize_t count = ::recv(m_descriptor, scratch.data(), scratch.size(), 0);
        if (count < 0) {
            if (errno == EINTR)
                continue;
            if (errno != EAGAIN && errno != EWOULDBLOCK)
                peerEnded();
            return;
        }
        if (count == 0) {
            peerEnded();
            return;
        }
        const auto size = static_cast<std::size_t>(count);
        if (m_sink) {
            m_sink->arrived({scratch.data(), size});
        } else {
            m_discarded += size;
            if (m_discarded > limits::discardedBytes)
                close(true);
        }
        if (size < scratch.size())
            return;
    }
}

void Stream::peerEnded()
{
    if (std::exchange(m_peerEnded, true))
        return;
    updateInterest();
    if (m_sink)
        m_sink->ended();
    else if (m_mode == Mode::Resetting || m_mode == Mode::Lingering)
        close(m_mode == Mode::Resetting);
    // Finishing: half a connection is enough to get the rest out; a reset shows when writing.
}

void Stream::transmit()
{
    while (buffered() != 0) {
        const ssize_t count
            = ::send(m_descriptor, m_output.data() + m_taken, buffered(), MSG_NOSIGNAL);
        if (count < 0) {
            if (errno == EINTR)
                continue;
            if (errno == EAGAIN || errno == EWOULDBLOCK) {
                m_blocked = true;
                updateInterest();
            } else {
                m_failed = true;
                m_output.clear();
                m_taken = 0;
            }
            break;
        }
        m_taken += static_cast<std::size_t>(count);
    }
    if (m_taken == m_output.size()) {
        if (m_output.capacity() > keptCapacity)
            m_output = {};
        m_output.clear();
        m_taken = 0;
    } else if (m_taken > m_output.size() / 2) {
        m_output.erase(0, m_taken);
        m_taken = 0;
    }
}

void Stream::flush()
{
    if (m_mode == Mode::Closed)
        return;
    if (!m_blocked && !m_failed)
        transmit();
    if (m_failed) {
        if (m_sink)
            peerEnded();
        if (!m_sink)
            close(true);
        return;
    }
    if (m_sink) {
        m_sink->sent();
    } else if (buffered() == 0) {
        if (m_mode == Mode::Finishing)
            linger();
        else if (m_mode == Mode::Resetting && !checkDelivered())
            m_reactor.watchDelivery(*this);
    }
}

void Stream::linger()
{
    if (m_peerEnded) {
        close(false);
        return;
    }
    m_mode = Mode::Lingering;
    m_deadline = m_reactor.now() + m_reactor.times().linger;
    ::shutdown(m_descriptor, SHUT_WR);
}

bool Stream::checkDelivered()
{
    // A reset throws away what the kernel has not sent, so it waits for the acknowledgements.
    if (m_mode == Mode::Resetting && buffered() == 0 && unacknowledged(m_descriptor) == 0)
        close(true);
    return m_mode == Mode::Closed;
}

void Stream::tick(base::SteadyTime now)
{
    if (m_sink)
        m_sink->tick(now);
    else if (m_mode != Mode::Closed && now >= m_deadline)
        close(m_mode != Mode::Lingering);
}

void Stream::updateInterest()
{
    if (m_mode == Mode::Closed)
        return;
    const std::uint32_t reading = m_reading ? EPOLLIN | EPOLLRDHUP : std::uint32_t{EPOLLRDHUP};
    const std::uint32_t interest
        = (m_peerEnded ? 0U : reading) | (m_blocked ? std::uint32_t{EPOLLOUT} : 0U);
    if (interest != m_interest && m_reactor.watch(*this, interest, false))
        m_interest = interest;
}

void Stream::close(bool withReset)
{
    if (m_mode == Mode::Closed)
        return;
    m_mode = Mode::Closed;
    if (withReset) {
        const struct linger hard = {1, 0};
        ::setsockopt(m_descriptor, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    }
    ::close(std::exchange(m_descriptor, -1)); // leaves the epoll set by itself
    m_output = {};
    m_taken = 0;
    m_reactor.closed(*this);
}

} // namespace headway::net
