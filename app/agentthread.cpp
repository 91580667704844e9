// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agentthread.h"

#include "app/demoagents.h"
#include "proxy/simulator/agents.h"

#include <QMetaObject>
#include <QUrl>

namespace headway::app {

namespace {

using namespace std::chrono_literals;

// One agent a session: the others of a session would wait for the end of its first turn.
void startLoad(quint16 port, int turns, QObject *parent)
{
    simulator::FleetOptions options;
    options.baseUrl = QUrl(QStringLiteral("http://127.0.0.1:%1").arg(port));
    options.count = turns;
    options.sessions = turns;
    options.turns = 0; // until the load ends
    options.turnsPerConversation = 1; // what grows is not the agents' memory, nor the provider's
    options.think = {0ms, 0ms};
    (new simulator::AgentFleet(options, parent))->start();
}

} // namespace

AgentThread::AgentThread()
    : m_context(new QObject)
{
    m_thread.setObjectName(QStringLiteral("simulated agents"));
    m_context->moveToThread(&m_thread);
    QObject::connect(&m_thread, &QThread::finished, m_context, &QObject::deleteLater);
    m_thread.start();
}

AgentThread::~AgentThread()
{
    m_thread.quit();
    m_thread.wait();
}

void AgentThread::start(quint16 port, const Load &load)
{
    QMetaObject::invokeMethod(m_context, [context = m_context, port, load] {
        if (load.turns > 0)
            startLoad(port, load.turns, context);
        else
            (new DemoAgents(context))->start(port);
    });
}

} // namespace headway::app
