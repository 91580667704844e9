// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonDocument>
#include <QJsonObject>
#include <QList>
#include <QQueue>
#include <QTcpServer>
#include <QTcpSocket>
#include <QUrl>

namespace headway::simulator {

// A tiny HTTP server that answers the k-th request with the k-th script, whatever was asked.
class ScriptedServer final
{
public:
    struct Answer
    {
        QByteArray bytes; // as written to the socket
        bool cut = false; // then the connection is closed
    };
    struct Request
    {
        QByteArray head;
        QJsonObject body;
        quintptr connection = 0;
    };

    ScriptedServer()
    {
        m_server.listen(QHostAddress::LocalHost, 0);
        QObject::connect(&m_server, &QTcpServer::newConnection, &m_server, [this] {
            while (QTcpSocket *socket = m_server.nextPendingConnection())
                QObject::connect(socket, &QTcpSocket::readyRead, socket,
                                 [this, socket] { read(socket); });
        });
    }

    [[nodiscard]] QUrl url(const QString &path = {}) const
    {
        return QUrl(QStringLiteral("http://127.0.0.1:%1%2").arg(m_server.serverPort()).arg(path));
    }
    void answer(const QByteArray &bytes, bool cut = false) { m_answers.enqueue({bytes, cut}); }
    [[nodiscard]] const QList<Request> &requests() const { return m_requests; }

    static QByteArray stream(const QByteArray &events)
    {
        return "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: "
               "chunked\r\n\r\n"
            + QByteArray::number(events.size(), 16) + "\r\n" + events + "\r\n0\r\n\r\n";
    }
    static QByteArray refusal(int status, const QByteArray &headers, const QByteArray &body)
    {
        return "HTTP/1.1 " + QByteArray::number(status) + " No\r\n" + headers
            + "content-length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
    }

private:
    void read(QTcpSocket *socket)
    {
        QByteArray &buffer = m_buffers[socket];
        buffer += socket->readAll();
        const qsizetype end = buffer.indexOf("\r\n\r\n");
        const qsizetype at = buffer.indexOf("Content-Length: ");
        if (end < 0 || at < 0)
            return;
        const qsizetype length
            = buffer.mid(at + 16, buffer.indexOf("\r\n", at) - at - 16).toLongLong();
        if (buffer.size() < end + 4 + length)
            return;
        m_requests.append({buffer.left(end),
                           QJsonDocument::fromJson(buffer.mid(end + 4, length)).object(),
                           reinterpret_cast<quintptr>(socket)});
        buffer.clear();
        if (m_answers.isEmpty())
            return; // silence
        const Answer next = m_answers.dequeue();
        socket->write(next.bytes);
        if (next.cut)
            socket->disconnectFromHost();
    }

    QTcpServer m_server;
    QQueue<Answer> m_answers;
    QList<Request> m_requests;
    QHash<QTcpSocket *, QByteArray> m_buffers;
};

} // namespace headway::simulator
