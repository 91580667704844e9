// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/simulator/httpmessage.h"
#include "proxy/simulator/providerstate.h"

#include <QObject>
#include <QTcpSocket>

namespace headway::simulator {

class PostExchange;
class WebSocketSession;

// One TCP connection to the provider: HTTP requests one after the other, or an upgrade that is
// answered with a real status. Deletes itself when the connection ends.
class ProviderConnection final : public QObject
{
    Q_OBJECT

public:
    // Takes `socket` over.
    ProviderConnection(ProviderState &state, QTcpSocket *socket, QObject *parent);
    ~ProviderConnection() override;

    // Close, Reset, Eof or a Silence without pongs, now; a connection without a WebSocket or a
    // running POST stays.
    void strike(const Fault &fault);

private:
    void readMore();
    void readRequests();
    void handle(const MessageHead &head, const QByteArray &body);
    void takeUpgrade(const MessageHead &head);
    struct Refusal
    {
        int status = 403;
        QByteArray body;
        std::optional<base::Milliseconds> retryAfter;
        std::vector<std::pair<QByteArray, QByteArray>> headers;
    };
    void refuseUpgrade(const Refusal &refusal, const QByteArray &asked);
    void acceptUpgrade(const QByteArray &key, const QByteArray &asked);
    void answerAndClose(const QByteArray &response);

    ProviderState &m_state;
    QTcpSocket *m_socket;
    std::uint64_t m_number; // as WireEvent counts them
    QByteArray m_buffer;
    std::optional<MessageHead> m_head; // of the request whose body is being read
    BodyReader m_bodyReader;
    QByteArray m_body;
    bool m_busy = false; // a request is being answered
    bool m_admitted = false; // counts as an open socket
    WebSocketSession *m_session = nullptr;
    PostExchange *m_exchange = nullptr;
};

} // namespace headway::simulator
