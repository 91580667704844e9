// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/proxyfixture.h"

#include "proxy/net/clock.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>
#include <utility>

namespace headway::tests {

ProxyFixture::ProxyFixture(simulator::Scenario scenario)
    : m_provider(std::make_unique<simulator::Provider>(std::move(scenario)))
    , m_wire(std::make_unique<WireLog>(*m_provider))
{
    m_provider->listen(QHostAddress(QHostAddress::LocalHost), 0).value();
    m_upstream = m_provider->webSocketUrl();
    setDefaults();
}

ProxyFixture::ProxyFixture(const QUrl &upstream)
    : m_upstream(upstream)
{
    setDefaults();
}

void ProxyFixture::setDefaults()
{
    (void)settings.set(settings::Source::File, settings::Key::Lanes, "off");
    (void)settings.set(settings::Source::File, settings::Key::Policy, "bucket");
}

ProxyFixture::~ProxyFixture() = default;

void ProxyFixture::start()
{
    engine::EngineOptions options;
    options.settings = settings;
    options.endpoint = net::parseEndpoint(m_upstream.toString().toStdString()).value();
    options.endpoint.name = "simulated";
    if (endpoint)
        options.endpoint = *endpoint;
    options.plan = plan;
    options.anthropic = anthropic;
    options.headerProfiles = headerProfiles;
    options.port = 0;
    options.accessKey = accessKey;
    options.controlKey = "control-key-of-the-test";
    options.models = models;
    options.anyModel = anyModel;
    options.openTimeout = openTimeout;
    options.ledgerPath = ledgerPath();
    options.installKeyPath = m_folder.filePath(QStringLiteral("install.key"));
    options.ceilingPath = m_folder.filePath(QStringLiteral("ceilings.json"));
    m_engine = std::make_unique<engine::Engine>(std::move(options));
    m_port = m_engine->start().value();
}

void ProxyFixture::stop()
{
    m_engine.reset();
}

void ProxyFixture::passTime(std::chrono::milliseconds time)
{
    net::passTime(time, time);
    m_engine->catchUp();
}

void ProxyFixture::passTimeAsleep(std::chrono::milliseconds time)
{
    net::passTime({}, time);
    m_engine->catchUp();
}

bool ProxyFixture::passTimeAlive(std::chrono::seconds time)
{
    constexpr std::chrono::seconds step{15};
    for (std::chrono::seconds passed{0}; passed < time; passed += step) {
        const qsizetype pings = wire().pings();
        passTime(std::min(step, time - passed));
        // Its pong is on the way when the provider has seen a ping; the proxy reads it before the
        // next one goes out.
        if (!QTest::qWaitFor([&] { return wire().pings() > pings; }, 200))
            continue;
        QCoreApplication::processEvents();
    }
    return wire().gone().isEmpty();
}

void ProxyFixture::set(settings::Key key, std::string_view value)
{
    if (!settings.set(settings::Source::File, key, std::string(value)).accepted)
        qFatal("the setting was not accepted");
}

live::TurnRow ProxyFixture::turn() const
{
    const live::SnapshotPointer snapshot = m_engine->snapshot();
    return snapshot->turns.empty() ? live::TurnRow{} : snapshot->turns.front();
}

QString ProxyFixture::ledgerPath() const
{
    return m_folder.filePath(QStringLiteral("ledger.sqlite"));
}

std::unique_ptr<HttpCall> ProxyFixture::post(const QByteArray &path, const QByteArray &body,
                                             const QByteArray &session,
                                             const QByteArray &agent) const
{
    HttpCall::Headers headers{{"content-type", "application/json"},
                              {"anthropic-version", "2023-06-01"}};
    if (!session.isEmpty())
        headers.append({"X-Claude-Code-Session-Id", session});
    if (!agent.isEmpty())
        headers.append({"x-claude-code-agent-id", agent});
    return std::make_unique<HttpCall>(m_port, "POST", path, headers, body);
}

QByteArray messagesBody(const QList<QByteArray> &texts, bool stream)
{
    QJsonArray messages;
    for (qsizetype i = 0; i < texts.size(); ++i) {
        const QString role = i % 2 == 0 ? QStringLiteral("user") : QStringLiteral("assistant");
        messages.append(QJsonObject{{QStringLiteral("role"), role},
                                    {QStringLiteral("content"), QString::fromUtf8(texts.at(i))}});
    }
    return QJsonDocument(QJsonObject{{QStringLiteral("model"), QStringLiteral("test-model")},
                                     {QStringLiteral("max_tokens"), 100},
                                     {QStringLiteral("stream"), stream},
                                     {QStringLiteral("messages"), messages}})
        .toJson(QJsonDocument::Compact);
}

} // namespace headway::tests
