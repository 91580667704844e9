// SPDX-License-Identifier: GPL-3.0-or-later
// What a person may do to waiting turns and to pacing as a whole (spec/window.md, view 1 and
// "Rules"), with the provider's accepted upgrades as the oracle.
#include "tests/support/proxyfixture.h"

#include <QTest>

#include <algorithm>
#include <vector>

using namespace headway;
using namespace std::chrono_literals;
using tests::HttpCall;
using tests::messagesBody;
using tests::ProxyFixture;

class UserCommandsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pausedNobodyIsAdmittedUntilSwitchedBack();
    void aPauseTakesTheQueueInItsOrder();
    void pausedAContinuationGoesOn();
    void aHeldTurnRunsIntoItsDeadline();
    void oneSessionIsHeldAndTheOthersGoOn();
    void passThroughPacesNobodyAndContinuesNothing();
    void theOneMovedToTheFrontDialsNext();
    void aCancelledWaiterIsToldAndGivesItsPlaceBack();
    void aStreamingTurnCannotBeCancelled();
    void everySwitchIsMarked();
};

namespace {

simulator::Scenario longTurns()
{
    simulator::Scenario scenario;
    scenario.connect = {0ms, 0ms};
    scenario.firstToken = {1ms, 1ms};
    scenario.turn = {60s, 60s};
    return scenario;
}

simulator::Scenario shortTurns()
{
    simulator::Scenario scenario = longTurns();
    scenario.turn = {1ms, 1ms};
    return scenario;
}

void set(ProxyFixture &proxy, settings::Key key, const char *value)
{
    QVERIFY(proxy.settings.set(settings::Source::CommandLine, key, value).accepted);
}

std::vector<live::TurnRow> waiting(ProxyFixture &proxy)
{
    std::vector<live::TurnRow> rows = proxy.engine().snapshot()->turns;
    std::erase_if(rows, [](const live::TurnRow &row) { return row.phase != live::Phase::Queued; });
    std::ranges::sort(rows, {}, &live::TurnRow::queuePlace);
    return rows;
}

std::unique_ptr<HttpCall> ask(const ProxyFixture &proxy, const char *session)
{
    return proxy.post("/v1/messages", messagesBody({"go"}), session);
}

// One opening at a time.
void startPaced(ProxyFixture &proxy, const char *ratePerMinute)
{
    set(proxy, settings::Key::RatePerMin, ratePerMinute);
    set(proxy, settings::Key::Burst, "1");
    proxy.start();
}

std::uint64_t accepted(ProxyFixture &proxy)
{
    return proxy.provider().statistics().upgradesAccepted;
}

std::string sessionOf(ProxyFixture &proxy, std::size_t waiter)
{
    return waiting(proxy).at(waiter).session;
}

// The whole text of a streamed reply.
QByteArray said(const HttpCall &call)
{
    QByteArray text;
    for (const QByteArray &line : call.body().split('\n')) {
        const qsizetype at = line.indexOf("\"text_delta\",\"text\":\"");
        if (at < 0)
            continue;
        const QByteArray rest = line.mid(at + 21);
        text += rest.left(rest.indexOf('"'));
    }
    return text;
}

} // namespace

void UserCommandsTest::pausedNobodyIsAdmittedUntilSwitchedBack()
{
    ProxyFixture proxy(longTurns());
    proxy.start();
    proxy.engine().setPaused(true);
    QVERIFY(proxy.engine().snapshot()->overrides.pauseAll);
    const auto call = ask(proxy, "a");
    QTRY_COMPARE(waiting(proxy).size(), std::size_t{1});
    QVERIFY(waiting(proxy).front().held);
    QCOMPARE(proxy.engine().snapshot()->waiting, std::uint32_t{1});
    QCOMPARE(accepted(proxy), std::uint64_t{0});
    proxy.engine().setPaused(false);
    QTRY_COMPARE(accepted(proxy), std::uint64_t{1});
    QVERIFY(!proxy.engine().snapshot()->overrides.pauseAll);
}

