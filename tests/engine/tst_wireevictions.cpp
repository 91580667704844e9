// SPDX-License-Identifier: GPL-3.0-or-later
// Each reason of spec/heads.md section 2 to let a head go, told by the sockets the provider sees
// closed and by what the next turn of that agent sends; the ledger must name the reason.
#include "tests/store/sqliterows.h"
#include "tests/support/conversation.h"

#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using settings::Key;
using simulator::Fault;
using tests::answering;
using tests::Conversation;
using tests::ProxyFixture;

class WireEvictionsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aHeadNeverContinuedGoesAfterFiveMinutes();
    void anEstablishedHeadStaysForThirtyMinutes();
    void anEstablishedHeadGoesAfterThirtyMinutes();
    void aSocketIsRotatedByTheWallClock();
    void rotationNeverCutsATurn();
    void theNurseryCapTakesTheLeastRecentlyUsed();
    void theEstablishedCapTakesTheLeastRecentlyUsed();
    void agentsSeenLatelyGoLast();
    void theProvidersCapOnSocketsShedsTheOldest();
    void aHeadWhosePeerClosesIsForgotten();
    void aHeadThatAnswersNoPingIsForgotten();
    void aFailedTurnTakesOnlyItsOwnSocket();
    void aRejectedCredentialTakesWhatWasOpenedWithIt();
    void aCredentialRefusedByAnEventTakesWhatWasOpenedWithIt();
    void aLoweredCapActsAtOnce();
    void theUserLetsAHeadGo();
};

namespace {

const QString hello = QStringLiteral("hello");
const QString more = QStringLiteral("more");

Fault fault(Fault::Kind kind)
{
    Fault made;
    made.kind = kind;
    made.count = 1;
    return made;
}

std::uint64_t socketOf(const ProxyFixture &proxy, qsizetype turn)
{
    return proxy.wire().sent().at(turn).socket;
}

using Sockets = QList<std::uint64_t>;

// The last turn found nothing to go on from: a new socket, everything, no id.
bool startedAfresh(const ProxyFixture &proxy)
{
    const tests::Sent &last = proxy.wire().last();
    return proxy.wire().opened().last() == last.socket && last.previous().isEmpty()
        && last.input().size() > 1;
}

bool wentOn(const ProxyFixture &proxy)
{
    return !proxy.wire().last().previous().isEmpty() && proxy.wire().last().input().size() == 1;
}

// How many connections the ledger says went for that reason. The proxy is stopped.
qint64 recorded(ProxyFixture &proxy, const QString &reason)
{
    proxy.stop();
    return testsupport::number(
        proxy.ledgerPath(),
        QStringLiteral("SELECT count(*) FROM connection WHERE reason = '%1'").arg(reason));
}

} // namespace

void WireEvictionsTest::aHeadNeverContinuedGoesAfterFiveMinutes()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(hello));
    proxy.passTime(5min - 5s); // the turn took less
    QVERIFY(agent.say(more));
    QVERIFY(wentOn(proxy));
    Conversation other(proxy, "other");
    QVERIFY(other.say(hello));
    const std::uint64_t once = socketOf(proxy, 2);
    proxy.passTime(5min);
    QTRY_COMPARE(proxy.wire().gone(), Sockets{once}); // not the one that was continued
    QVERIFY(other.say(more));
    QVERIFY(startedAfresh(proxy));
    QCOMPARE(recorded(proxy, QStringLiteral("nursery_idle_ttl")), 1);
}

void WireEvictionsTest::anEstablishedHeadStaysForThirtyMinutes()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(hello));
    QVERIFY(agent.say(more));
    proxy.passTime(30min - 5s);
    QVERIFY(agent.say(more));
    QVERIFY(wentOn(proxy));
}

void WireEvictionsTest::anEstablishedHeadGoesAfterThirtyMinutes()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(hello));
    QVERIFY(agent.say(more));
    proxy.passTime(30min);
    QTRY_COMPARE(proxy.wire().gone(), Sockets{socketOf(proxy, 0)});
    QVERIFY(agent.say(more));
    QVERIFY(startedAfresh(proxy));
    QCOMPARE(recorded(proxy, QStringLiteral("idle_ttl")), 1);
}

void WireEvictionsTest::aSocketIsRotatedByTheWallClock()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(hello));
    proxy.passTimeAsleep(50min - 10s); // 55 minutes less at most 5
    QVERIFY(agent.say(more));
    QVERIFY(wentOn(proxy));
    proxy.passTimeAsleep(5min + 10s);
    QTRY_COMPARE(proxy.wire().gone(), Sockets{socketOf(proxy, 0)});
    QVERIFY(agent.say(more));
    QVERIFY(startedAfresh(proxy));
    QCOMPARE(recorded(proxy, QStringLiteral("hard_ttl")), 1);
}

