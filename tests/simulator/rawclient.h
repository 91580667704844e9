// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QEventLoop>
#include <QSignalSpy>
#include <QTcpSocket>
#include <QTimer>
#include <QUrl>

namespace headway::simulator {

// One HTTP exchange, bytes as they come: QWebSocket hides why an upgrade was refused.
class RawClient final
{
public:
    explicit RawClient(const QUrl &url)
        : m_url(url)
    {
    }

    // Sends and reads until `until` has come or the peer closes. The whole answer.
    [[nodiscard]] QByteArray ask(const QByteArray &request, const QByteArray &until = {})
    {
        if (m_socket.state() == QAbstractSocket::UnconnectedState) {
            QSignalSpy connected(&m_socket, &QTcpSocket::connected);
            m_socket.connectToHost(m_url.host(), static_cast<quint16>(m_url.port()));
            if (!connected.wait())
                return {};
        }
        m_socket.write(request);
        QByteArray answer;
        while (until.isEmpty() || !answer.contains(until)) {
            if (m_socket.bytesAvailable() == 0
                && (m_socket.state() != QAbstractSocket::ConnectedState || !waitForNews()))
                break;
            answer += m_socket.readAll();
        }
        return answer;
    }

    [[nodiscard]] QTcpSocket &socket() { return m_socket; }

    static QByteArray upgrade(const QByteArray &path,
                              const QByteArray &key = "dGhlIHNhbXBsZSBub25jZQ==",
                              const QByteArray &version = "13")
    {
        return "GET " + path
            + " HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: keep-alive, "
              "Upgrade\r\nSec-WebSocket-Key: "
            + key + "\r\nSec-WebSocket-Version: " + version + "\r\n\r\n";
    }
    static QByteArray post(const QByteArray &path, const QByteArray &body)
    {
        return "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: "
            + QByteArray::number(body.size()) + "\r\n\r\n" + body;
    }

private:
    // Bytes or the end; false when neither comes within 5 s.
    [[nodiscard]] bool waitForNews()
    {
        QEventLoop loop;
        QObject::connect(&m_socket, &QTcpSocket::readyRead, &loop, [&] { loop.exit(1); });
        QObject::connect(&m_socket, &QTcpSocket::disconnected, &loop, [&] { loop.exit(1); });
        QTimer::singleShot(5000, &loop, [&] { loop.exit(0); });
        return loop.exec() == 1;
    }

    QUrl m_url;
    QTcpSocket m_socket;
};

} // namespace headway::simulator
