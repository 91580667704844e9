// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/dialer.h"

#include "proxy/net/upstream/dialerror.h"
#include "proxy/net/upstream/trust.h"

#include <QHostAddress>
#include <QNetworkProxy>
#include <QRandomGenerator>
#include <QSslSocket>

#include <array>

namespace headway::net {

namespace {

constexpr qint64 readBufferBytes = 64 << 10;

std::string freshNonce()
{
    std::array<quint32, 4> words{};
    QRandomGenerator::system()->fillRange(words.data(), static_cast<qsizetype>(words.size()));
    std::string nonce;
    for (const quint32 word : words) {
        for (unsigned shift = 0; shift < 32; shift += 8)
            nonce += static_cast<char>((word >> shift) & 0xffU);
    }
    return nonce;
}

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

Dialer::Dialer(QObject *parent)
    : QObject(parent)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Dialer::onTimeout);
}

Dialer::~Dialer()
{
    if (m_socket)
        m_socket->disconnect(this);
}

void Dialer::start(const Endpoint &endpoint, const Headers &headers,
                   std::chrono::milliseconds timeout)
{
    m_timeout = timeout;
    if (const auto prepared = prepare(endpoint, headers); !prepared) {
        QMetaObject::invokeMethod(
            this, [this, reason = prepared.error()] { fail(reason); }, Qt::QueuedConnection);
        return;
    }
    m_stage = Stage::Connecting;
    m_timer.start(timeout);
    // Queued, because a socket may report an error from within connectToHost().
    QMetaObject::invokeMethod(this, &Dialer::connectSocket, Qt::QueuedConnection);
}

tl::expected<void, QString> Dialer::prepare(const Endpoint &endpoint, const Headers &headers)
{
    const bool isTls = endpoint.url.scheme() == QLatin1String("wss");
    m_host = endpoint.url.host(QUrl::FullyEncoded);
    m_port = static_cast<quint16>(endpoint.url.port(isTls ? 443 : 80));
    if (!isTls && (endpoint.url.scheme() != QLatin1String("ws") || !isLoopbackHost(m_host)))
        return tl::unexpected<QString>(
            QStringLiteral("%1 is not dialled: it is neither wss:// nor ws:// to this machine")
                .arg(where()));
    auto proxy = outboundProxy(endpoint.url, processEnvironment());
    if (!proxy)
        return tl::unexpected<QString>(proxy.error());
    auto request = UpgradeRequest::build(endpoint, headers, freshNonce());
    if (!request)
        return tl::unexpected<QString>(request.error());
    m_proxy = std::move(*proxy);
    m_request = std::move(*request);
    m_reader = std::make_unique<UpgradeReader>(m_request.expectedAccept);
    if (isTls) {
        auto configuration = tlsTowardsProvider(processEnvironment());
        if (!configuration)
            return tl::unexpected<QString>(configuration.error());
        auto socket = std::make_unique<QSslSocket>();
        socket->setSslConfiguration(*configuration);
        m_tls = socket.get();
        m_socket = std::move(socket);
        m_socket->setReadBufferSize(readBufferBytes);
        connect(m_tls, &QSslSocket::sslErrors, this, &Dialer::onTlsErrors);
        connect(m_tls, &QSslSocket::encrypted, this, &Dialer::sendUpgrade);
    } else {
        m_socket = std::make_unique<QTcpSocket>();
    }
    m_socket->setProxy(asQtProxy(m_proxy));
    connect(m_socket.get(), &QTcpSocket::connected, this, &Dialer::onConnected);
    connect(m_socket.get(), &QTcpSocket::readyRead, this, &Dialer::onReadyRead);
    connect(m_socket.get(), &QTcpSocket::errorOccurred, this, &Dialer::onError);
    return {};
}

void Dialer::connectSocket()
{
    if (m_stage != Stage::Connecting)
        return;
    if (m_tls)
        m_tls->connectToHostEncrypted(m_host, m_port);
    else
        m_socket->connectToHost(m_host, m_port, QIODevice::ReadWrite | QIODevice::Unbuffered);
}

