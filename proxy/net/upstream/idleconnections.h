// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/upstream/httpsconnection.h"

#include <QObject>
#include <QString>
#include <QTimer>
#include <QUrl>

#include <chrono>
#include <deque>
#include <memory>

namespace headway::net {

// Kept-alive connections that nobody uses. One is dropped when the provider ends it or says
// anything unasked, after 60 s (silent death cannot be probed over HTTP, and an older one is worth
// less than the turn it would cost), and the oldest when there are too many.
class IdleConnections final : public QObject
{
    Q_OBJECT

public:
    static constexpr std::size_t most = 64;
    static constexpr std::chrono::seconds longest{60};

    explicit IdleConnections(QObject *parent = nullptr);
    ~IdleConnections() override;

    // For another request to the authority of `url`, the one used last. Null: none.
    [[nodiscard]] std::unique_ptr<HttpsConnection> take(const QUrl &url);
    // After an answer that lets the connection live on.
    void keep(const QUrl &url, std::unique_ptr<HttpsConnection> connection);
    [[nodiscard]] std::size_t count(const QUrl &url) const;
    void closeAll(const QString &reason);

Q_SIGNALS:
    // It is closed; `reason` is a word of the ledger: peer_closed, idle_ttl, or what closeAll()
    // got.
    void dropped(const headway::net::HttpsConnection &connection, const QString &reason);

private:
    struct Entry;

    void drop(const QTcpSocket *socket, const QString &reason);
    void expire();
    void setTimer();

    std::deque<Entry> m_entries; // oldest first
    QTimer m_timer;
};

} // namespace headway::net
