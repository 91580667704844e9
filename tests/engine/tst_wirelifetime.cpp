// SPDX-License-Identifier: GPL-3.0-or-later
// Lifetime, silence and keep-alive: cases B19, B20, B21, B25, B26, B31 of cases/reports.md, with
// the clock moved on instead of waiting. B23 is in tst_upstreampressure.
#include "tests/support/conversation.h"

#include <QElapsedTimer>
#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using simulator::Fault;
using tests::answering;
using tests::Conversation;
using tests::ProxyFixture;

class WireLifetimeTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void b19TheLifetimeLimitOnTheSecondCreateCostsANewSocket();
    void b19TheSocketIsRotatedBeforeTheLimit();
    void b20TheLimitEachTimeEndsOnTheLadder();
    void b21ASocketThatWasDeadAlreadyIsReplacedAtOnce();
    void b25AThinkingModelIsNotADeadOne();
    void b25TheIdleDeadlineEndsAThinkingModelBeyondIt();
    void b26ADeadSocketIsFoundByTheProbe();
    void b31AnAcceptedTurnIsLeftToThinkByDefault();
    void anIdleSocketUnseenForAMinuteIsProbedBeforeATurn();
    void anIdleSocketThatDiedUnseenCostsATurnNothingButTheProbe();
};

namespace {

const QString hello = QStringLiteral("hello");
const QString more = QStringLiteral("more");

Fault limitReached(int count)
{
    Fault fault;
    fault.kind = Fault::Kind::ErrorEvent;
    fault.status = 400;
    fault.code = "websocket_connection_limit_reached";
    fault.message = "60 minutes";
    fault.count = count;
    return fault;
}

Fault silence(bool pongs)
{
    Fault fault;
    fault.kind = Fault::Kind::Silence;
    fault.pongs = pongs;
    fault.count = 1;
    return fault;
}

} // namespace

void WireLifetimeTest::b19TheLifetimeLimitOnTheSecondCreateCostsANewSocket()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(hello));
    proxy.provider().add(limitReached(1));
    QVERIFY(agent.say(more));
    QCOMPARE(proxy.wire().opened().size(), 2);
    QCOMPARE(proxy.wire().last().previous(), QString());
    QCOMPARE(proxy.wire().last().input().size(), 3); // in full
}

void WireLifetimeTest::b19TheSocketIsRotatedBeforeTheLimit()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(hello));
    proxy.passTimeAsleep(55min);
    QTRY_COMPARE(proxy.wire().gone().size(), 1);
    QVERIFY(agent.say(more));
    QCOMPARE(proxy.wire().opened().size(), 2);
    QCOMPARE(proxy.wire().sent().size(), 2); // the old one was not tried
}

void WireLifetimeTest::b20TheLimitEachTimeEndsOnTheLadder()
{
    ProxyFixture proxy(answering());
    proxy.set(settings::Key::Retries, "1");
    proxy.start();
    proxy.provider().add(limitReached(100));
    Conversation agent(proxy, "s");
    const auto call = agent.begin(hello);
    QTRY_COMPARE(proxy.wire().sent().size(), 2); // one new socket at once
    QTRY_COMPARE(proxy.turn().phase, live::Phase::Backoff);
    QCOMPARE(proxy.wire().opened().size(), 2);
    proxy.passTime(2s); // the one retry there is
    QTRY_VERIFY(call->isComplete());
    QVERIFY(call->status() >= 400);
    QCOMPARE(proxy.wire().sent().size(), 3);
    QCOMPARE(proxy.wire().opened().size(), 3);
}

void WireLifetimeTest::b21ASocketThatWasDeadAlreadyIsReplacedAtOnce()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(hello));
    Fault reset;
    reset.kind = Fault::Kind::Reset;
    reset.count = 1;
    proxy.provider().add(reset);
    QElapsedTimer timer;
    timer.start();
    QVERIFY(agent.say(more));
    QVERIFY(timer.elapsed() < 1000);
    QCOMPARE(proxy.wire().opened().size(), 2);
    QCOMPARE(proxy.wire().last().socket, proxy.wire().opened().at(1));
}

