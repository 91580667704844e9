// SPDX-License-Identifier: GPL-3.0-or-later
// The traps of order in spec/heads.md sections 3, 5 and 9: who adopts a freed head, who must not,
// and when a warning is raised. The frames that arrive at the provider are the oracle; warnings and
// second scans are read in the ledger.
#include "tests/store/sqliterows.h"
#include "tests/support/conversation.h"

#include <QTest>

#include <algorithm>

using namespace headway;
using namespace std::chrono_literals;
using tests::answering;
using tests::Conversation;
using tests::HttpCall;
using tests::ProxyFixture;
using tests::Sent;

class WireTrapsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFreedHeadIsAdoptedByExactlyOneOfTwoReleasedWaiters();
    void aHeadThatDivergesAtItem20Of24IsNotAdopted();
    void b09AnEmptyReplyIsAdoptedAndTheTokenComesBack();
    void aTurnRefusedWhileQueuedStillWarns();
    void aTurnRefusedOnArrivalWarnsOnce();
    void aTurnThatAdoptsWarnsOfNothing();
    void aTurnAdmittedOnArrivalScansOnce();
    void aTurnThatWaitedScansTwice();
};

namespace {

const QString hello = QStringLiteral("hello");

// One opening now, one more each second; a reply takes a moment.
simulator::Scenario busyFor(std::chrono::milliseconds turn, const QString &reply)
{
    simulator::Scenario scenario = answering({reply});
    scenario.turn = scenario.firstToken = {turn, turn};
    return scenario;
}

void oneASecond(ProxyFixture &proxy)
{
    proxy.set(settings::Key::RatePerMin, "60");
    proxy.set(settings::Key::Burst, "1");
}

QJsonObject said(const QString &role, const QString &text)
{
    return {{QStringLiteral("role"), role}, {QStringLiteral("content"), text}};
}

// A history of so many messages, user and assistant in turn, the user first and last.
QJsonArray history(int messages)
{
    QJsonArray all;
    for (int i = 0; i < messages; ++i)
        all.append(said(i % 2 == 0 ? QStringLiteral("user") : QStringLiteral("assistant"),
                        QStringLiteral("item %1").arg(i)));
    return all;
}

QList<const Sent *> withId(const ProxyFixture &proxy, const QString &id)
{
    QList<const Sent *> found;
    for (const Sent &sent : proxy.wire().sent()) {
        if (sent.previous() == id)
            found.append(&sent);
    }
    return found;
}

qint64 count(const ProxyFixture &proxy, const QString &what)
{
    return testsupport::number(proxy.ledgerPath(), QStringLiteral("SELECT count(*) FROM ") + what);
}

constexpr auto lost = "warning WHERE key = 'cache.lost'";

// The queue holds the turn.
bool queued(ProxyFixture &proxy, std::size_t turns)
{
    return QTest::qWaitFor([&] {
        const auto snapshot = proxy.engine().snapshot();
        return std::size_t(std::count_if(
                   snapshot->turns.begin(), snapshot->turns.end(),
                   [](const live::TurnRow &row) { return row.phase == live::Phase::Queued; }))
            == turns;
    });
}

} // namespace

void WireTrapsTest::aFreedHeadIsAdoptedByExactlyOneOfTwoReleasedWaiters()
{
    ProxyFixture proxy(busyFor(300ms, QStringLiteral("one")));
    oneASecond(proxy);
    proxy.start();
    Conversation agent(proxy, "s");
    const auto parent = agent.begin(hello);
    QTRY_COMPARE(proxy.wire().sent().size(), 1);
    std::vector<std::unique_ptr<HttpCall>> children;
    for (const QString &way : {QStringLiteral("one way"), QStringLiteral("another way")}) {
        Conversation child(proxy, "s");
        child.messages() = agent.messages();
        child.messages().append(said(QStringLiteral("assistant"), QStringLiteral("one")));
        children.push_back(child.begin(way));
    }
    QVERIFY(queued(proxy, 2));
    QTRY_VERIFY(parent->isComplete());
    QCOMPARE(proxy.wire().sent().size(), 1); // both still wait
    proxy.passTime(2s); // both are released in one go
    QTRY_VERIFY(children[0]->isComplete() && children[1]->isComplete());
    const QString id = proxy.wire().completed().at(0);
    QCOMPARE(withId(proxy, id).size(), 1);
    QCOMPARE(withId(proxy, id).front()->socket, proxy.wire().opened().at(0));
    QCOMPARE(withId(proxy, id).front()->input().size(), 1);
    QCOMPARE(proxy.wire().opened().size(), 2);
    const QList<const Sent *> inFull = withId(proxy, {});
    QCOMPARE(inFull.size(), 2); // the parent, and the other child
    QCOMPARE(inFull.back()->socket, proxy.wire().opened().at(1));
    QCOMPARE(inFull.back()->input().size(), 3);
    QVERIFY(proxy.provider().statistics().errors.empty());
    QCOMPARE(proxy.provider().statistics().largestOverlap, std::uint64_t{1});
}