void WireEvictionsTest::rotationNeverCutsATurn()
{
    simulator::Scenario scenario = answering();
    scenario.turn = {300ms, 300ms};
    ProxyFixture proxy(scenario);
    proxy.start();
    Conversation agent(proxy, "s");
    const auto call = agent.begin(hello);
    QTRY_COMPARE(proxy.wire().sent().size(), 1);
    proxy.passTimeAsleep(60min);
    QVERIFY(proxy.wire().gone().isEmpty());
    QTRY_VERIFY(call->isComplete());
    QVERIFY(agent.take(*call));
    QTRY_COMPARE(proxy.wire().gone(), Sockets{socketOf(proxy, 0)});
    QVERIFY(agent.say(more));
    QVERIFY(startedAfresh(proxy));
    QCOMPARE(recorded(proxy, QStringLiteral("hard_ttl")), 1);
}

void WireEvictionsTest::theNurseryCapTakesTheLeastRecentlyUsed()
{
    ProxyFixture proxy(answering());
    proxy.set(Key::NurseryCap, "2");
    proxy.start();
    Conversation one(proxy, "one");
    Conversation two(proxy, "two");
    Conversation three(proxy, "three");
    QVERIFY(one.say(hello));
    QVERIFY(two.say(hello));
    QVERIFY(three.say(hello));
    QTRY_COMPARE(proxy.wire().gone(), Sockets{socketOf(proxy, 0)});
    QVERIFY(two.say(more));
    QVERIFY(wentOn(proxy));
    QVERIFY(one.say(more));
    QVERIFY(startedAfresh(proxy));
    QCOMPARE(recorded(proxy, QStringLiteral("nursery_lru_cap")), 1);
}

void WireEvictionsTest::theEstablishedCapTakesTheLeastRecentlyUsed()
{
    ProxyFixture proxy(answering());
    proxy.set(Key::EstablishedCap, "1");
    proxy.start();
    Conversation one(proxy, "one");
    Conversation two(proxy, "two");
    QVERIFY(one.say(hello));
    QVERIFY(one.say(more));
    QVERIFY(two.say(hello));
    QVERIFY(proxy.wire().gone().isEmpty()); // the nursery has a cap of its own
    QVERIFY(two.say(more));
    QTRY_COMPARE(proxy.wire().gone(), Sockets{socketOf(proxy, 0)});
    QVERIFY(one.say(more));
    QVERIFY(startedAfresh(proxy));
    QCOMPARE(recorded(proxy, QStringLiteral("established_lru_cap")), 1);
}

void WireEvictionsTest::agentsSeenLatelyGoLast()
{
    ProxyFixture proxy(answering());
    proxy.set(Key::NurseryCap, "2");
    proxy.set(Key::NurseryIdleS, "3600");
    proxy.start();
    Conversation old(proxy, "lively");
    Conversation quiet(proxy, "quiet");
    QVERIFY(old.say(hello)); // socket 1, the least recently used one
    proxy.passTime(1s);
    QVERIFY(quiet.say(hello)); // socket 2
    proxy.passTime(6min);
    Conversation lively(proxy, "lively"); // the same agent, another history
    QVERIFY(lively.say(QStringLiteral("something else")));
    // Room for that one was made by the quiet agent's head: the lively agent's own came before.
    QTRY_COMPARE(proxy.wire().gone(), Sockets{socketOf(proxy, 1)});
    QVERIFY(old.say(more));
    QVERIFY(wentOn(proxy));
}

void WireEvictionsTest::theProvidersCapOnSocketsShedsTheOldest()
{
    simulator::Scenario scenario = answering();
    scenario.upgradeLimits.push_back(
        {.kind = simulator::UpgradeLimit::Kind::Concurrent, .max = {3}});
    ProxyFixture proxy(scenario);
    proxy.set(Key::Policy, "auto");
    proxy.start();
    std::vector<std::unique_ptr<Conversation>> agents;
    for (int i = 0; i < 8; ++i) {
        agents.push_back(std::make_unique<Conversation>(proxy, QByteArray::number(i)));
        QVERIFY(agents.back()->say(hello));
    }
    QCOMPARE(proxy.wire().completed().size(), 8); // nobody lost
    QVERIFY(proxy.provider().statistics().largestOpenSockets <= 3);
    QTRY_VERIFY(proxy.wire().gone().size() >= 5);
    Sockets oldest = proxy.wire().opened();
    oldest.resize(5);
    Sockets gone = proxy.wire().gone();
    gone.resize(5);
    std::sort(gone.begin(), gone.end());
    QCOMPARE(gone, oldest);
    QVERIFY(agents.front()->say(more));
    QVERIFY(startedAfresh(proxy));
    QVERIFY(recorded(proxy, QStringLiteral("socket_cap")) >= 5);
}

void WireEvictionsTest::aHeadWhosePeerClosesIsForgotten()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(hello));
    Fault close = fault(Fault::Kind::Close);
    close.closeCode = 1001;
    proxy.provider().strike(close);
    QTRY_COMPARE(proxy.wire().gone(), Sockets{socketOf(proxy, 0)});
    QVERIFY(agent.say(more));
    QVERIFY(startedAfresh(proxy));
    QCOMPARE(proxy.wire().sent().size(), 2); // without a vain try on the dead one
    QCOMPARE(recorded(proxy, QStringLiteral("peer_closed")), 1);
    QCOMPARE(testsupport::number(proxy.ledgerPath(),
                                 QStringLiteral("SELECT count(*) FROM connection WHERE reason = "
                                                "'peer_closed' AND detail = 'scenario' AND "
                                                "close_code = 1001")),
             1); // what the provider gave as reason stands beside it
}

