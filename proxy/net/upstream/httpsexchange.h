// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/upstream/connector.h"
#include "proxy/net/upstream/httpreplyreader.h"
#include "proxy/net/upstream/httpsconnection.h"
#include "proxy/net/upstream/requestfields.h"

#include <QObject>
#include <QTimer>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace headway::net {

struct HttpsRequest
{
    std::string method = "POST";
    std::string target = {}; // path and query; empty: the endpoint's
    RequestHeaders headers = {}; // besides those of requestFields() and Content-Length
    std::string body = {};
};

// One HTTP/1.1 request and its answer, on a new connection or on one that an earlier exchange left.
// It decides nothing; a redirect is an answer like any other and is not followed. All calls and
// signals on its thread. It must not be destroyed within one of its signals (deleteLater() may be
// called); after abort() no signal comes.
class HttpsExchange final : public QObject
{
    Q_OBJECT

public:
    enum class Stage : std::uint8_t {
        Connecting, // name, proxy, TCP, TLS; or the request cannot be sent at all
        Exchanging, // the connection stood: lost, silent for too long, or not HTTP
    };

    explicit HttpsExchange(QObject *parent = nullptr);
    ~HttpsExchange() override;

    // Once per object; no signal comes from within the call. Without `reused`, connects first and
    // fails after `timeout`; the variables of outboundproxy.h and trust.h hold.
    void start(const Endpoint &endpoint, HttpsRequest request,
               std::unique_ptr<HttpsConnection> reused = {},
               std::chrono::milliseconds timeout = std::chrono::seconds{15});
    // Fails once no byte went either way for that long. Stands still while reading is paused.
    void setIdleTimeout(std::chrono::milliseconds timeout);
    void abort(); // TCP at once
    // Read back-pressure: while paused at most one read buffer is taken from the kernel.
    void setReadingPaused(bool paused);

    // In finished(): the connection, when another request may follow on it. Else null.
    [[nodiscard]] std::unique_ptr<HttpsConnection> takeConnection();
    [[nodiscard]] std::uint64_t bytesUp() const; // of the connection
    [[nodiscard]] std::uint64_t bytesDown() const;

Q_SIGNALS:
    void connected(); // the request goes out now
    void sent(); // the kernel has all of it
    void answered(const headway::net::UpgradeReply &head); // its body follows, if it has one
    void received(std::string_view bytes); // of the body, decoded; valid during the call
    void finished(); // the body is whole
    void failed(headway::net::HttpsExchange::Stage stage, const QString &reason);

private:
    enum class Phase : std::uint8_t { Idle, Connecting, Exchanging, Over };

    void onConnected();
    void exchange();
    void pump();
    void readAvailable();
    void readLater();
    void deliver(HttpReplyReader::Progress progress);
    void complete();
    void onLost();
    void fail(Stage stage, const QString &reason);
    void touch();
    [[nodiscard]] bool reads() const;
    [[nodiscard]] qint64 unsent() const;

    std::unique_ptr<Connector> m_connector;
    std::unique_ptr<HttpsConnection> m_connection;
    QString m_where;
    std::string m_head; // of the request
    std::string m_body;
    std::size_t m_written = 0; // of both
    HttpReplyReader m_reader;
    QTimer m_idle;
    Phase m_phase = Phase::Idle;
    bool m_sentAll = false;
    bool m_headOut = false; // answered() was emitted
    bool m_paused = false;
    bool m_lost = false; // TCP is gone; what it left is still to be read
    bool m_readQueued = false;
    bool m_inRead = false; // within the socket's read(), where it must not be aborted
};

} // namespace headway::net
