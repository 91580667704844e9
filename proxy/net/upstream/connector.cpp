// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/connector.h"

#include "proxy/net/upstream/dialerror.h"
#include "proxy/net/upstream/endpoint.h"
#include "proxy/net/upstream/trust.h"

#include <QHostAddress>
#include <QNetworkProxy>
#include <QSslSocket>

namespace headway::net {

namespace {

constexpr qint64 readBufferBytes = 64 << 10;

QNetworkProxy asQtProxy(const OutboundProxy &proxy)
{
    if (proxy.kind == OutboundProxy::Kind::Direct)
        return QNetworkProxy(QNetworkProxy::NoProxy);
    const bool isHttp = proxy.kind == OutboundProxy::Kind::HttpConnect;
    QNetworkProxy result(isHttp ? QNetworkProxy::HttpProxy : QNetworkProxy::Socks5Proxy, proxy.host,
                         proxy.port, proxy.user, proxy.password);
    if (isHttp)
        result.setRawHeader("User-Agent", "headway/" HEADWAY_VERSION);
    return result;
}

} // namespace

Connector::Connector(QObject *parent)
    : QObject(parent)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Connector::onTimeout);
}

Connector::~Connector()
{
    if (m_socket)
        m_socket->disconnect(this);
}

void Connector::start(const QUrl &url, std::chrono::milliseconds timeout)
{
    m_timeout = timeout;
    if (const auto prepared = prepare(url); !prepared) {
        QMetaObject::invokeMethod(
            this, [this, reason = prepared.error()] { fail(reason); }, Qt::QueuedConnection);
        return;
    }
    m_stage = Stage::Connecting;
    m_timer.start(timeout);
    // Queued, because a socket may report an error from within connectToHost().
    QMetaObject::invokeMethod(this, &Connector::connectSocket, Qt::QueuedConnection);
}

tl::expected<void, QString> Connector::prepare(const QUrl &url)
{
    const bool isTls = url.scheme() == QLatin1String("wss");
    m_host = url.host(QUrl::FullyEncoded);
    m_port = static_cast<quint16>(url.port(isTls ? 443 : 80));
    m_where = m_host.contains(u':') ? QStringLiteral("[%1]:%2").arg(m_host).arg(m_port)
                                    : QStringLiteral("%1:%2").arg(m_host).arg(m_port);
    if (!isTls && (url.scheme() != QLatin1String("ws") || !isLoopbackHost(m_host)))
        return tl::unexpected<QString>(
            QStringLiteral("%1 is not dialled: it is neither wss:// nor ws:// to this machine")
                .arg(m_where));
    auto proxy = outboundProxy(url, processEnvironment());
    if (!proxy)
        return tl::unexpected<QString>(proxy.error());
    m_proxy = std::move(*proxy);
    if (isTls) {
        auto configuration = tlsTowardsProvider(processEnvironment());
        if (!configuration)
            return tl::unexpected<QString>(configuration.error());
        auto socket = std::make_unique<QSslSocket>();
        socket->setSslConfiguration(*configuration);
        m_tls = socket.get();
        m_socket = std::move(socket);
        m_socket->setReadBufferSize(readBufferBytes);
        connect(m_tls, &QSslSocket::sslErrors, this, &Connector::onTlsErrors);
        connect(m_tls, &QSslSocket::encrypted, this, &Connector::succeed);
    } else {
        m_socket = std::make_unique<QTcpSocket>();
    }
    m_socket->setProxy(asQtProxy(m_proxy));
    connect(m_socket.get(), &QTcpSocket::connected, this, &Connector::onConnected);
    connect(m_socket.get(), &QTcpSocket::errorOccurred, this, &Connector::onError);
    return {};
}

void Connector::connectSocket()
{
    if (m_stage != Stage::Connecting)
        return;
    if (m_tls)
        m_tls->connectToHostEncrypted(m_host, m_port);
    else
        m_socket->connectToHost(m_host, m_port, QIODevice::ReadWrite | QIODevice::Unbuffered);
}

void Connector::onConnected()
{
    m_socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    if (m_tls) {
        m_stage = Stage::Securing;
        return;
    }
    // "localhost" is whatever the resolver says; nothing in clear text may leave the machine.
    if (!m_socket->peerAddress().isLoopback()) {
        fail(QStringLiteral("%1 leads to %2, which is not this machine: write wss:// instead of "
                            "ws://")
                 .arg(m_host, m_socket->peerAddress().toString()));
        return;
    }
    succeed();
}

void Connector::onTlsErrors(const QList<QSslError> &errors)
{
    m_tlsErrors = errors; // nothing is ignored: the handshake fails by itself
}

void Connector::onError(QAbstractSocket::SocketError error)
{
    if (m_stage == Stage::Over)
        return;
    fail(sentence({.error = error,
                   .errorText = m_socket->errorString(),
                   .host = m_host,
                   .port = m_port,
                   .proxy = m_proxy,
                   .tlsErrors = m_tlsErrors,
                   .securing = m_stage == Stage::Securing}));
}

void Connector::onTimeout()
{
    const auto seconds = std::chrono::duration<double>(m_timeout).count();
    if (m_stage == Stage::Securing)
        fail(QStringLiteral("%1 did not finish the TLS handshake within %2 s")
                 .arg(m_where)
                 .arg(seconds));
    else if (m_proxy.kind == OutboundProxy::Kind::Direct)
        fail(QStringLiteral("no connection to %1 within %2 s").arg(m_where).arg(seconds));
    else
        fail(QStringLiteral("no connection to %1 through %2 within %3 s")
                 .arg(m_where, m_proxy.variable)
                 .arg(seconds));
}

void Connector::succeed()
{
    if (m_stage == Stage::Over)
        return;
    m_stage = Stage::Over;
    m_timer.stop();
    Q_EMIT connected();
}

void Connector::fail(const QString &reason)
{
    m_stage = Stage::Over;
    m_timer.stop();
    if (m_socket) {
        m_socket->disconnect(this);
        m_socket->abort();
    }
    Q_EMIT failed(reason);
}

std::unique_ptr<QTcpSocket> Connector::takeSocket()
{
    m_socket->disconnect(this);
    return std::move(m_socket);
}

} // namespace headway::net
