// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/upstream/endpoint.h"
#include "tests/net/upstream/testauthority.h"

#include <QPointer>
#include <QSslConfiguration>
#include <QSslSocket>
#include <QTcpServer>
#include <QTcpSocket>

#include <functional>
#include <optional>
#include <sys/socket.h>
#include <utility>

namespace headway::testing {

// A server for whole HTTP requests with a Content-Length: counts them and answers with exactly the
// bytes it was told; kept-alive connections may carry several.
class HttpPeer final : public QTcpServer
{
public:
    struct Request
    {
        QByteArray head;
        QByteArray body;
    };
    using Answer = std::function<QByteArray(const Request &request)>;

    explicit HttpPeer(Answer answer, std::optional<Identity> identity = {})
        : m_answer(std::move(answer))
        , m_identity(std::move(identity))
    {
        if (!listen(QHostAddress::LocalHost))
            qFatal("no port to listen on");
    }

    [[nodiscard]] net::Endpoint endpoint() const
    {
        net::Endpoint result;
        const QString start = m_identity ? QStringLiteral("wss://localhost:%1%2")
                                         : QStringLiteral("ws://127.0.0.1:%1%2");
        result.url = QUrl(start.arg(serverPort()).arg(QStringLiteral("/v1/responses")));
        result.name = "http peer";
        result.key = "sk-secret";
        return result;
    }

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
    QList<Request> requests;
    QByteArray received; // of the latest, not yet a request
    int connections = 0;
    bool reading = true;

protected:
    void incomingConnection(qintptr handle) override
    {
        ++connections;
        received.clear();
        auto *tls = m_identity ? new QSslSocket(this) : nullptr;
        QTcpSocket *next = tls ? tls : new QTcpSocket(this);
        socket = next;
        next->setSocketDescriptor(handle);
        connect(next, &QTcpSocket::readyRead, this, [this, next] { read(next); });
        if (!tls)
            return;
        tls->setLocalCertificate(m_identity->certificate);
        tls->setPrivateKey(m_identity->key);
        tls->startServerEncryption();
    }

private:
    void read(QTcpSocket *from)
    {
        if (!reading)
            return;
        received += from->readAll();
        while (true) {
            const qsizetype end = received.indexOf("\r\n\r\n");
            if (end < 0)
                return;
            const QByteArray head = received.left(end + 4);
            const qsizetype at = head.indexOf("Content-Length: ") + 16;
            const qsizetype size = head.mid(at, head.indexOf('\r', at) - at).toLongLong();
            if (received.size() < head.size() + size)
                return;
            requests.append({head, received.mid(head.size(), size)});
            received.remove(0, head.size() + size);
            from->write(m_answer(requests.last()));
        }
    }

    Answer m_answer;
    std::optional<Identity> m_identity;
};

[[nodiscard]] inline QByteArray chunk(const QByteArray &bytes)
{
    return QByteArray::number(static_cast<qlonglong>(bytes.size()), 16) + "\r\n" + bytes + "\r\n";
}

inline constexpr auto streamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; "
                                   "charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n";

} // namespace headway::testing
