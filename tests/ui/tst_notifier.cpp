// SPDX-License-Identifier: GPL-3.0-or-later
// When the desktop is told something (spec/window.md, "Rules": notifications with a cool-down; a
// turn finished normally is never shown as a fault).
#include "ui/models/notifier.h"

#include <QTest>

using namespace headway;
using namespace headway::ui;
using Kind = Notification::Kind;

class NotifierTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aHealthyProxySaysNothing();
    void turnsThatEndAsTheyShouldSayNothing();
    void troubleIsSaidOnceWhenItBegins();
    void troubleThatComesAgainWithinTheCoolDownIsSaidAtItsEnd();
    void failuresAreCountedOverTheCoolDown();
    void whatFailedBeforeTheWindowOpenedIsNoNews();
    void kindsHaveCoolDownsOfTheirOwn();
    void aClockThatStepsBackDoesNotSilenceForever();

private:
    static live::Snapshot at(base::Seconds second)
    {
        live::Snapshot snapshot;
        snapshot.at = base::WallTime(base::Milliseconds(1'790'000'000'000)) + second;
        snapshot.listening = "127.0.0.1:17421";
        snapshot.upstreamState = "ok";
        snapshot.ledgerState = "ok";
        return snapshot;
    }
};

void NotifierTest::aHealthyProxySaysNothing()
{
    Notifier notifier;
    for (int second = 0; second < 1'000; ++second)
        QVERIFY(notifier.look(at(base::Seconds(second))).empty());
}

void NotifierTest::turnsThatEndAsTheyShouldSayNothing()
{
    Notifier notifier;
    live::Snapshot snapshot = at(base::Seconds(0));
    QVERIFY(notifier.look(snapshot).empty());
    snapshot.totals.turnsStarted = snapshot.totals.turnsCompleted = 500;
    snapshot.totals.clientGone = 3;
    QVERIFY(notifier.look(snapshot).empty());
}

void NotifierTest::troubleIsSaidOnceWhenItBegins()
{
    Notifier notifier;
    live::Snapshot snapshot = at(base::Seconds(0));
    QVERIFY(notifier.look(snapshot).empty());
    snapshot.upstreamState = "unreachable: no route";
    const auto said = notifier.look(snapshot);
    QCOMPARE(said.size(), std::size_t{1});
    QCOMPARE(said.front().kind, Kind::Upstream);
    QVERIFY(said.front().title.contains(QLatin1String("no route")));
    QVERIFY(!said.front().text.isEmpty());
    for (int second = 1; second < 2'000; second += 7) {
        live::Snapshot later = at(base::Seconds(second));
        later.upstreamState = snapshot.upstreamState;
        QVERIFY(notifier.look(later).empty()); // it is still the same trouble
    }
}

void NotifierTest::troubleThatComesAgainWithinTheCoolDownIsSaidAtItsEnd()
{
    Notifier notifier;
    live::Snapshot bad = at(base::Seconds(0));
    bad.ledgerState = "the disk is full";
    QCOMPARE(notifier.look(bad).size(), std::size_t{1});
    QVERIFY(notifier.look(at(base::Seconds(10))).empty()); // it is well again
    bad.at = at(base::Seconds(20)).at;
    QVERIFY(notifier.look(bad).empty());
    bad.at = at(base::Seconds(299)).at;
    QVERIFY(notifier.look(bad).empty());
    bad.at = at(base::Seconds(300)).at;
    QCOMPARE(notifier.look(bad).size(), std::size_t{1});
}

void NotifierTest::failuresAreCountedOverTheCoolDown()
{
    Notifier notifier;
    QVERIFY(notifier.look(at(base::Seconds(0))).empty());
    live::Snapshot snapshot = at(base::Seconds(1));
    snapshot.totals.turnsFailed = 1;
    auto said = notifier.look(snapshot);
    QCOMPARE(said.size(), std::size_t{1});
    QVERIFY(said.front().title.endsWith(QLatin1String(": 1")));
    snapshot.at = at(base::Seconds(2)).at;
    snapshot.totals.turnsFailed = 9;
    QVERIFY(notifier.look(snapshot).empty());
    snapshot.at = at(base::Seconds(301)).at;
    said = notifier.look(snapshot);
    QCOMPARE(said.size(), std::size_t{1});
    QVERIFY(said.front().title.endsWith(QLatin1String(": 8")));
}

void NotifierTest::whatFailedBeforeTheWindowOpenedIsNoNews()
{
    Notifier notifier;
    live::Snapshot snapshot = at(base::Seconds(0));
    snapshot.totals.turnsFailed = 12;
    snapshot.totals.rejections = 40;
    QVERIFY(notifier.look(snapshot).empty());
}

void NotifierTest::kindsHaveCoolDownsOfTheirOwn()
{
    Notifier notifier;
    live::Snapshot snapshot = at(base::Seconds(0));
    snapshot.upstreamState = "rejecting (429)";
    QCOMPARE(notifier.look(snapshot).size(), std::size_t{1});
    snapshot.at = at(base::Seconds(1)).at;
    snapshot.totals.rejections = 4;
    const auto said = notifier.look(snapshot);
    QCOMPARE(said.size(), std::size_t{1});
    QCOMPARE(said.front().kind, Kind::Rejected);
}

void NotifierTest::aClockThatStepsBackDoesNotSilenceForever()
{
    Notifier notifier;
    live::Snapshot bad = at(base::Seconds(10'000));
    bad.upstreamState = "unreachable: x";
    QCOMPARE(notifier.look(bad).size(), std::size_t{1});
    QVERIFY(notifier.look(at(base::Seconds(10'001))).empty());
    bad.at = at(base::Seconds(5)).at;
    QCOMPARE(notifier.look(bad).size(), std::size_t{1});
}

QTEST_APPLESS_MAIN(NotifierTest)
#include "tst_notifier.moc"