void WireLifetimeTest::b25AThinkingModelIsNotADeadOne()
{
    simulator::Scenario scenario = answering();
    scenario.firstToken = scenario.turn = {4s, 4s}; // of the provider's own clock
    ProxyFixture proxy(scenario);
    proxy.set(settings::Key::IdleMs, "600000");
    proxy.set(settings::Key::FirstEventMs, "600000");
    proxy.start();
    Conversation agent(proxy, "s");
    const auto call = agent.begin(hello);
    QTRY_COMPARE(proxy.wire().sent().size(), 1);
    QVERIFY(proxy.passTimeAlive(510s));
    const live::TurnRow row = proxy.turn();
    QCOMPARE(row.phase, live::Phase::FirstByte); // and the window shows for how long
    QVERIFY(row.inPhase >= 510s);
    QTRY_VERIFY_WITH_TIMEOUT(call->isComplete(), 10'000);
    QVERIFY(agent.take(*call));
    QCOMPARE(proxy.wire().opened().size(), 1);
    QCOMPARE(proxy.wire().sent().size(), 1);
}

void WireLifetimeTest::b25TheIdleDeadlineEndsAThinkingModelBeyondIt()
{
    ProxyFixture proxy(answering());
    proxy.start(); // 120 s
    Fault thinking = silence(true);
    thinking.afterEvents = 2;
    proxy.provider().add(thinking);
    Conversation agent(proxy, "s");
    const auto call = agent.begin(hello);
    QTRY_COMPARE(proxy.wire().sent().size(), 1);
    QVERIFY(proxy.passTimeAlive(115s));
    QVERIFY(!call->isComplete());
    QVERIFY(!call->isClosed());
    proxy.passTime(6s);
    QTRY_VERIFY(call->isComplete() || call->isClosed());
    QVERIFY(!call->events().contains("message_stop"));
}

void WireLifetimeTest::b26ADeadSocketIsFoundByTheProbe()
{
    ProxyFixture proxy(answering());
    proxy.start();
    proxy.provider().add(silence(false));
    Conversation agent(proxy, "s");
    const auto call = agent.begin(hello);
    QTRY_COMPARE(proxy.wire().sent().size(), 1);
    proxy.passTime(15s);
    proxy.passTime(10s);
    QCOMPARE(proxy.engine().turnsInFlight(), std::size_t{1});
    proxy.passTime(10s); // 35 s: neither the 60 s for a first event nor the 120 s of idleness
    QTRY_VERIFY(call->isComplete());
    QVERIFY(agent.take(*call));
    QCOMPARE(proxy.wire().opened().size(), 2);
    QCOMPARE(proxy.wire().last().socket, proxy.wire().opened().at(1));
}

// 90 s without an event after `created`, and nothing set by anybody: the prompt is not paid for
// again.
void WireLifetimeTest::b31AnAcceptedTurnIsLeftToThinkByDefault()
{
    simulator::Scenario scenario = answering();
    scenario.firstToken = scenario.turn = {4s, 4s}; // of the provider's own clock
    ProxyFixture proxy(scenario);
    proxy.start();
    Conversation agent(proxy, "s");
    const auto call = agent.begin(hello);
    QTRY_COMPARE(proxy.wire().sent().size(), 1);
    QVERIFY(proxy.passTimeAlive(90s));
    QVERIFY(!call->isClosed());
    QTRY_VERIFY_WITH_TIMEOUT(call->isComplete(), 10'000);
    QVERIFY(agent.take(*call));
    QCOMPARE(proxy.wire().opened().size(), 1);
    QCOMPARE(proxy.wire().sent().size(), 1);
}

void WireLifetimeTest::anIdleSocketUnseenForAMinuteIsProbedBeforeATurn()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(hello));
    proxy.passTimeAsleep(60s); // nothing was due: the steady clock stood still
    QCOMPARE(proxy.wire().pings(), 0);
    QVERIFY(agent.say(more));
    QCOMPARE(proxy.wire().pings(), 1);
    QCOMPARE(proxy.wire().opened().size(), 1);
    QCOMPARE(proxy.wire().last().input().size(), 1); // the delta
}

void WireLifetimeTest::anIdleSocketThatDiedUnseenCostsATurnNothingButTheProbe()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(hello));
    proxy.provider().strike(silence(false));
    proxy.passTimeAsleep(10min);
    const auto call = agent.begin(more);
    QTRY_COMPARE(proxy.engine().turnsInFlight(), std::size_t{1});
    proxy.passTime(10s);
    proxy.passTime(10s); // two missed
    QTRY_VERIFY(call->isComplete());
    QVERIFY(agent.take(*call));
    QCOMPARE(proxy.wire().opened().size(), 2);
    QCOMPARE(proxy.wire().sent().size(), 2); // the dead one never got the create
    QCOMPARE(proxy.wire().last().input().size(), 3);
}

QTEST_GUILESS_MAIN(WireLifetimeTest)
#include "tst_wirelifetime.moc"
