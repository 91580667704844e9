// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/dialects/eventstream.h"
#include "proxy/net/upstream/httpsexchange.h"

#include <QObject>
#include <QTimer>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

namespace headway::net {

// One POST that is answered with server-sent events, told as they arrive. Of `refused`, `ended` and
// `failed` one comes, once, and it is the last signal. Otherwise as HttpsExchange says: all on its
// thread, deleteLater() within signals, none after abort(), none from within start().
class EventStreamCall final : public QObject
{
    Q_OBJECT

public:
    static constexpr std::size_t maxBodyBytes = std::size_t{64} << 10U; // of a refusal
    static constexpr std::chrono::seconds longestRefusal{5}; // for its body to come

    explicit EventStreamCall(QObject *parent = nullptr);
    ~EventStreamCall() override;

    // `body` is JSON; Content-Type and Accept are set here. `reused` and `timeout` as there.
    void start(const Endpoint &endpoint, const RequestHeaders &headers, std::string body,
               std::unique_ptr<HttpsConnection> reused = {},
               std::chrono::milliseconds timeout = std::chrono::seconds{15});
    void setIdleTimeout(std::chrono::milliseconds timeout);
    void abort();
    void setReadingPaused(bool paused); // no event comes while paused
    // In refused() and ended(): the connection, when it may be used again. Else null.
    [[nodiscard]] std::unique_ptr<HttpsConnection> takeConnection();
    [[nodiscard]] std::uint64_t bytesUp() const; // of the connection
    [[nodiscard]] std::uint64_t bytesDown() const;

Q_SIGNALS:
    void connected(); // the request goes out now
    void sent(); // the kernel has all of it
    void accepted(const headway::net::UpgradeReply &head); // 200 with events to come
    // Anything else, a redirect among it; the body is whole or its first 64 KiB.
    void refused(const headway::net::UpgradeReply &reply);
    // The data of an event. Valid during the call, with `capacity` readable bytes from its start.
    void received(std::string_view data, std::size_t capacity);
    void ended(); // the stream is over, as HTTP says
    void failed(headway::net::HttpsExchange::Stage stage, const QString &reason);

private:
    void onAnswered(const UpgradeReply &head);
    void onReceived(std::string_view bytes);
    void onFinished();
    void onFailed(HttpsExchange::Stage stage, const QString &reason);
    void deliver(std::string_view bytes);
    void deliverPending();
    void refuse();
    void stop();

    HttpsExchange m_exchange;
    dialects::EventStreamReader m_events;
    UpgradeReply m_refusal; // status 0: none
    std::string m_pending; // arrived, not told: reading was paused in the middle of it
    std::unique_ptr<HttpsConnection> m_connection;
    std::uint64_t m_bytesUp = 0; // once the exchange has let go of the connection
    std::uint64_t m_bytesDown = 0;
    QTimer m_refusalTimer;
    bool m_paused = false;
    bool m_finished = false; // ended() follows m_pending
    bool m_over = false;
};

} // namespace headway::net
