// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/engine/turnchain.h"

#include <QObject>

#include <deque>
#include <string>

namespace headway::net {
class ClientSocket;
} // namespace headway::net

namespace headway::engine {

class Doors;

// One client WebSocket on the Responses door: its creates run one after the other, in order, each
// on whatever upstream connection suits it. Lives as long as the socket.
class SocketDoor final : public QObject
{
    Q_OBJECT

public:
    SocketDoor(Doors &doors, net::ClientSocket *socket);

private:
    void received(const std::string &text);
    void next();

    Doors &m_doors;
    net::ClientSocket *m_socket;
    TurnChain m_chain;
    std::deque<std::string> m_waiting;
    bool m_busy = false;
};

} // namespace headway::engine
