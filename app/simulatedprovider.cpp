// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/simulatedprovider.h"

#include "app/commandline.h"
#include "proxy/simulator/provider.h"

#include <QFile>
#include <QMetaObject>

#include <memory>
#include <string>
#include <utility>

namespace headway::app {

SimulatedProvider::SimulatedProvider()
    : m_context(new QObject)
{
    m_thread.setObjectName(QStringLiteral("simulated provider"));
    m_context->moveToThread(&m_thread);
    QObject::connect(&m_thread, &QThread::finished, m_context, &QObject::deleteLater);
}

SimulatedProvider::~SimulatedProvider()
{
    m_thread.quit();
    m_thread.wait();
}

tl::expected<std::unique_ptr<SimulatedProvider>, QString>
SimulatedProvider::start(simulator::Scenario scenario)
{
    std::unique_ptr<SimulatedProvider> self(new SimulatedProvider);
    self->m_thread.start();
    tl::expected<quint16, std::string> port;
    QMetaObject::invokeMethod(
        self->m_context,
        [&] {
            auto *const provider = new simulator::Provider(std::move(scenario), self->m_context);
            port = provider->listen(QHostAddress(QHostAddress::LocalHost), 0);
        },
        Qt::BlockingQueuedConnection);
    if (!port)
        return tl::unexpected(QString::fromStdString(port.error()));
    self->m_port = *port;
    return self;
}

QString SimulatedProvider::url() const
{
    return QStringLiteral("ws://127.0.0.1:%1/v1/responses").arg(m_port);
}

namespace {

tl::expected<simulator::Scenario, QString> scenarioOf(const QString &file)
{
    if (file.isEmpty())
        return simulator::defaultScenario();
    QFile source(file);
    if (!source.open(QIODevice::ReadOnly))
        return tl::unexpected(
            QStringLiteral("cannot read the scenario %1: %2").arg(file, source.errorString()));
    auto scenario = simulator::parseScenario(source.readAll());
    if (!scenario)
        return tl::unexpected(
            QStringLiteral("%1: %2").arg(file, QString::fromStdString(scenario.error())));
    return *std::move(scenario);
}

} // namespace

tl::expected<simulator::Scenario, QString> readScenario(const QString &file, bool lanes)
{
    auto scenario = scenarioOf(file);
    if (scenario && lanes)
        scenario->lanes = true;
    return scenario;
}

void addLanesOption(CommandLine &line)
{
    line.add(QStringLiteral("lanes"),
             QStringLiteral("The simulated provider has lanes: up to 16 turns share a connection, "
                            "each on a stream_id of its own, as with the public endpoint (default: "
                            "as its scenario says, which is without)."));
}

} // namespace headway::app
