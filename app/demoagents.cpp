// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demoagents.h"

#include "proxy/simulator/agents.h"

#include <QUrl>

#include <chrono>

namespace headway::app {

namespace {

using namespace std::chrono_literals;

constexpr auto betweenFanOuts = 45s;
constexpr int steadyAgents = 6;
constexpr int fanOutAgents = 40;
constexpr int fanOutTurns = 4;

QUrl proxyUrl(quint16 port)
{
    return QUrl(QStringLiteral("http://127.0.0.1:%1").arg(port));
}

} // namespace

DemoAgents::DemoAgents(QObject *parent)
    : QObject(parent)
{
    connect(&m_next, &QTimer::timeout, this, &DemoAgents::fanOut);
}

void DemoAgents::start(quint16 port)
{
    m_port = port;
    steady();
    fanOut();
    m_next.start(betweenFanOuts);
}

void DemoAgents::steady()
{
    simulator::FleetOptions options;
    options.baseUrl = proxyUrl(m_port);
    options.count = steadyAgents;
    options.sessions = 3;
    options.turns = 0; // until the demo ends
    options.think = {1s, 6s};
    options.seed = 1;
    (new simulator::AgentFleet(options, this))->start();
}

void DemoAgents::fanOut()
{
    simulator::FleetOptions options;
    options.baseUrl = proxyUrl(m_port);
    options.count = fanOutAgents;
    options.sessions = 1;
    options.turns = fanOutTurns;
    options.think = {500ms, 3s};
    options.seed = 100 + ++m_round;
    auto *const fleet = new simulator::AgentFleet(options, this);
    connect(fleet, &simulator::AgentFleet::finished, fleet, &QObject::deleteLater);
    fleet->start();
}

} // namespace headway::app
