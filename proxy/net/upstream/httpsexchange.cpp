// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/httpsexchange.h"

#include "proxy/net/logging.h"

#include <QSslSocket>

#include <algorithm>
#include <array>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <utility>

namespace headway::net {

namespace {

constexpr qint64 highWater = 256 << 10; // bytes given to a socket that the kernel has not taken
constexpr int maxReadsInARow = 16; // then other sockets get their turn

// One per thread: reading is synchronous, so no exchange needs a buffer of its own.
std::array<char, 64 << 10> &readBlock()
{
    static thread_local std::array<char, 64 << 10> block;
    return block;
}

// HTTP has no ping: the kernel asks instead, with the figures of spec/heads.md section 2 (15 s of
// silence, two probes 10 s apart, dead).
void askForLife(const QTcpSocket &socket)
{
    const auto set
        = [handle = static_cast<int>(socket.socketDescriptor())](int level, int name, int value) {
              (void)setsockopt(handle, level, name, &value, sizeof value);
          };
    set(SOL_SOCKET, SO_KEEPALIVE, 1);
    set(IPPROTO_TCP, TCP_KEEPIDLE, 15);
    set(IPPROTO_TCP, TCP_KEEPINTVL, 10);
    set(IPPROTO_TCP, TCP_KEEPCNT, 2);
}

} // namespace

HttpsExchange::HttpsExchange(QObject *parent)
    : QObject(parent)
{
    m_idle.setSingleShot(true);
    connect(&m_idle, &QTimer::timeout, this, [this] {
        fail(Stage::Exchanging,
             QStringLiteral("%1 was silent for %2 s").arg(m_where).arg(m_idle.interval() / 1000.0));
    });
}

HttpsExchange::~HttpsExchange()
{
    if (m_connection)
        m_connection->socket->disconnect(this);
}

void HttpsExchange::start(const Endpoint &endpoint, HttpsRequest request,
                          std::unique_ptr<HttpsConnection> reused,
                          std::chrono::milliseconds timeout)
{
    if (m_phase != Phase::Idle) {
        qCWarning(lcUpstream, "start() is for a new exchange only");
        return;
    }
    m_phase = Phase::Connecting;
    const auto fields = requestFields(endpoint, request.headers, QStringLiteral("a request"));
    if (!fields) {
        QMetaObject::invokeMethod(
            this, [this, why = fields.error()] { fail(Stage::Connecting, why); },
            Qt::QueuedConnection);
        return;
    }
    m_head = requestStart(request.method,
                          request.target.empty() ? requestTarget(endpoint.url) : request.target,
                          endpoint.url)
        + *fields + "Content-Length: " + std::to_string(request.body.size()) + "\r\n\r\n";
    m_body = std::move(request.body);
    m_where = endpoint.url.authority();
    if (reused) {
        m_connection = std::move(reused);
        QMetaObject::invokeMethod(this, &HttpsExchange::exchange, Qt::QueuedConnection);
        return;
    }
    m_connector = std::make_unique<Connector>();
    connect(m_connector.get(), &Connector::connected, this, &HttpsExchange::onConnected);
    connect(m_connector.get(), &Connector::failed, this,
            [this](const QString &reason) { fail(Stage::Connecting, reason); });
    m_connector->start(endpoint.url, timeout);
}

void HttpsExchange::onConnected()
{
    m_connection = std::make_unique<HttpsConnection>();
    m_connection->socket = m_connector->takeSocket();
    m_connector.release()->deleteLater(); // its signal is on the stack
    askForLife(*m_connection->socket);
    exchange();
}

void HttpsExchange::exchange()
{
    if (m_phase != Phase::Connecting)
        return;
    m_phase = Phase::Exchanging;
    QTcpSocket *const socket = m_connection->socket.get();
    connect(socket, &QTcpSocket::readyRead, this, &HttpsExchange::readAvailable);
    connect(socket, &QTcpSocket::bytesWritten, this, &HttpsExchange::pump);
    if (auto *tls = qobject_cast<QSslSocket *>(socket))
        connect(tls, &QSslSocket::encryptedBytesWritten, this, &HttpsExchange::pump);
    connect(socket, &QTcpSocket::errorOccurred, this, &HttpsExchange::onLost);
    connect(socket, &QTcpSocket::disconnected, this, &HttpsExchange::onLost);
    touch();
    Q_EMIT connected();
    pump();
    readLater(); // a kept connection may have ended meanwhile
}

void HttpsExchange::pump()
{
    if (m_phase != Phase::Exchanging || m_lost)
        return;
    touch();
    const std::size_t size = m_head.size() + m_body.size();
    while (m_written < size) {
        const qint64 room = highWater - unsent();
        if (room <= 0)
            return;
        const bool inHead = m_written < m_head.size();
        const std::string &part = inHead ? m_head : m_body;
        const std::size_t at = inHead ? m_written : m_written - m_head.size();
        const std::size_t count = std::min(part.size() - at, static_cast<std::size_t>(room));
        m_written += count;
        m_connection->bytesUp += count;
        if (m_connection->socket->write(part.data() + at, static_cast<qint64>(count)) < 0) {
            m_lost = true;
            readLater(); // an answer that came before the end, perhaps
            return;
        }
        if (m_phase != Phase::Exchanging)
            return;
    }
    if (m_sentAll || unsent() > 0)
        return;
    m_sentAll = true;
    m_body = {};
    Q_EMIT sent();
}

qint64 HttpsExchange::unsent() const
{
    const QTcpSocket *const socket = m_connection->socket.get();
    const auto *tls = qobject_cast<const QSslSocket *>(socket);
    return socket->bytesToWrite() + (tls ? tls->encryptedBytesToWrite() : 0);
}

bool HttpsExchange::reads() const
{
    return m_phase == Phase::Exchanging && !m_paused;
}

void HttpsExchange::readAvailable()
{
    auto &block = readBlock();
    for (int reads = 0; this->reads(); ++reads) {
        if (reads == maxReadsInARow) {
            readLater();
            return;
        }
        QTcpSocket *const socket = m_connection->socket.get();
        m_inRead = true;
        const qint64 count = socket->read(block.data(), static_cast<qint64>(block.size()));
        m_inRead = false;
        // An unbuffered socket tells its end by this alone, without a signal.
        m_lost = m_lost || (count < 0 && socket->state() != QAbstractSocket::ConnectedState);
        if (count <= 0)
            break;
        m_connection->bytesDown += static_cast<std::uint64_t>(count);
        touch();
        deliver(m_reader.feed({block.data(), static_cast<std::size_t>(count)}));
        if (count < static_cast<qint64>(block.size()))
            break; // a read that would find nothing costs a system call
    }
    if (m_lost)
        onLost();
}

void HttpsExchange::readLater()
{
    if (m_readQueued || !reads())
        return;
    m_readQueued = true;
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_readQueued = false;
            readAvailable();
        },
        Qt::QueuedConnection);
}