void UserCommandsTest::aPauseTakesTheQueueInItsOrder()
{
    ProxyFixture proxy(longTurns());
    startPaced(proxy, "15"); // one every 4 s
    const auto first = ask(proxy, "a");
    QTRY_COMPARE(accepted(proxy), std::uint64_t{1});
    const auto second = ask(proxy, "b");
    QTRY_COMPARE(waiting(proxy).size(), std::size_t{1});
    QVERIFY(!waiting(proxy).front().held);
    const base::TurnId queued = waiting(proxy).front().turn;
    proxy.engine().setPaused(true);
    const auto third = ask(proxy, "c");
    QTRY_COMPARE(waiting(proxy).size(), std::size_t{2});
    QCOMPARE(waiting(proxy).front().turn, queued);
    QVERIFY(waiting(proxy).front().held && waiting(proxy).back().held);
    proxy.engine().changeSetting(QStringLiteral("rate_per_min"), QStringLiteral("600"));
    QCOMPARE(waiting(proxy).size(), std::size_t{2}); // no change of the rate lets them go
    proxy.engine().setPaused(false);
    QTRY_COMPARE(accepted(proxy), std::uint64_t{3});
}

void UserCommandsTest::pausedAContinuationGoesOn()
{
    ProxyFixture proxy(shortTurns());
    proxy.start();
    const auto first = proxy.post("/v1/messages", messagesBody({"hello"}), "a");
    QTRY_VERIFY(first->isComplete());
    proxy.engine().setPaused(true);
    const auto second
        = proxy.post("/v1/messages", messagesBody({"hello", said(*first), "next"}), "a");
    QTRY_VERIFY(second->isComplete());
    QVERIFY(second->events().contains("message_stop"));
    QCOMPARE(accepted(proxy), std::uint64_t{1});
}

