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

std::uint32_t freshMask()
{
    return QRandomGenerator::system()->generate();
}

} // namespace

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
    connect(m_dialer.get(), &Dialer::refused, this, &State::onRefused);
    connect(m_dialer.get(), &Dialer::failed, this, &State::onFailed);
    connect(m_dialer.get(), &Dialer::seen, this, [this] {
        const Busy busy(*this);
        if (m_owner)
            Q_EMIT m_owner->seen();
    });
    m_dialer->start(endpoint, headers, timeout);
}

void UpstreamSocket::State::onRefused(const UpgradeReply &reply)
{
    const Busy busy(*this);
    if (m_phase != Phase::Dialling)
        return;
    m_phase = Phase::Done;
    Q_EMIT m_owner->rejected(reply);
}

void UpstreamSocket::State::onFailed(const QString &reason, DialStage stage)
{
    const Busy busy(*this);
    if (m_phase != Phase::Dialling)
        return;
    m_phase = Phase::Done;
    Q_EMIT m_owner->failed(reason, stage);
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
                Q_EMIT m_owner->failed(QStringLiteral("given up before the upgrade was answered"),
                                       DialStage::Connecting); // nobody waited for it
            else
                Q_EMIT m_owner->closed(1006, QStringLiteral("aborted by this side"));
        },
        Qt::QueuedConnection);
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
