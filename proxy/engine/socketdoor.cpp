// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/engine/socketdoor.h"

#include "proxy/engine/doors.h"
#include "proxy/net/listener/clientsocket.h"

#include <utility>

namespace headway::engine {

namespace {

constexpr std::size_t mostWaiting = 32;
constexpr std::uint16_t closePolicyViolation = 1008;

} // namespace

SocketDoor::SocketDoor(Doors &doors, net::ClientSocket *socket)
    : QObject(socket)
    , m_doors(doors)
    , m_socket(socket)
{
    connect(socket, &net::ClientSocket::received, this, &SocketDoor::received);
}

void SocketDoor::received(const std::string &text)
{
    if (m_waiting.size() >= mostWaiting) {
        m_socket->close(closePolicyViolation, "too many response.create queued");
        return;
    }
    m_waiting.push_back(text);
    next();
}

void SocketDoor::next()
{
    while (!m_busy && !m_waiting.empty()) {
        const std::string text = std::move(m_waiting.front());
        m_waiting.pop_front();
        TurnRun *const run = m_doors.create(m_socket, m_chain, text);
        if (!run || run->isOver())
            continue;
        m_busy = true;
        connect(run, &TurnRun::ended, this, [this, run](bool completed) {
            m_busy = false;
            if (completed)
                m_chain.remember(run->responseId(), run->request(), run->echoedItems());
            next();
        });
    }
}

} // namespace headway::engine
