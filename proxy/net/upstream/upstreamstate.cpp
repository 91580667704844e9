// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/upstreamstate.h"

#include "proxy/net/logging.h"

#include <QRandomGenerator>
#include <QSslSocket>

#include <array>

namespace headway::net {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t maxMessageBytes = std::size_t{32} << 20U; // spec/safety.md, upstream frames
constexpr qint64 highWater = 256 << 10; // bytes given to a socket that the kernel has not taken
constexpr auto closingTimeout = 5s;
constexpr auto drainTimeout = 2s;
constexpr int maxReadsInARow = 16; // then other sockets get their turn

// One per thread: reading is synchronous, so no socket needs a buffer of its own.
std::array<char, 64 << 10> &readBlock()
{
    static thread_local std::array<char, 64 << 10> block;
    return block;
}

std::uint32_t freshMask()
{
    return QRandomGenerator::system()->generate();
}

} // namespace

struct UpstreamSocket::State::Busy
{
    explicit Busy(State &state)
        : m_state(state)
    {
        ++m_state.m_depth;
    }
    ~Busy() { --m_state.m_depth; }
    Busy(const Busy &) = delete;
    Busy &operator=(const Busy &) = delete;

private:
    State &m_state;
};

UpstreamSocket::State::State(UpstreamSocket &owner)
    : m_owner(&owner)
{
}

UpstreamSocket::State::~State()
{
    if (m_socket)
        m_socket->disconnect(this);
}

bool UpstreamSocket::State::detach()
{
    m_owner = nullptr;
    m_phase = Phase::Done;
    if (m_depth == 0)
        return false;
    if (m_socket) {
        m_socket->disconnect(this);
        m_socket->flush(); // a close frame that was just written
    }
    return true;
}

void UpstreamSocket::State::open(const Endpoint &endpoint, const Dialer::Headers &headers,
                                 std::chrono::milliseconds timeout)
{
    if (m_phase != Phase::Idle) {
        qCWarning(lcUpstream, "open() is for a new socket only");
        return;
    }
    m_phase = Phase::Dialling;
    m_dialer = std::make_unique<Dialer>();
    connect(m_dialer.get(), &Dialer::upgraded, this, &State::onUpgraded);
    connect(m_dialer.get(), &Dialer::refused, this,
            [this](const UpgradeReply &reply) { onDialled(&reply, {}); });
    connect(m_dialer.get(), &Dialer::failed, this,
            [this](const QString &reason) { onDialled(nullptr, reason); });
    connect(m_dialer.get(), &Dialer::seen, this, [this] {
        const Busy busy(*this);
        if (m_owner)
            Q_EMIT m_owner->seen();
    });
    m_dialer->start(endpoint, headers, timeout);
}

void UpstreamSocket::State::onDialled(const UpgradeReply *refusal, const QString &failure)
{
    const Busy busy(*this);
    if (m_phase != Phase::Dialling)
        return;
    m_phase = Phase::Done;
    if (refusal)
        Q_EMIT m_owner->rejected(*refusal);
    else
        Q_EMIT m_owner->failed(failure);
}

void UpstreamSocket::State::onUpgraded(const UpgradeReply &reply, std::string_view frames)
{
    const Busy busy(*this);
    if (m_phase != Phase::Dialling)
        return;
    takeSocket();
    m_phase = Phase::Open;
    Q_EMIT m_owner->opened(reply);
    if (m_phase == Phase::Done)
        return;
    m_reader->feed(frames);
    deliver();
    pump();
    readLater(); // what came in meanwhile was announced to the dialer
}

void UpstreamSocket::State::takeSocket()
{
    m_bytesUp = m_dialer->bytesUp();
    m_bytesDown = m_dialer->bytesDown();
    m_socket.reset(m_dialer->takeSocket());
    m_tls = qobject_cast<QSslSocket *>(m_socket.get());
    m_dialer.release()->deleteLater(); // its slot is on the stack
    m_reader.emplace(maxMessageBytes);
    m_writer.emplace(freshMask);
    connect(m_socket.get(), &QTcpSocket::readyRead, this, &State::readAvailable);
    connect(m_socket.get(), &QTcpSocket::bytesWritten, this, &State::pump);
    if (m_tls)
        connect(m_tls, &QSslSocket::encryptedBytesWritten, this, &State::pump);
    connect(m_socket.get(), &QTcpSocket::errorOccurred, this, &State::onLost);
    connect(m_socket.get(), &QTcpSocket::disconnected, this, &State::onLost);
}

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
    m_writer->close(code);
    pump();
    m_socket->flush();
    finish(Phase::Draining, code, reason);
}

