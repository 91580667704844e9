// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/upstream/endpoint.h"
#include "proxy/net/upstream/httpreply.h"

#include <QObject>
#include <QTimer>

#include <chrono>
#include <cstddef>
#include <memory>

namespace headway::net {

class HttpsExchange;
struct HttpsRequest;

// One small HTTPS call on a connection of its own: a request and its whole answer, as the sign-in
// server gives them. A redirect is an answer like any other. One of the two signals comes, once,
// never from within start(); none after the object is gone.
class ShortCall final : public QObject
{
    Q_OBJECT

public:
    static constexpr std::size_t maxBodyBytes = std::size_t{1} << 20U; // of the answer

    explicit ShortCall(QObject *parent = nullptr);
    ~ShortCall() override;

    // `timeout`: for all of it. The endpoint's key, if it has one, goes along.
    void start(const Endpoint &endpoint, HttpsRequest request,
               std::chrono::milliseconds timeout = std::chrono::seconds{30});

Q_SIGNALS:
    void answered(const headway::net::UpgradeReply &reply); // of whatever status, with its body
    void failed(const QString &reason); // names the host, never what was sent or received

private:
    void fail(const QString &reason);

    std::unique_ptr<HttpsExchange> m_exchange;
    UpgradeReply m_reply;
    QTimer m_timer;
    bool m_over = false;
};

} // namespace headway::net
