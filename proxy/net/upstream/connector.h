// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/upstream/outboundproxy.h"

#include <QObject>
#include <QSslError>
#include <QTcpSocket>
#include <QTimer>

#include <chrono>
#include <memory>
#include <tl/expected.hpp>

class QSslSocket;

namespace headway::net {

// Takes one connection from a name to a stream of bytes: outbound proxy, TCP, TLS with the peer
// verified. Whatever is spoken on it (an upgrade, HTTPS) comes after. Exactly one of its two
// signals is emitted, never from within start().
class Connector final : public QObject
{
    Q_OBJECT

public:
    explicit Connector(QObject *parent = nullptr);
    ~Connector() override;

    // `url`: wss, or ws to loopback (endpoint.h). The variables of outboundproxy.h and trust.h
    // hold.
    void start(const QUrl &url, std::chrono::milliseconds timeout);

    // After connected(): the connection, with this object's connections cut. Plain ones are
    // unbuffered: what is not read stays in the kernel.
    [[nodiscard]] std::unique_ptr<QTcpSocket> takeSocket();
    [[nodiscard]] const QString &where() const { return m_where; } // host:port, for sentences

Q_SIGNALS:
    void connected();
    void failed(const QString &reason);

private:
    enum class Stage : std::uint8_t { Idle, Connecting, Securing, Over };

    [[nodiscard]] tl::expected<void, QString> prepare(const QUrl &url);
    void connectSocket();
    void onConnected();
    void onTlsErrors(const QList<QSslError> &errors);
    void onError(QAbstractSocket::SocketError error);
    void onTimeout();
    void succeed();
    void fail(const QString &reason);

    QString m_host;
    quint16 m_port = 0;
    QString m_where;
    OutboundProxy m_proxy;
    std::unique_ptr<QTcpSocket> m_socket;
    QSslSocket *m_tls = nullptr; // m_socket, when it is one
    QList<QSslError> m_tlsErrors;
    QTimer m_timer;
    std::chrono::milliseconds m_timeout{};
    Stage m_stage = Stage::Idle;
};

} // namespace headway::net