void Dialer::onConnected()
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
    sendUpgrade();
}

void Dialer::onTlsErrors(const QList<QSslError> &errors)
{
    m_tlsErrors = errors; // nothing is ignored: the handshake fails by itself
}

void Dialer::sendUpgrade()
{
    if (m_stage == Stage::Over)
        return;
    m_stage = Stage::Upgrading;
    m_bytesUp += m_request.bytes.size();
    m_socket->write(m_request.bytes.data(), static_cast<qint64>(m_request.bytes.size()));
}

void Dialer::onReadyRead()
{
    std::array<char, 16384> block;
    while (m_stage == Stage::Upgrading) {
        const qint64 count = m_socket->read(block.data(), static_cast<qint64>(block.size()));
        // An unbuffered socket tells its end by this alone, without a signal.
        if (count < 0 && !m_tls && m_socket->state() != QAbstractSocket::ConnectedState)
            answer(m_reader->finish());
        if (count <= 0)
            return;
        m_bytesDown += static_cast<std::uint64_t>(count);
        Q_EMIT seen();
        answer(m_reader->feed({block.data(), static_cast<std::size_t>(count)}));
    }
}

void Dialer::onError(QAbstractSocket::SocketError error)
{
    if (m_stage == Stage::Over)
        return;
    if (m_stage == Stage::Upgrading) {
        if (m_tls)
            onReadyRead(); // what QSslSocket still holds
        if (m_stage == Stage::Upgrading)
            answer(m_reader->finish());
        return;
    }
    fail(sentence({.error = error,
                   .errorText = m_socket->errorString(),
                   .host = m_host,
                   .port = m_port,
                   .proxy = m_proxy,
                   .tlsErrors = m_tlsErrors,
                   .securing = m_stage == Stage::Securing}));
}

void Dialer::onTimeout()
{
    const auto seconds = std::chrono::duration<double>(m_timeout).count();
    switch (m_stage) {
    case Stage::Upgrading:
        // A refusal whose body never ends is still a refusal.
        if (const auto progress = m_reader->finish(); progress == UpgradeReader::Progress::Refused)
            answer(progress);
        else
            fail(QStringLiteral("%1 did not answer the WebSocket upgrade within %2 s")
                     .arg(where())
                     .arg(seconds));
        return;
    case Stage::Securing:
        fail(QStringLiteral("%1 did not finish the TLS handshake within %2 s")
                 .arg(where())
                 .arg(seconds));
        return;
    default:
        fail(m_proxy.kind == OutboundProxy::Kind::Direct
                 ? QStringLiteral("no connection to %1 within %2 s").arg(where()).arg(seconds)
                 : QStringLiteral("no connection to %1 through %2 within %3 s")
                       .arg(where(), m_proxy.variable)
                       .arg(seconds));
    }
}

void Dialer::answer(UpgradeReader::Progress progress)
{
    switch (progress) {
    case UpgradeReader::Progress::NeedMore:
        return;
    case UpgradeReader::Progress::Switched:
        m_stage = Stage::Over;
        m_timer.stop();
        Q_EMIT upgraded(m_reader->reply(), m_reader->rest());
        return;
    case UpgradeReader::Progress::Refused:
        m_stage = Stage::Over;
        m_timer.stop();
        m_socket->abort();
        Q_EMIT refused(m_reader->reply());
        return;
    case UpgradeReader::Progress::Broken:
        fail(QStringLiteral("%1: %2").arg(where(), m_reader->error()));
        return;
    }
}

void Dialer::fail(const QString &reason)
{
    m_stage = Stage::Over;
    m_timer.stop();
    if (m_socket) {
        m_socket->disconnect(this);
        m_socket->abort();
    }
    Q_EMIT failed(reason);
}

QString Dialer::where() const
{
    return m_host.contains(u':') ? QStringLiteral("[%1]:%2").arg(m_host).arg(m_port)
                                 : QStringLiteral("%1:%2").arg(m_host).arg(m_port);
}

QTcpSocket *Dialer::takeSocket()
{
    m_socket->disconnect(this);
    return m_socket.release();
}

} // namespace headway::net
