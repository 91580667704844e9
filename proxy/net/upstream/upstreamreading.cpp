// SPDX-License-Identifier: GPL-3.0-or-later
// The receiving half of UpstreamSocket::State.
#include "proxy/net/upstream/upstreamstate.h"

#include <QSslSocket>

#include <array>

namespace headway::net {

namespace {

constexpr int maxReadsInARow = 16; // then other sockets get their turn

// One per thread: reading is synchronous, so no socket needs a buffer of its own.
std::array<char, 64 << 10> &readBlock()
{
    static thread_local std::array<char, 64 << 10> block;
    return block;
}

} // namespace

bool UpstreamSocket::State::reads() const
{
    return m_socket && m_phase != Phase::Done && (!m_paused || m_phase != Phase::Open);
}

void UpstreamSocket::State::readAvailable()
{
    const Busy busy(*this);
    auto &block = readBlock();
    for (int reads = 0; this->reads(); ++reads) {
        if (reads == maxReadsInARow) {
            readLater();
            break;
        }
        m_inRead = true;
        const qint64 count = m_socket->read(block.data(), static_cast<qint64>(block.size()));
        m_inRead = false;
        // An unbuffered socket tells its end by this alone, without a signal.
        m_lost = m_lost || (count < 0 && m_socket->state() != QAbstractSocket::ConnectedState);
        if (count <= 0)
            break;
        m_bytesDown += static_cast<std::uint64_t>(count);
        if (m_phase == Phase::Draining)
            continue;
        m_reader->feed({block.data(), static_cast<std::size_t>(count)});
        Q_EMIT m_owner->seen();
        deliver();
        if (count < static_cast<qint64>(block.size()))
            break; // a read that would find nothing costs a system call
    }
    pump();
    if (m_lost)
        onLost();
}

void UpstreamSocket::State::readLater()
{
    if (m_readQueued || !reads())
        return;
    m_readQueued = true;
    QMetaObject::invokeMethod(
        this,
        [this] {
            const Busy busy(*this);
            m_readQueued = false;
            if (m_phase == Phase::Open || m_phase == Phase::Closing)
                deliver(); // what a pause left behind
            readAvailable();
        },
        Qt::QueuedConnection);
}

void UpstreamSocket::State::deliver()
{
    while ((m_phase == Phase::Open && !m_paused) || m_phase == Phase::Closing) {
        const FrameReader::Event event = m_reader->next();
        if (event.kind == FrameReader::Kind::NeedMore)
            return;
        handle(event);
    }
    m_reader->keepRest();
}

void UpstreamSocket::State::handle(const FrameReader::Event &event)
{
    switch (event.kind) {
    case FrameReader::Kind::Text:
        if (m_phase == Phase::Open)
            Q_EMIT m_owner->received(event.payload, event.capacity);
        return;
    case FrameReader::Kind::Ping:
        m_writer->pong(event.payload);
        return; // goes out once with the pump() behind the reading
    case FrameReader::Kind::Pong:
        Q_EMIT m_owner->ponged();
        return;
    case FrameReader::Kind::Close:
    case FrameReader::Kind::Broken:
        endByPeer(event.code, event.reason);
        return;
    case FrameReader::Kind::NeedMore:
        return;
    }
}

// Answers with a close frame (nothing happens if ours is out already) and leaves the end of TCP to
// the server for a moment, as RFC 6455 section 7.1.1 wants.
void UpstreamSocket::State::endByPeer(std::uint16_t code, const QString &reason)
{
    m_phase = Phase::Draining; // first: a server that is gone already must not be told twice
    m_writer->close(code);
    pump();
    m_socket->flush();
    finish(m_phase, code, reason);
}

void UpstreamSocket::State::setReadingPaused(bool paused)
{
    m_paused = paused;
    if (!paused)
        readLater();
}

void UpstreamSocket::State::onLost()
{
    const Busy busy(*this);
    m_lost = true;
    if (m_inRead)
        return; // readAvailable() comes back to it
    if (m_phase == Phase::Draining) {
        m_phase = Phase::Done;
        return;
    }
    if (m_phase != Phase::Open && m_phase != Phase::Closing)
        return;
    if (!reads())
        return; // paused: told in order, behind what was received before
    deliver();
    if (m_tls && m_tls->bytesAvailable() > 0) {
        readLater();
        return;
    }
    if (m_phase == Phase::Open || m_phase == Phase::Closing)
        finish(Phase::Done, 1006,
               QStringLiteral("the connection was lost: %1").arg(m_socket->errorString()));
}

} // namespace headway::net