void UpstreamSocket::State::sendText(std::string_view message)
{
    if (m_phase != Phase::Open)
        return;
    m_writer->text(message);
    pump();
}

void UpstreamSocket::State::ping()
{
    if (m_phase != Phase::Open)
        return;
    m_writer->ping();
    pump();
}

void UpstreamSocket::State::pump()
{
    const Busy busy(*this);
    if (!m_socket || !m_writer || m_phase == Phase::Idle || m_phase == Phase::Done)
        return;
    static thread_local std::string out;
    while (m_writer->hasOutput() && !m_lost) {
        const qint64 room = highWater - unsent();
        if (room <= 0)
            break;
        out.clear();
        m_writer->take(out, static_cast<std::size_t>(room));
        m_bytesUp += out.size();
        if (m_socket->write(out.data(), static_cast<qint64>(out.size())) < 0) {
            m_lost = true;
            readLater(); // what the peer said before it went, its close frame perhaps
        }
    }
}

qint64 UpstreamSocket::State::unsent() const
{
    return m_socket->bytesToWrite() + (m_tls ? m_tls->encryptedBytesToWrite() : 0);
}

void UpstreamSocket::State::close(std::uint16_t code)
{
    if (m_phase == Phase::Dialling)
        abort();
    if (m_phase != Phase::Open)
        return;
    m_phase = Phase::Closing;
    m_writer->close(code);
    m_deadline = std::make_unique<QTimer>();
    m_deadline->setSingleShot(true);
    connect(m_deadline.get(), &QTimer::timeout, this, [this] {
        const Busy busy(*this);
        if (m_phase == Phase::Closing)
            finish(Phase::Done, 1006, QStringLiteral("the server did not answer the close frame"));
    });
    m_deadline->start(closingTimeout);
    pump();
    readLater(); // a paused socket reads on for the handshake
}

void UpstreamSocket::State::abort()
{
    if (m_phase == Phase::Idle || m_phase == Phase::Done)
        return;
    const Phase before = m_phase;
    m_phase = Phase::Done;
    if (m_socket)
        m_socket->abort();
    if (m_dialer)
        m_dialer.release()->deleteLater();
    if (before == Phase::Draining)
        return;
    // Queued: nobody expects a signal from within a call.
    QMetaObject::invokeMethod(
        this,
        [this, before] {
            const Busy busy(*this);
            if (!m_owner)
                return;
            if (before == Phase::Dialling)
                Q_EMIT m_owner->failed(QStringLiteral("given up before the upgrade was answered"));
            else
                Q_EMIT m_owner->closed(1006, QStringLiteral("aborted by this side"));
        },
        Qt::QueuedConnection);
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

void UpstreamSocket::State::finish(Phase next, std::uint16_t code, const QString &reason)
{
    m_phase = next;
    m_deadline.reset();
    if (next == Phase::Done) {
        m_socket->abort();
    } else {
        m_deadline = std::make_unique<QTimer>();
        m_deadline->setSingleShot(true);
        connect(m_deadline.get(), &QTimer::timeout, this, [this] {
            m_phase = Phase::Done;
            m_socket->abort();
        });
        m_deadline->start(drainTimeout);
    }
    Q_EMIT m_owner->closed(code, reason);
}

std::uint64_t UpstreamSocket::State::bytesUp() const
{
    return m_dialer ? m_dialer->bytesUp() : m_bytesUp;
}

std::uint64_t UpstreamSocket::State::bytesDown() const
{
    return m_dialer ? m_dialer->bytesDown() : m_bytesDown;
}

std::size_t UpstreamSocket::State::buffered() const
{
    if (!m_socket || !m_writer)
        return 0;
    return m_writer->queuedBytes() + static_cast<std::size_t>(unsent());
}

} // namespace headway::net
