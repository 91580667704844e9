// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/simulator/providerstate.h"
#include "proxy/simulator/websocketframes.h"

#include <QObject>
#include <QTcpSocket>

#include <deque>
#include <map>
#include <optional>

namespace headway::simulator {

// One upgraded connection: creates in, events out. Each lane (without lanes only the default one)
// runs one response at a time and remembers the latest one; further creates queue in order. Source:
// protocols.md 1.2 to 1.6.
class WebSocketSession final : public QObject
{
    Q_OBJECT

public:
    // `state` and `socket` outlive the session.
    WebSocketSession(ProviderState &state, QTcpSocket *socket, std::uint64_t connection,
                     QObject *parent);
    ~WebSocketSession() override;

    void read(QByteArrayView bytes);
    // Close, Reset, Eof or a Silence without pongs, now.
    void strike(const Fault &fault);

private:
    struct Memory
    {
        QString id;
        ChainContext context;
    };
    struct Lane
    {
        std::optional<Memory> latest;
        bool busy = false;
        std::uint64_t outstanding = 0; // creates running or queued
    };
    struct Create
    {
        QByteArray lane;
        QJsonObject request;
    };
    struct Parent
    {
        const ChainContext *context = nullptr;
        bool cached = false; // made on this connection
        bool sameLane = false;
    };

    void take(const WebSocketMessage &message);
    void takeText(const QByteArray &text);
    void takeCreate(const QJsonObject &request);
    [[nodiscard]] std::optional<ApiError> checkLane(const QJsonObject &request) const;

    void startWaiting();
    void begin(const Create &create);
    [[nodiscard]] tl::expected<Parent, ApiError> parentOf(const Create &create) const;
    void run(const Create &create, RunningTurn turn, const std::optional<Fault> &fault);
    void complete(const QByteArray &lane, const AcceptedTurn &turn, const EventScript &script);
    void fail(const Create &create, const ApiError &error, bool evict);
    void applyFault(const Create &create, const Fault &fault);
    void release(const QByteArray &lane);

    void expire();
    void sendText(const QByteArray &json);
    void refuse(const ApiError &error, const QByteArray &lane);
    void closeWith(std::uint16_t code, const QByteArray &reason);

    ProviderState &m_state;
    QTcpSocket *m_socket;
    std::uint64_t m_connection; // as WireEvent counts them
    FrameReader m_frames;
    std::map<QByteArray, Lane> m_lanes; // empty name: the default lane
    std::deque<Create> m_waiting;
    std::uint64_t m_running = 0;
    bool m_expired = false;
    bool m_dead = false; // open, but nothing comes any more
    bool m_ended = false; // by us: nothing more is read or counted
};

// Ends a connection the hard ways. Reset: RST. Eof: FIN without a word.
void resetConnection(QTcpSocket *socket);

} // namespace headway::simulator
