// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/upstream/connector.h"
#include "proxy/net/upstream/dialstage.h"
#include "proxy/net/upstream/upgradereader.h"
#include "proxy/net/upstream/upgraderequest.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTcpSocket>
#include <QTimer>

#include <chrono>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace headway::net {

// Takes one connection from a name to an answered upgrade. Exactly one of its three signals is
// emitted, never from within start().
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
    [[nodiscard]] std::uint64_t bytesUp() const { return m_bytesUp; }
    [[nodiscard]] std::uint64_t bytesDown() const { return m_bytesDown; }

Q_SIGNALS:
    // `frames` arrived behind the 101 and are valid during the call.
    void upgraded(const headway::net::UpgradeReply &reply, std::string_view frames);
    void refused(const headway::net::UpgradeReply &reply);
    void failed(const QString &reason, headway::net::DialStage stage);
    void seen();

private:
    void onConnected();
    void onReadyRead();
    void onError();
    void onTimeout();
    void answer(UpgradeReader::Progress progress);
    void fail(const QString &reason);

    Connector m_connector;
    UpgradeRequest m_request;
    std::unique_ptr<UpgradeReader> m_reader;
    std::unique_ptr<QTcpSocket> m_socket;
    bool m_isTls = false;
    QElapsedTimer m_elapsed;
    QTimer m_timer; // of the upgrade: what the connection left of the timeout
    std::chrono::milliseconds m_timeout{};
    std::uint64_t m_bytesUp = 0;
    std::uint64_t m_bytesDown = 0;
    bool m_connected = false;
    bool m_isOver = false;
};

} // namespace headway::net
