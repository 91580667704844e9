// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/net/listener/listener.h"

#include <QPointer>
#include <QTest>

#include <functional>
#include <string>
#include <vector>

namespace headway::net {

// A listener on a free port with an engine of the test's making behind it. Notes what reaches the
// engine; answers with `reply`, which may be empty to leave exchanges open.
class ListeningPost final : public QObject
{
public:
    using Handler = std::function<void(Exchange &)>;

    explicit ListeningPost(Handler reply = {}, ListenerSettings settings = {},
                           const ListenerTimes &times = {})
        : listener(prepared(std::move(settings)), times)
        , m_reply(std::move(reply))
    {
        connect(&listener, &Listener::requested, this, &ListeningPost::take);
        connect(&listener, &Listener::upgraded, this,
                [this](ClientSocket *socket) { sockets.push_back(socket); });
        const auto taken = listener.listen();
        if (taken)
            port = *taken;
    }

    // Answers every request with what came in.
    static void echo(Exchange &exchange)
    {
        const std::string body = exchange.takeBody();
        exchange.respond(200, {{"content-type", "text/plain"}}, body);
    }

    Listener listener;
    quint16 port = 0;
    int requests = 0;
    int gone = 0; // clientGone signals
    std::vector<QPointer<Exchange>> exchanges;
    std::vector<QPointer<ClientSocket>> sockets;

private:
    static ListenerSettings prepared(ListenerSettings settings)
    {
        settings.port = 0;
        return settings;
    }

    void take(Exchange *exchange)
    {
        ++requests;
        exchanges.emplace_back(exchange);
        connect(exchange, &Exchange::clientGone, this, [this] { ++gone; });
        if (m_reply)
            m_reply(*exchange);
    }

    Handler m_reply;
};

// "POST /v1/messages" with a body and whatever else the test wants in its head.
inline QByteArray post(const QByteArray &body, const QByteArray &extra = {},
                       const QByteArray &path = "/v1/messages")
{
    return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\n" + extra
        + "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
}

} // namespace headway::net
