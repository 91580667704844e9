// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/agents.h"
#include "tests/simulator/providerclient.h"

#include <QTest>

using namespace headway::simulator;
using headway::base::Milliseconds;

// Agents that speak Responses need no proxy between them and the strict provider: whatever they get
// wrong is refused.
class AgentsProviderTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyTurnOfAFanOutCompletes();
    void sameSeedSameConversation();
};

void AgentsProviderTest::everyTurnOfAFanOutCompletes()
{
    Provider provider(quickScenario());
    const auto port = provider.listen(QHostAddress::LocalHost, 0);
    QVERIFY(port.has_value());
    FleetOptions options;
    options.baseUrl = QUrl(QStringLiteral("http://127.0.0.1:%1").arg(*port));
    options.dialect = AgentDialect::Responses;
    options.count = 12;
    options.sessions = 2;
    options.turns = 6;
    options.think = options.start = {Milliseconds{0}, Milliseconds{1}};
    options.maxRetries = 0;
    AgentFleet fleet(options);
    QSignalSpy finished(&fleet, &AgentFleet::finished);
    fleet.start();
    QVERIFY(finished.wait(20'000));
    QCOMPARE(fleet.result().errors, (QMap<QString, int>()));
    QCOMPARE(fleet.result().offered, 72U);
    QCOMPARE(fleet.result().completed, 72U);
    QVERIFY(fleet.result().toolCalls > 0);
    QCOMPARE(provider.statistics().turns, 72U);
    QVERIFY(provider.statistics().errors.empty());
}

void AgentsProviderTest::sameSeedSameConversation()
{
    std::vector<std::uint64_t> calls;
    for (int run = 0; run < 2; ++run) {
        Provider provider(quickScenario());
        const auto port = provider.listen(QHostAddress::LocalHost, 0);
        QVERIFY(port.has_value());
        FleetOptions options;
        options.baseUrl = QUrl(QStringLiteral("http://127.0.0.1:%1").arg(*port));
        options.dialect = AgentDialect::Responses;
        options.count = 1;
        options.turns = 12;
        options.seed = 7;
        options.think = options.start = {Milliseconds{0}, Milliseconds{0}};
        AgentFleet fleet(options);
        QSignalSpy finished(&fleet, &AgentFleet::finished);
        fleet.start();
        QVERIFY(finished.wait(20'000));
        QCOMPARE(fleet.result().completed, 12U);
        calls.push_back(fleet.result().toolCalls);
    }
    QVERIFY(calls.at(0) > 0);
    QCOMPARE(calls.at(0), calls.at(1));
}

QTEST_GUILESS_MAIN(AgentsProviderTest)
#include "tst_agentsprovider.moc"
