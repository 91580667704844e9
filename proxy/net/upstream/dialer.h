// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/upstream/outboundproxy.h"
#include "proxy/net/upstream/upgradereader.h"
#include "proxy/net/upstream/upgraderequest.h"

#include <QObject>
#include <QSslError>
#include <QTcpSocket>
#include <QTimer>

#include <chrono>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

class QSslSocket;

namespace headway::net {

// Takes one connection from a name to an answered upgrade: outbound proxy, TCP, TLS, HTTP. Exactly
// one of its three signals is emitted, never from within start().
class Dialer final : public QObject
{
    Q_OBJECT

public:
    using Headers = std::vector<std::pair<std::string, std::string>>;

    explicit Dialer(QObject *parent = nullptr);
    ~Dialer() override;

    void start(const Endpoint &endpoint, const Headers &headers, std::chrono::milliseconds timeout);

    // After upgraded(): the connection, with this object's connections cut. Plain ones are
    // unbuffered: what is not read stays in the kernel.
    [[nodiscard]] QTcpSocket *takeSocket();
    [[nodiscard]] bool isTls() const { return m_tls != nullptr; }
    [[nodiscard]] std::uint64_t bytesUp() const { return m_bytesUp; }
    [[nodiscard]] std::uint64_t bytesDown() const { return m_bytesDown; }

Q_SIGNALS:
    // `frames` arrived behind the 101 and are valid during the call.
    void upgraded(const headway::net::UpgradeReply &reply, std::string_view frames);
    void refused(const headway::net::UpgradeReply &reply);
    void failed(const QString &reason);
    void seen();

private:
    enum class Stage : std::uint8_t { Idle, Connecting, Securing, Upgrading, Over };

    [[nodiscard]] tl::expected<void, QString> prepare(const Endpoint &endpoint,
                                                      const Headers &headers);
    void connectSocket();
    void onConnected();
    void onTlsErrors(const QList<QSslError> &errors);
    void sendUpgrade();
    void onReadyRead();
    void onError(QAbstractSocket::SocketError error);
    void onTimeout();
    void answer(UpgradeReader::Progress progress);
    void fail(const QString &reason);
    [[nodiscard]] QString where() const; // host:port

    QString m_host;
    quint16 m_port = 0;
    OutboundProxy m_proxy;
    UpgradeRequest m_request;
    std::unique_ptr<UpgradeReader> m_reader;
    std::unique_ptr<QTcpSocket> m_socket;
    QSslSocket *m_tls = nullptr; // m_socket, when it is one
    QList<QSslError> m_tlsErrors;
    QTimer m_timer;
    std::chrono::milliseconds m_timeout{};
    std::uint64_t m_bytesUp = 0;
    std::uint64_t m_bytesDown = 0;
    Stage m_stage = Stage::Idle;
};

} // namespace headway::net
