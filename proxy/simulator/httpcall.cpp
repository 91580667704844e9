// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/httpcall.h"

#include <QTimer>

#include <utility>

namespace headway::simulator {

HttpCall::HttpCall(QString host, quint16 port, QObject *parent)
    : QObject(parent)
    , m_host(std::move(host))
    , m_port(port)
{
    connect(&m_socket, &QTcpSocket::connected, this, [this] {
        m_socket.setSocketOption(QAbstractSocket::LowDelayOption, 1);
        m_socket.write(m_request);
    });
    connect(&m_socket, &QTcpSocket::readyRead, this, &HttpCall::read);
    connect(&m_socket, &QTcpSocket::disconnected, this, &HttpCall::disconnected);
    connect(&m_socket, &QTcpSocket::errorOccurred, this,
            [this](QAbstractSocket::SocketError error) {
                // A FIN comes as disconnected(), after what is left to read.
                if (error != QAbstractSocket::RemoteHostClosedError)
                    disconnected();
            });
}

void HttpCall::post(const QByteArray &target, const QByteArray &headers, const QByteArray &body)
{
    m_request = "POST " + target + " HTTP/1.1\r\nHost: " + m_host.toUtf8() + ':'
        + QByteArray::number(m_port) + "\r\n" + headers
        + "Connection: keep-alive\r\nContent-Length: "
        + QByteArray::number(static_cast<qlonglong>(body.size())) + "\r\n\r\n" + body;
    m_running = true;
    m_head.reset();
    m_buffer.clear();
    m_reused = m_socket.state() == QAbstractSocket::ConnectedState;
    if (m_reused)
        m_socket.write(m_request);
    else
        dial();
}

void HttpCall::dial()
{
    m_reused = false;
    m_socket.abort();
    m_socket.connectToHost(m_host, m_port);
}

void HttpCall::abort()
{
    m_running = false;
    m_socket.abort();
}

void HttpCall::read()
{
    m_buffer.append(m_socket.readAll());
    while (m_running) {
        if (!m_head) {
            auto head = takeHead(m_buffer);
            if (!head)
                return endWith(QStringLiteral("not an HTTP response"));
            if (!*head)
                return;
            if ((*head)->startLine.value(1).startsWith('1'))
                continue; // an interim response
            auto body = BodyReader::of(**head, true);
            if (!body)
                return endWith(QString::fromStdString(body.error()));
            m_head = std::move(**head);
            m_body = *body;
            Q_EMIT headArrived(*m_head);
            continue;
        }
        const auto bytes = m_body.take(m_buffer);
        if (!bytes)
            return endWith(QString::fromStdString(bytes.error()));
        if (!bytes->isEmpty())
            Q_EMIT bodyArrived(*bytes);
        if (!m_running || !m_body.complete())
            return;
        m_running = false;
        if (m_head->header("connection").toLower() == "close")
            m_socket.abort();
        Q_EMIT finished();
    }
}

void HttpCall::disconnected()
{
    if (!m_running)
        return;
    // A server may close an idle connection at the moment it is used again: one more dial, unseen.
    if (m_reused && !m_head && m_buffer.isEmpty())
        return QTimer::singleShot(0, this, &HttpCall::dial); // not while the socket cleans up
    if (m_head && m_body.endsWithClose()
        && m_socket.error() == QAbstractSocket::RemoteHostClosedError) {
        m_running = false;
        return Q_EMIT finished();
    }
    endWith(m_head ? QStringLiteral("connection lost in the reply") : m_socket.errorString());
}

void HttpCall::endWith(const QString &reason)
{
    m_running = false;
    m_socket.abort();
    Q_EMIT failed(reason);
}

} // namespace headway::simulator