void WireTrapsTest::aHeadThatDivergesAtItem20Of24IsNotAdopted()
{
    ProxyFixture proxy(busyFor(300ms, QStringLiteral("reply")));
    oneASecond(proxy);
    proxy.start();
    Conversation agent(proxy, "s");
    agent.messages() = history(22); // with the next one and the reply, 24 items are kept
    const auto parent = agent.begin(QStringLiteral("item 22"));
    QTRY_COMPARE(proxy.wire().sent().size(), 1);
    Conversation edited(proxy, "s");
    edited.messages() = agent.messages();
    edited.messages().append(said(QStringLiteral("assistant"), QStringLiteral("reply")));
    edited.messages()[20] = said(QStringLiteral("user"), QStringLiteral("item 20, edited"));
    const auto child = edited.begin(QStringLiteral("and now"));
    QVERIFY(queued(proxy, 1));
    QTRY_VERIFY(parent->isComplete());
    proxy.passTime(1s);
    QTRY_VERIFY(child->isComplete());
    QCOMPARE(proxy.wire().opened().size(), 2);
    QCOMPARE(proxy.wire().last().socket, proxy.wire().opened().at(1));
    QCOMPARE(proxy.wire().last().previous(), QString());
    QCOMPARE(proxy.wire().last().input().size(), 25);
    QCOMPARE(proxy.wire().last().input().at(20), QStringLiteral("user: item 20, edited"));
    // The head it did not take is still there for the one it belongs to.
    QVERIFY(agent.take(*parent));
    QVERIFY(agent.say(QStringLiteral("and now")));
    QCOMPARE(proxy.wire().last().socket, proxy.wire().opened().at(0));
    QCOMPARE(proxy.wire().last().previous(), proxy.wire().completed().at(0));
    proxy.stop();
    QCOMPARE(count(proxy, QStringLiteral("head_decision WHERE diff_index = 20")), 1);
}

void WireTrapsTest::b09AnEmptyReplyIsAdoptedAndTheTokenComesBack()
{
    ProxyFixture proxy(busyFor(300ms, {}));
    oneASecond(proxy);
    proxy.start();
    Conversation agent(proxy, "s");
    const auto parent = agent.begin(hello);
    QTRY_COMPARE(proxy.wire().sent().size(), 1);
    Conversation longer(proxy, "s");
    longer.messages() = agent.messages();
    const auto child = longer.begin(QStringLiteral("and more"));
    QVERIFY(queued(proxy, 1));
    QTRY_VERIFY(parent->isComplete());
    proxy.passTime(1s);
    QTRY_VERIFY(child->isComplete());
    QCOMPARE(proxy.wire().opened().size(), 1);
    QCOMPARE(proxy.wire().last().previous(), proxy.wire().completed().at(0));
    QCOMPARE(proxy.wire().last().input(), QStringList{QStringLiteral("user: and more")});
    // What it was admitted with is there again: somebody else opens a connection at once.
    Conversation other(proxy, "other");
    const auto third = other.begin(hello);
    QTRY_COMPARE(proxy.wire().opened().size(), 2);
    QTRY_VERIFY(third->isComplete());
    proxy.stop();
    QCOMPARE(count(proxy, QStringLiteral("admission WHERE outcome = 'returned'")), 1);
    QCOMPARE(count(proxy, QStringLiteral("admission WHERE outcome = 'queued'")),
             1); // not the third
}

