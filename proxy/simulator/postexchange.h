// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/simulator/providerstate.h"

#include <QObject>
#include <QTcpSocket>

#include <optional>

namespace headway::simulator {

// One HTTP response with a body of known length.
[[nodiscard]] QByteArray httpResponse(int status, const QByteArray &body,
                                      const std::vector<std::pair<QByteArray, QByteArray>> &headers
                                      = {});

// One POST …/responses: the reply as server-sent events or, without `stream`, as one JSON object.
// No memory but that of store:true. Source: protocols.md 1.3, 1.6.
class PostExchange final : public QObject
{
    Q_OBJECT

public:
    // `state` and `socket` outlive the exchange.
    PostExchange(ProviderState &state, QTcpSocket *socket, std::uint64_t connection,
                 QObject *parent);
    ~PostExchange() override;

    void start(const QByteArray &body);
    // Close, Reset, Eof or a Silence without pongs, now.
    void strike(const Fault &fault);

Q_SIGNALS:
    void done(); // answered; the connection may go on

private:
    void run(RunningTurn turn, const std::optional<Fault> &fault);
    void send(const ScriptEvent &event);
    void sendChunk(const QByteArray &bytes);
    void complete(const AcceptedTurn &turn, const EventScript &script);
    void applyFault(const Fault &fault);
    void fail(const ApiError &error);

    ProviderState &m_state;
    QTcpSocket *m_socket;
    std::uint64_t m_connection; // as WireEvent counts them
    bool m_streams = false;
    bool m_headSent = false;
    bool m_inFlight = false;
    bool m_ended = false;
};

} // namespace headway::simulator
