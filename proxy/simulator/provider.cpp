// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/provider.h"

#include "proxy/simulator/providerconnection.h"

#include <QMetaMethod>
#include <QTcpServer>
#include <QTimer>

#include <utility>

namespace headway::simulator {

struct Provider::Private
{
    explicit Private(Scenario scenario)
        : state(std::move(scenario))
    {
    }

    ProviderState state;
    QTcpServer server;
};

Provider::Provider(Scenario scenario, QObject *parent)
    : QObject(parent)
    , m_private(std::make_unique<Private>(std::move(scenario)))
{
    // A fan-out dials hundreds at once.
    m_private->server.setListenBacklogSize(4096);
    m_private->server.setMaxPendingConnections(4096);
    connect(&m_private->server, &QTcpServer::newConnection, this, &Provider::takeConnections);
    for (const Fault &fault : m_private->state.faults().instants()) {
        QTimer::singleShot(*fault.at, this, [this, fault] { strike(fault); });
    }
}

Provider::~Provider()
{
    // Connections look into the state while they go: they must go first.
    qDeleteAll(findChildren<ProviderConnection *>(Qt::FindDirectChildrenOnly));
}

tl::expected<quint16, std::string> Provider::listen(const QHostAddress &address, quint16 port)
{
    if (!m_private->server.listen(address, port))
        return tl::unexpected(m_private->server.errorString().toStdString());
    return m_private->server.serverPort();
}

QUrl Provider::webSocketUrl() const
{
    QUrl url;
    url.setScheme(QStringLiteral("ws"));
    url.setHost(m_private->server.serverAddress().toString());
    url.setPort(m_private->server.serverPort());
    url.setPath(QStringLiteral("/v1/responses"));
    return url;
}

void Provider::add(Fault fault)
{
    m_private->state.faults().add(std::move(fault));
}

void Provider::strike(const Fault &fault)
{
    const auto connections = findChildren<ProviderConnection *>(Qt::FindDirectChildrenOnly);
    for (ProviderConnection *connection : connections)
        connection->strike(fault);
}

void Provider::connectNotify(const QMetaMethod &signal)
{
    if (signal == QMetaMethod::fromSignal(&Provider::wire))
        m_private->state.setObserver([this](const WireEvent &event) { Q_EMIT wire(event); });
}

const Statistics &Provider::statistics() const
{
    return m_private->state.statistics();
}

void Provider::takeConnections()
{
    while (QTcpSocket *socket = m_private->server.nextPendingConnection())
        new ProviderConnection(m_private->state, socket, this);
}

} // namespace headway::simulator
