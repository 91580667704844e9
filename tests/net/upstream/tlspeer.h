// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/net/upstream/serverframes.h"
#include "tests/net/upstream/testauthority.h"

#include <QPointer>
#include <QSslConfiguration>
#include <QSslSocket>
#include <QTcpServer>

#include <utility>

namespace headway::testing {

// A wss server with one identity: answers the upgrade and collects the client's frames.
class TlsPeer final : public QTcpServer
{
public:
    explicit TlsPeer(Identity identity)
        : m_identity(std::move(identity))
    {
        if (!listen(QHostAddress::LocalHost))
            qFatal("no port to listen on");
    }

    [[nodiscard]] QUrl url(const QString &host) const
    {
        return QUrl(QStringLiteral("wss://%1:%2/v1/responses").arg(host).arg(serverPort()));
    }

    QPointer<QSslSocket> socket; // the latest
    QByteArray greeting; // goes out in one write with the 101
    QByteArray requestHead;
    QByteArray received;
    std::vector<ClientFrame> frames;
    int connections = 0;

protected:
    void incomingConnection(qintptr handle) override
    {
        ++connections;
        auto *next = new QSslSocket(this);
        socket = next;
        next->setSocketDescriptor(handle);
        next->setLocalCertificate(m_identity.certificate);
        next->setPrivateKey(m_identity.key);
        QSslConfiguration tls = next->sslConfiguration();
        tls.setAllowedNextProtocols({"h2", "http/1.1"});
        next->setSslConfiguration(tls);
        connect(next, &QSslSocket::readyRead, this, [this, next] { read(next); });
        next->startServerEncryption();
    }

private:
    void read(QSslSocket *next)
    {
        received += next->readAll();
        if (requestHead.isEmpty()) {
            const qsizetype end = received.indexOf("\r\n\r\n");
            if (end < 0)
                return;
            requestHead = received.left(end + 4);
            received.remove(0, end + 4);
            next->write(QByteArray(switchingProtocols(requestHead) + greeting));
        }
        takeFrames(received, frames);
    }

    Identity m_identity;
};

} // namespace headway::testing
