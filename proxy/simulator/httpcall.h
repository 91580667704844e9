// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/simulator/httpmessage.h"

#include <QObject>
#include <QTcpSocket>

#include <cstdint>
#include <optional>

namespace headway::simulator {

// One keep-alive HTTP/1.1 connection of one agent; one POST at a time. QNetworkAccessManager would
// not do: it lets six requests through to a host. After post() exactly one of finished and failed
// comes.
class HttpCall final : public QObject
{
    Q_OBJECT

public:
    HttpCall(QString host, quint16 port, QObject *parent);
    ~HttpCall() override { m_socket.disconnect(this); } // a socket signals while it goes

    // `headers`: whole lines, each with its CRLF; Host, Content-Length and Connection are added.
    void post(const QByteArray &target, const QByteArray &headers, const QByteArray &body);
    // Drops the connection without a signal.
    void abort();

Q_SIGNALS:
    void headArrived(const headway::simulator::MessageHead &head);
    void bodyArrived(const QByteArray &bytes);
    void finished(); // the body is complete
    void failed(const QString &reason); // not connected, reset, cut, or not HTTP

private:
    void dial();
    void read();
    void disconnected();
    void endWith(const QString &reason);

    QString m_host;
    quint16 m_port;
    QTcpSocket m_socket;
    QByteArray m_request;
    QByteArray m_buffer;
    std::optional<MessageHead> m_head;
    BodyReader m_body;
    bool m_running = false;
    bool m_reused = false; // the connection has served a request before
};

} // namespace headway::simulator