void WireEvictionsTest::aHeadThatAnswersNoPingIsForgotten()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(hello));
    Fault dead = fault(Fault::Kind::Silence);
    dead.pongs = false;
    proxy.provider().strike(dead);
    proxy.passTime(15s); // the first ping
    proxy.passTime(10s); // one miss, the second ping
    QVERIFY(proxy.wire().gone().isEmpty());
    proxy.passTime(10s); // two are dead: 35 s after the last sign of life, at most 45
    QTRY_COMPARE(proxy.wire().gone(), Sockets{socketOf(proxy, 0)});
    QVERIFY(agent.say(more));
    QVERIFY(startedAfresh(proxy));
    QCOMPARE(recorded(proxy, QStringLiteral("probe_failed")), 1);
}

void WireEvictionsTest::aFailedTurnTakesOnlyItsOwnSocket()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Conversation failing(proxy, "one");
    Conversation other(proxy, "two");
    QVERIFY(failing.say(hello));
    QVERIFY(other.say(hello));
    Fault refused = fault(Fault::Kind::ErrorEvent);
    refused.status = 400;
    refused.code = "invalid_prompt";
    proxy.provider().add(refused);
    QVERIFY(!failing.say(more));
    QTRY_COMPARE(proxy.wire().gone(), Sockets{socketOf(proxy, 0)});
    QVERIFY(failing.say(more));
    QVERIFY(startedAfresh(proxy));
    QVERIFY(other.say(more));
    QVERIFY(wentOn(proxy));
    QCOMPARE(recorded(proxy, QStringLiteral("failed_turn")), 1);
}

void WireEvictionsTest::aRejectedCredentialTakesWhatWasOpenedWithIt()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Conversation one(proxy, "one");
    QVERIFY(one.say(hello));
    Fault expired = fault(Fault::Kind::RejectUpgrades);
    expired.status = 401;
    proxy.provider().add(expired);
    Conversation two(proxy, "two");
    QVERIFY(two.say(hello)); // a rejected upgrade is tried once more
    QTRY_COMPARE(proxy.wire().gone(), Sockets{socketOf(proxy, 0)});
    QVERIFY(one.say(more));
    QVERIFY(startedAfresh(proxy));
    QCOMPARE(recorded(proxy, QStringLiteral("credential_rejected")), 1);
}

// On a socket that is open already the answer to a turn is where a credential is refused.
void WireEvictionsTest::aCredentialRefusedByAnEventTakesWhatWasOpenedWithIt()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Conversation one(proxy, "one");
    Conversation two(proxy, "two");
    QVERIFY(one.say(hello));
    QVERIFY(two.say(hello));
    Fault expired = fault(Fault::Kind::ErrorEvent);
    expired.status = 401;
    expired.code = "token_expired";
    proxy.provider().add(expired);
    QVERIFY(two.say(more)); // once more, on a new connection
    QCOMPARE(proxy.wire().opened().size(), 3);
    QTRY_COMPARE(proxy.wire().gone().size(), 2);
    QVERIFY(proxy.wire().gone().contains(socketOf(proxy, 0)));
    QVERIFY(one.say(more));
    QVERIFY(startedAfresh(proxy));
    QCOMPARE(recorded(proxy, QStringLiteral("credential_rejected")), 1);
}

void WireEvictionsTest::aLoweredCapActsAtOnce()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Conversation one(proxy, "one");
    Conversation two(proxy, "two");
    QVERIFY(one.say(hello));
    QVERIFY(two.say(hello));
    proxy.engine().changeSetting(QStringLiteral("nursery_cap"), QStringLiteral("1"));
    QTRY_COMPARE(proxy.wire().gone(), Sockets{socketOf(proxy, 0)});
    QVERIFY(two.say(more));
    QVERIFY(wentOn(proxy));
    QVERIFY(one.say(more));
    QVERIFY(startedAfresh(proxy));
    QCOMPARE(recorded(proxy, QStringLiteral("settings")), 1);
}

void WireEvictionsTest::theUserLetsAHeadGo()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(hello));
    const live::HeadRow shown = proxy.engine().snapshot()->heads.front();
    proxy.engine().evictHead(shown.connection.value(), shown.head);
    QTRY_COMPARE(proxy.wire().gone(), Sockets{socketOf(proxy, 0)});
    QVERIFY(agent.say(more));
    QVERIFY(startedAfresh(proxy));
    QCOMPARE(recorded(proxy, QStringLiteral("user")), 1);
}

QTEST_GUILESS_MAIN(WireEvictionsTest)
#include "tst_wireevictions.moc"
