// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/upstream/dialstage.h"
#include "proxy/net/upstream/endpoint.h"
#include "proxy/net/upstream/httpreply.h"

#include <QObject>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headway::net {

// One WebSocket to the provider: QSslSocket, llhttp for the upgrade, wslay for frames. It decides
// nothing. One of opened, rejected, failed comes first; after opened exactly one closed. All calls
// and signals on its thread; it never deletes itself, and may be deleted in a slot of any signal.
class UpstreamSocket : public QObject
{
    Q_OBJECT

public:
    explicit UpstreamSocket(QObject *parent = nullptr);
    ~UpstreamSocket() override;

    // Dials, upgrades. `headers` go out besides Host, Upgrade, Connection, Sec-WebSocket-*; besides
    // them Authorization: Bearer with the endpoint's key and User-Agent unless `headers` has its
    // own. Fails after `timeout`. Outbound proxy variables hold (outboundproxy.h), SSL_CERT_FILE
    // too. Once per object; no signal comes from within the call.
    void open(const Endpoint &endpoint,
              const std::vector<std::pair<std::string, std::string>> &headers,
              std::chrono::milliseconds timeout = std::chrono::seconds{15});

    void
    sendText(std::string_view message); // one text message, fragmented so that pings get through
    void ping();
    void close(std::uint16_t code); // closing handshake, then TCP
    void abort(); // TCP at once

    // Read back-pressure: while paused at most one read buffer is taken from the kernel.
    void setReadingPaused(bool paused);

    [[nodiscard]] bool isOpen() const;
    [[nodiscard]] std::uint64_t bytesUp() const;
    [[nodiscard]] std::uint64_t bytesDown() const;
    [[nodiscard]] std::size_t buffered() const; // bytes not yet taken by the kernel

Q_SIGNALS:
    void opened(const headway::net::UpgradeReply &reply);
    void rejected(const headway::net::UpgradeReply &reply); // any HTTP answer but 101
    // Name not found, refused, TLS, timeout, broken answer.
    void failed(const QString &reason, headway::net::DialStage stage);
    // A whole text message. The view is valid during the call, with `capacity` readable bytes from
    // its start (at least 64 more than its size).
    void received(std::string_view message, std::size_t capacity);
    void ponged();
    void seen(); // any bytes arrived
    void closed(quint16 code, const QString &reason); // 1006 without a close frame; 1009 too big …

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace headway::net