void UserCommandsTest::aHeldTurnRunsIntoItsDeadline()
{
    ProxyFixture proxy(longTurns());
    set(proxy, settings::Key::IdleMs, "10000"); // the shortest there is
    proxy.start();
    proxy.engine().setPaused(true);
    const auto call = ask(proxy, "a");
    QTRY_VERIFY_WITH_TIMEOUT(call->isComplete(), 15'000);
    QVERIFY(call->body().contains("held this turn back"));
    QCOMPARE(accepted(proxy), std::uint64_t{0});
    QVERIFY(waiting(proxy).empty());
}

void UserCommandsTest::oneSessionIsHeldAndTheOthersGoOn()
{
    ProxyFixture proxy(longTurns());
    proxy.start();
    proxy.engine().setPaused(true);
    const auto held = ask(proxy, "a");
    QTRY_COMPARE(waiting(proxy).size(), std::size_t{1});
    const QString session = QString::fromStdString(sessionOf(proxy, 0));
    proxy.engine().holdSession(session, true);
    proxy.engine().setPaused(false);
    QCOMPARE(proxy.engine().snapshot()->overrides.heldSessions, std::vector{session.toStdString()});
    const auto other = ask(proxy, "b");
    QTRY_COMPARE(accepted(proxy), std::uint64_t{1});
    QCOMPARE(waiting(proxy).size(), std::size_t{1});
    proxy.engine().holdSession(session, false);
    QTRY_COMPARE(accepted(proxy), std::uint64_t{2});
}

void UserCommandsTest::passThroughPacesNobodyAndContinuesNothing()
{
    ProxyFixture proxy(shortTurns());
    startPaced(proxy, "1");
    const auto first = proxy.post("/v1/messages", messagesBody({"hello"}), "a");
    QTRY_VERIFY(first->isComplete());
    proxy.engine().setPassThrough(true);
    QVERIFY(proxy.engine().snapshot()->overrides.passThrough);
    const QList<QByteArray> texts{"hello", said(*first), "next"};
    const auto second = proxy.post("/v1/messages", messagesBody(texts), "a");
    QTRY_VERIFY(second->isComplete());
    QCOMPARE(accepted(proxy), std::uint64_t{2}); // neither continued nor made to wait
    QCOMPARE(proxy.provider().statistics().continuations, std::uint64_t{0});
    QCOMPARE(proxy.engine().snapshot()->settings.at("policy").value, std::string("bucket"));
    proxy.engine().setPassThrough(false);
    const auto third = proxy.post("/v1/messages", messagesBody(texts), "a");
    QTRY_VERIFY(third->isComplete());
    QCOMPARE(proxy.provider().statistics().continuations, std::uint64_t{1});
}

void UserCommandsTest::theOneMovedToTheFrontDialsNext()
{
    ProxyFixture proxy(longTurns());
    startPaced(proxy, "30"); // one every 2 s
    const auto first = ask(proxy, "a");
    QTRY_COMPARE(accepted(proxy), std::uint64_t{1});
    const auto second = ask(proxy, "b");
    QTRY_COMPARE(waiting(proxy).size(), std::size_t{1});
    const auto third = ask(proxy, "c");
    QTRY_COMPARE(waiting(proxy).size(), std::size_t{2});
    const base::TurnId last = waiting(proxy).back().turn;
    const base::TurnId passed = waiting(proxy).front().turn;
    proxy.engine().moveToFront(last.value());
    QCOMPARE(waiting(proxy).front().turn, last);
    QTRY_COMPARE(accepted(proxy), std::uint64_t{2});
    QCOMPARE(waiting(proxy).size(), std::size_t{1});
    QCOMPARE(waiting(proxy).front().turn, passed);
}

void UserCommandsTest::aCancelledWaiterIsToldAndGivesItsPlaceBack()
{
    ProxyFixture proxy(longTurns());
    startPaced(proxy, "30");
    const auto first = ask(proxy, "a");
    QTRY_COMPARE(accepted(proxy), std::uint64_t{1});
    const auto second = ask(proxy, "b");
    QTRY_COMPARE(waiting(proxy).size(), std::size_t{1});
    const double before = proxy.engine().snapshot()->bucketLevel;
    proxy.engine().cancelTurn(waiting(proxy).front().turn.value());
    QTRY_VERIFY(second->isComplete());
    QCOMPARE(second->status(), 400); // one that clients do not repeat
    QVERIFY(second->body().contains("cancelled in Headway's window"));
    QVERIFY(proxy.engine().snapshot()->bucketLevel > before + 0.9);
    QVERIFY(waiting(proxy).empty());
}

void UserCommandsTest::aStreamingTurnCannotBeCancelled()
{
    ProxyFixture proxy(longTurns());
    proxy.start();
    const auto call = ask(proxy, "a");
    QTRY_COMPARE(proxy.provider().statistics().responsesInFlight, std::uint64_t{1});
    const base::TurnId turn = proxy.engine().snapshot()->turns.front().turn;
    proxy.engine().cancelTurn(turn.value());
    QCOMPARE(proxy.engine().turnsInFlight(), std::size_t{1});
}

void UserCommandsTest::everySwitchIsMarked()
{
    ProxyFixture proxy(longTurns());
    proxy.start();
    proxy.engine().setWatched(true);
    proxy.engine().setPaused(true);
    proxy.engine().setPaused(true); // once
    proxy.engine().setPassThrough(true);
    proxy.engine().holdSession(QStringLiteral("0123456789ab"), true);
    std::vector<std::string> keys;
    const live::SnapshotPointer snapshot = proxy.engine().snapshot();
    for (const live::ChangeMark &change : snapshot->changes)
        keys.push_back(change.key);
    QCOMPARE(keys, (std::vector<std::string>{"pause_all", "pass_through", "hold_session"}));
}

QTEST_GUILESS_MAIN(UserCommandsTest)
#include "tst_usercommands.moc"
