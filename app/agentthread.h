// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/load.h"

#include <QObject>
#include <QThread>

namespace headway::app {

// The simulated agents on a thread of their own: the window does not pay for them.
class AgentThread final
{
public:
    AgentThread();
    ~AgentThread(); // drops their connections and joins
    AgentThread(const AgentThread &) = delete;
    AgentThread &operator=(const AgentThread &) = delete;

    // The demo's agents, or as many as the load wants, on the proxy at this loopback port.
    void start(quint16 port, const Load &load);

private:
    QThread m_thread;
    QObject *m_context; // lives on the thread; owns the agents
};

} // namespace headway::app
