// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/upstream/endpoint.h"
#include "tests/net/upstream/serverframes.h"

#include <QPointer>
#include <QTcpServer>
#include <QTcpSocket>

#include <functional>
#include <sys/socket.h>
#include <vector>

namespace headway::testing {

// A server that reads one upgrade request per connection and answers with exactly the bytes it was
// told; what comes after is collected in `frames`.
class ScriptedPeer : public QObject
{
public:
    using Answer = std::function<QByteArray(const QByteArray &requestHead)>;

    explicit ScriptedPeer(Answer answer = switchingProtocols)
        : m_answer(std::move(answer))
    {
        if (!m_server.listen(QHostAddress::LocalHost))
            qFatal("no port to listen on");
        connect(&m_server, &QTcpServer::newConnection, this, [this] {
            while (QTcpSocket *next = m_server.nextPendingConnection())
                accept(next);
        });
    }

    [[nodiscard]] net::Endpoint endpoint() const
    {
        net::Endpoint result;
        result.url = QUrl(QStringLiteral("ws://127.0.0.1:%1/v1/responses").arg(port()));
        result.name = "scripted";
        return result;
    }

    [[nodiscard]] quint16 port() const { return m_server.serverPort(); }
    void stopListening() { m_server.close(); }

    // Closes so that the other side gets a reset and not an orderly end.
    void reset()
    {
        socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        const linger abrupt{1, 0};
        setsockopt(static_cast<int>(socket->socketDescriptor()), SOL_SOCKET, SO_LINGER, &abrupt,
                   sizeof abrupt);
        socket->abort();
    }

    QPointer<QTcpSocket> socket; // the latest
    QByteArray requestHead; // of the latest
    QByteArray received; // behind the request, without what stands in frames
    std::vector<ClientFrame> frames; // whole ones
    int connections = 0;
    bool reading = true;

private:
    void accept(QTcpSocket *next)
    {
        ++connections;
        socket = next;
        requestHead.clear();
        received.clear();
        frames.clear();
        connect(next, &QTcpSocket::readyRead, this, [this, next] {
            if (!reading)
                return;
            received += next->readAll();
            if (requestHead.isEmpty()) {
                const qsizetype end = received.indexOf("\r\n\r\n");
                if (end < 0)
                    return;
                requestHead = received.left(end + 4);
                received.remove(0, end + 4);
                next->write(m_answer(requestHead));
            }
            takeFrames(received, frames);
        });
    }

    Answer m_answer;
    QTcpServer m_server;
};

} // namespace headway::testing