void HttpsExchange::deliver(HttpReplyReader::Progress progress)
{
    if (m_reader.hasHead() && m_reader.head().status != 101 && !std::exchange(m_headOut, true))
        Q_EMIT answered(m_reader.head());
    if (m_phase != Phase::Exchanging)
        return;
    if (const std::string body = m_reader.takeBody(); !body.empty())
        Q_EMIT received(body);
    if (m_phase != Phase::Exchanging)
        return;
    switch (progress) {
    case HttpReplyReader::Progress::NeedMore:
        return;
    case HttpReplyReader::Progress::Complete:
        complete();
        return;
    case HttpReplyReader::Progress::Switched:
        fail(Stage::Exchanging,
             QStringLiteral("%1 switched protocols without being asked").arg(m_where));
        return;
    case HttpReplyReader::Progress::Broken:
        fail(Stage::Exchanging, QStringLiteral("%1: %2").arg(m_where, m_reader.error()));
        return;
    }
}

void HttpsExchange::complete()
{
    m_phase = Phase::Over;
    m_idle.stop();
    m_connection->socket->disconnect(this);
    // An answer before the end of the request leaves the connection in the middle of it.
    const bool reusable = m_reader.keepsAlive() && m_reader.rest().empty() && m_sentAll && !m_lost;
    if (!reusable)
        m_connection->socket->abort();
    Q_EMIT finished();
}

std::unique_ptr<HttpsConnection> HttpsExchange::takeConnection()
{
    if (m_phase != Phase::Over || !m_connection
        || m_connection->socket->state() != QAbstractSocket::ConnectedState)
        return nullptr;
    return std::move(m_connection);
}

void HttpsExchange::onLost()
{
    m_lost = true;
    if (m_inRead || !reads()) // readAvailable() comes back to it; a pause keeps the order
        return;
    if (m_connection->socket->bytesAvailable() > 0) {
        readLater();
        return;
    }
    const bool begun = !m_reader.isUntouched();
    const auto progress = m_reader.finish();
    if (progress == HttpReplyReader::Progress::Complete)
        deliver(progress);
    else
        fail(Stage::Exchanging,
             QStringLiteral("%1: %2 (%3)")
                 .arg(m_where,
                      begun ? m_reader.error()
                            : QStringLiteral("the connection ended without an answer"),
                      m_connection->socket->errorString()));
}

void HttpsExchange::setIdleTimeout(std::chrono::milliseconds timeout)
{
    m_idle.setInterval(timeout);
    touch();
}

void HttpsExchange::touch()
{
    if (m_phase == Phase::Exchanging && !m_paused && m_idle.interval() > 0)
        m_idle.start();
}

void HttpsExchange::setReadingPaused(bool paused)
{
    m_paused = paused;
    if (paused) {
        m_idle.stop();
        return;
    }
    touch();
    readLater();
}

void HttpsExchange::abort()
{
    m_phase = Phase::Over;
    m_idle.stop();
    if (m_connector) {
        m_connector->disconnect(this);
        m_connector.release()->deleteLater();
    }
    if (m_connection) {
        m_connection->socket->disconnect(this);
        m_connection->socket->abort();
    }
}

void HttpsExchange::fail(Stage stage, const QString &reason)
{
    if (m_phase == Phase::Over)
        return;
    m_phase = Phase::Over;
    m_idle.stop();
    if (m_connection) {
        m_connection->socket->disconnect(this);
        m_connection->socket->abort();
    }
    Q_EMIT failed(stage, reason);
}

std::uint64_t HttpsExchange::bytesUp() const
{
    return m_connection ? m_connection->bytesUp : 0;
}

std::uint64_t HttpsExchange::bytesDown() const
{
    return m_connection ? m_connection->bytesDown : 0;
}

} // namespace headway::net