void WireTrapsTest::aTurnRefusedWhileQueuedStillWarns()
{
    ProxyFixture proxy(answering());
    proxy.set(settings::Key::RatePerMin, "60");
    proxy.set(settings::Key::Burst, "1");
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(hello));
    Conversation edited(proxy, "s");
    edited.messages() = {said(QStringLiteral("user"), hello),
                         said(QStringLiteral("assistant"), QStringLiteral("edited"))};
    const auto call = edited.begin(QStringLiteral("more"));
    QVERIFY(queued(proxy, 1));
    proxy.engine().changeSetting(QStringLiteral("rate_per_min"), QStringLiteral("3"));
    QTRY_COMPARE(proxy.turn().phase, live::Phase::Backoff);
    QCOMPARE(proxy.wire().opened().size(), 1);
    call->abort();
    QTRY_COMPARE(proxy.engine().turnsInFlight(), std::size_t{0});
    proxy.stop();
    QCOMPARE(count(proxy, QStringLiteral("admission WHERE outcome = 'queued'")), 1);
    QCOMPARE(count(proxy, QStringLiteral("admission WHERE outcome = 'refused'")), 1);
    QCOMPARE(count(proxy, QLatin1String(lost)), 1);
}

void WireTrapsTest::aTurnRefusedOnArrivalWarnsOnce()
{
    ProxyFixture proxy(answering());
    proxy.set(settings::Key::RatePerMin, "3");
    proxy.set(settings::Key::Burst, "1");
    proxy.set(settings::Key::Retries, "5");
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(hello));
    Conversation edited(proxy, "s");
    edited.messages() = {said(QStringLiteral("user"), hello),
                         said(QStringLiteral("assistant"), QStringLiteral("edited"))};
    const auto call = edited.begin(QStringLiteral("more"));
    QTRY_COMPARE(proxy.turn().phase, live::Phase::Backoff);
    proxy.passTime(5s); // the hint; the next attempt is refused as well
    QTRY_COMPARE(proxy.turn().attempt, std::uint32_t{2});
    QTRY_COMPARE(proxy.turn().phase, live::Phase::Backoff);
    call->abort();
    QTRY_COMPARE(proxy.engine().turnsInFlight(), std::size_t{0});
    QCOMPARE(proxy.wire().opened().size(), 1);
    proxy.stop();
    QCOMPARE(count(proxy, QStringLiteral("admission WHERE outcome = 'queued'")), 0);
    QCOMPARE(count(proxy, QStringLiteral("admission WHERE outcome = 'refused'")), 2);
    QCOMPARE(count(proxy, QLatin1String(lost)), 1);
}

void WireTrapsTest::aTurnThatAdoptsWarnsOfNothing()
{
    ProxyFixture proxy(busyFor(300ms, QStringLiteral("one")));
    oneASecond(proxy);
    proxy.start();
    Conversation agent(proxy, "s");
    const auto parent = agent.begin(hello);
    QTRY_COMPARE(proxy.wire().sent().size(), 1);
    Conversation child(proxy, "s");
    child.messages() = agent.messages();
    child.messages().append(said(QStringLiteral("assistant"), QStringLiteral("one")));
    const auto call = child.begin(QStringLiteral("more"));
    QVERIFY(queued(proxy, 1));
    QTRY_VERIFY(parent->isComplete());
    proxy.passTime(1s);
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(proxy.wire().opened().size(), 1);
    proxy.stop();
    QCOMPARE(count(proxy, QStringLiteral("warning WHERE key LIKE 'cache.%'")), 0);
    QCOMPARE(count(proxy, QStringLiteral("head_decision WHERE rescan_outcome = 'continuation'")),
             1);
}

void WireTrapsTest::aTurnAdmittedOnArrivalScansOnce()
{
    ProxyFixture proxy(answering());
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(hello));
    QCOMPARE(proxy.wire().opened().size(), 1);
    proxy.stop();
    QCOMPARE(count(proxy, QStringLiteral("head_decision")), 1);
    QCOMPARE(count(proxy, QStringLiteral("head_decision WHERE rescan_outcome IS NOT NULL")), 0);
}

void WireTrapsTest::aTurnThatWaitedScansTwice()
{
    ProxyFixture proxy(answering());
    oneASecond(proxy);
    proxy.start();
    Conversation agent(proxy, "s");
    QVERIFY(agent.say(hello));
    Conversation other(proxy, "other");
    const auto call = other.begin(hello);
    QVERIFY(queued(proxy, 1));
    proxy.passTime(1s);
    QTRY_VERIFY(call->isComplete());
    QCOMPARE(proxy.wire().opened().size(), 2);
    proxy.stop();
    QCOMPARE(count(proxy, QStringLiteral("head_decision WHERE rescan_outcome = 'no_change'")), 1);
}

QTEST_GUILESS_MAIN(WireTrapsTest)
#include "tst_wiretraps.moc"
