// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/net/upstream/dialer.h"

#include <QRandomGenerator>

#include <algorithm>
#include <array>

namespace headway::net {

namespace {

using namespace std::chrono_literals;

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

} // namespace

Dialer::Dialer(QObject *parent)
    : QObject(parent)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Dialer::onTimeout);
    connect(&m_connector, &Connector::connected, this, &Dialer::onConnected);
    connect(&m_connector, &Connector::failed, this, &Dialer::fail);
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
    m_elapsed.start();
    auto request = UpgradeRequest::build(endpoint, headers, freshNonce());
    if (!request) {
        QMetaObject::invokeMethod(
            this, [this, reason = request.error()] { fail(reason); }, Qt::QueuedConnection);
        return;
    }
    m_request = std::move(*request);
    m_reader = std::make_unique<UpgradeReader>(m_request.expectedAccept);
    m_isTls = endpoint.url.scheme() == QLatin1String("wss");
    m_connector.start(endpoint.url, timeout);
}

void Dialer::onConnected()
{
    m_connected = true;
    m_socket = m_connector.takeSocket();
    connect(m_socket.get(), &QTcpSocket::readyRead, this, &Dialer::onReadyRead);
    connect(m_socket.get(), &QTcpSocket::errorOccurred, this, &Dialer::onError);
    m_timer.start(std::max(m_timeout - std::chrono::milliseconds(m_elapsed.elapsed()), 1ms));
    m_bytesUp += m_request.bytes.size();
    m_socket->write(m_request.bytes.data(), static_cast<qint64>(m_request.bytes.size()));
}

void Dialer::onReadyRead()
{
    std::array<char, 16384> block;
    while (!m_isOver) {
        const qint64 count = m_socket->read(block.data(), static_cast<qint64>(block.size()));
        // An unbuffered socket tells its end by this alone, without a signal.
        if (count < 0 && !m_isTls && m_socket->state() != QAbstractSocket::ConnectedState)
            answer(m_reader->finish());
        if (count <= 0)
            return;
        m_bytesDown += static_cast<std::uint64_t>(count);
        Q_EMIT seen();
        answer(m_reader->feed({block.data(), static_cast<std::size_t>(count)}));
    }
}

void Dialer::onError()
{
    if (m_isOver)
        return;
    if (m_isTls)
        onReadyRead(); // what QSslSocket still holds
    if (!m_isOver)
        answer(m_reader->finish());
}

void Dialer::onTimeout()
{
    // A refusal whose body never ends is still a refusal.
    if (const auto progress = m_reader->finish(); progress == UpgradeReader::Progress::Refused)
        answer(progress);
    else
        fail(QStringLiteral("%1 did not answer the WebSocket upgrade within %2 s")
                 .arg(m_connector.where())
                 .arg(std::chrono::duration<double>(m_timeout).count()));
}

void Dialer::answer(UpgradeReader::Progress progress)
{
    switch (progress) {
    case UpgradeReader::Progress::NeedMore:
        return;
    case UpgradeReader::Progress::Switched:
        m_isOver = true;
        m_timer.stop();
        Q_EMIT upgraded(m_reader->reply(), m_reader->rest());
        return;
    case UpgradeReader::Progress::Refused:
        m_isOver = true;
        m_timer.stop();
        m_socket->abort();
        Q_EMIT refused(m_reader->reply());
        return;
    case UpgradeReader::Progress::Broken:
        fail(QStringLiteral("%1: %2").arg(m_connector.where(), m_reader->error()));
        return;
    }
}

void Dialer::fail(const QString &reason)
{
    m_isOver = true;
    m_timer.stop();
    if (m_socket) {
        m_socket->disconnect(this);
        m_socket->abort();
    }
    const DialStage stage = !m_connected ? DialStage::Connecting
        : m_bytesDown == 0               ? DialStage::Unanswered
                                         : DialStage::Answering;
    Q_EMIT failed(reason, stage);
}

QTcpSocket *Dialer::takeSocket()
{
    m_socket->disconnect(this);
    return m_socket.release();
}

} // namespace headway::net
