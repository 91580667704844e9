// SPDX-License-Identifier: GPL-3.0-or-later
// When turns are said to starve for want of connections, and what is said then.
#include "ui/models/stallwatch.h"

#include <QTest>

using namespace headway;
using namespace headway::ui;
using namespace std::chrono_literals;
using Kind = Trouble::Kind;

class StallWatchTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void turnsThatWaitTheirTurnAreNoStall();
    void aRefusalIsSaidAtOnceAndForAMinute();
    void theMinuteBeforeTheWindowCounts();
    void aSecondIsCountedOnce();
    void aClockThatIsSetBackForgetsNothing();
    void thoseWithoutHopeAreSaidAfterThreeSeconds();
    void aLongWaitIsSaid();
    void whatComesAndGoesDoesNotFlicker();
    void whoLacksNoConnectionDoesNotStarve();
    void aPauseIsNoStall();
    void aProxyThatStoppedHasNoStall();
    void theRemedyFitsWhatLiesInTheWay_data();
    void theRemedyFitsWhatLiesInTheWay();
};

namespace {

live::Snapshot at(int second, int milliseconds = 0)
{
    live::Snapshot snapshot;
    snapshot.at
        = base::WallTime(base::Seconds(1'000'000'000 + second)) + base::Milliseconds(milliseconds);
    snapshot.listening = "127.0.0.1:17421";
    snapshot.policy = "bucket";
    snapshot.settings["policy"].value = "bucket";
    snapshot.settings["rate_per_min"].value = "42";
    snapshot.settings["rate_pinned"].value = "false";
    return snapshot;
}

live::TurnRow queued(bool isHopeless = false)
{
    live::TurnRow row;
    row.phase = live::Phase::Queued;
    row.lacksOpening = true;
    row.refusedThen = isHopeless;
    return row;
}

live::Snapshot withoutHope(int second)
{
    live::Snapshot snapshot = at(second);
    snapshot.turns = {queued(), queued(true), queued(true)};
    return snapshot;
}

// One that has lacked a connection for so long.
live::Snapshot starving(int second, base::Milliseconds lacked)
{
    live::Snapshot snapshot = at(second);
    snapshot.turns = {queued()};
    snapshot.turns.front().lackedOpening = lacked;
    return snapshot;
}

// So many turns refused, and openings rejected, in the second of the snapshot.
live::Snapshot refusing(int second, std::uint32_t refused, std::uint32_t rejections = 0)
{
    live::Snapshot snapshot = at(second);
    live::SecondStats stats;
    stats.second = 1'000'000'000 + second;
    stats.turnsRefused = refused;
    stats.rejections = rejections;
    stats.refused = 17; // attempts: they count for nothing here
    snapshot.seconds = {stats};
    return snapshot;
}

bool says(const StallWatch &watch, const char *words)
{
    const Trouble &trouble = *watch.trouble();
    const QString all = trouble.what + u' ' + trouble.meaning + u' ' + trouble.remedy;
    return all.contains(QString::fromUtf8(words));
}

} // namespace

void StallWatchTest::turnsThatWaitTheirTurnAreNoStall()
{
    StallWatch watch;
    for (int second = 0; second < 100; ++second) {
        live::Snapshot snapshot = refusing(second, 0, 1);
        snapshot.turns = {queued(), queued()};
        watch.hear(snapshot);
        QVERIFY(!watch.trouble());
    }
}

void StallWatchTest::aRefusalIsSaidAtOnceAndForAMinute()
{
    StallWatch watch;
    watch.hear(at(0));
    live::Snapshot snapshot = refusing(1, 3);
    snapshot.turns = {queued(), queued()};
    watch.hear(snapshot);
    QVERIFY(watch.trouble());
    QVERIFY2(says(watch, "2 waiting, the longest for 0\u00a0ms; 3 refused in the last minute."),
             qPrintable(watch.trouble()->what));
    for (int second = 2; second <= 60; ++second) {
        watch.hear(at(second));
        QVERIFY2(says(watch, "rate gives. 3 refused in the last minute."),
                 qPrintable(watch.trouble()->what));
        QVERIFY(says(watch, "are quiet until then"));
    }
    for (int second = 61; second <= 65; ++second)
        watch.hear(at(second));
    QVERIFY(!watch.trouble());
}

// As a window is told that attaches late: the seconds before come at once.
void StallWatchTest::theMinuteBeforeTheWindowCounts()
{
    StallWatch watch;
    live::Snapshot snapshot = at(100);
    for (int second : {30, 41, 55, 99, 100})
        snapshot.seconds.push_back(refusing(second, 10).seconds.front());
    watch.hear(snapshot);
    QVERIFY2(says(watch, "40 refused in the last minute"), qPrintable(watch.trouble()->what));
}

// A second that goes on is told again, with more in it.
void StallWatchTest::aSecondIsCountedOnce()
{
    StallWatch watch;
    watch.hear(refusing(1, 1));
    live::Snapshot snapshot = refusing(1, 4);
    snapshot.at += 300ms;
    watch.hear(snapshot);
    watch.hear(at(2));
    QVERIFY(says(watch, " 4 refused in the last minute"));
}

void StallWatchTest::aClockThatIsSetBackForgetsNothing()
{
    StallWatch watch;
    watch.hear(refusing(10, 3));
    watch.hear(at(9));
    QVERIFY(says(watch, "3 refused"));
    watch.hear(at(10));
    QVERIFY(says(watch, "3 refused"));
}

void StallWatchTest::thoseWithoutHopeAreSaidAfterThreeSeconds()
{
    StallWatch watch;
    for (int second = 0; second < 3; ++second) {
        watch.hear(withoutHope(second));
        QVERIFY(!watch.trouble());
    }
    watch.hear(withoutHope(3));
    QVERIFY(watch.trouble());
    QVERIFY(says(watch, "3 waiting"));
    QVERIFY(says(watch, "2 of those that wait will be refused"));
}

void StallWatchTest::aLongWaitIsSaid()
{
    StallWatch watch;
    watch.hear(starving(0, 14'998ms));
    QVERIFY(!watch.trouble());
    live::Snapshot snapshot = starving(1, 15'998ms);
    snapshot.turns.push_back(queued());
    watch.hear(snapshot);
    QVERIFY(watch.trouble());
    QVERIFY2(says(watch, "2 waiting, the longest for 15\u00a0s."),
             qPrintable(watch.trouble()->what));
    QVERIFY(says(watch, "go on by themselves"));
}

// Another one begins to wait as the last one leaves: said all the time, and gone five seconds
// after.
void StallWatchTest::whatComesAndGoesDoesNotFlicker()
{
    StallWatch watch;
    watch.hear(starving(10, 16s));
    QVERIFY(watch.trouble());
    for (int second = 11; second < 15; ++second) {
        watch.hear(starving(second, 1s));
        QVERIFY(watch.trouble());
    }
    watch.hear(at(15));
    QVERIFY(!watch.trouble());
}

// Nor does who waits for a head, or for the remedy of another fault; and the time is not counted
// against the rate when it ends.
void StallWatchTest::whoLacksNoConnectionDoesNotStarve()
{
    StallWatch watch;
    for (int second = 0; second < 30; ++second) {
        live::Snapshot snapshot = starving(second, 0s);
        snapshot.turns.front().lacksOpening = second == 29;
        snapshot.turns.front().spent[static_cast<std::size_t>(live::Phase::Queued)] = 40s;
        watch.hear(snapshot);
        QVERIFY(!watch.trouble());
    }
}

void StallWatchTest::aPauseIsNoStall()
{
    StallWatch watch;
    for (int second = 0; second < 30; ++second) {
        live::Snapshot snapshot = withoutHope(second);
        snapshot.overrides.pauseAll = true;
        watch.hear(snapshot);
        QVERIFY(!watch.trouble());
    }
}

// In the same second too.
void StallWatchTest::aProxyThatStoppedHasNoStall()
{
    StallWatch watch;
    watch.hear(starving(1, 20s));
    QVERIFY(watch.trouble());
    live::Snapshot stopped = at(1, 300);
    stopped.listening.clear();
    watch.hear(stopped);
    QVERIFY(!watch.trouble());
}

void StallWatchTest::theRemedyFitsWhatLiesInTheWay_data()
{
    QTest::addColumn<QString>("policy");
    QTest::addColumn<bool>("isPinned");
    QTest::addColumn<bool>("rejects");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("cause");
    QTest::addColumn<QString>("action");
    const auto row = [](const char *policy, bool isPinned, bool rejects, Kind kind,
                        const char *cause, const char *action) {
        QTest::addRow("%s%s%s", policy, isPinned ? " pinned" : "", rejects ? " rejected" : "")
            << QString::fromLatin1(policy) << isPinned << rejects << static_cast<int>(kind)
            << QString::fromLatin1(cause) << QString::fromLatin1(action);
    };
    row("bucket", false, false, Kind::StarvedByRate, "than the set rate gives", "Show the rate");
    row("bucket", false, true, Kind::StarvedByPolicy, "the provider rejects",
        "Use the policy auto");
    row("adaptive", false, true, Kind::StarvedByPolicy, "the provider rejects",
        "Use the policy auto");
    row("fixed", false, false, Kind::StarvedByPolicy, "the policy fixed opens",
        "Use the policy auto");
    row("auto", false, true, Kind::StarvedByAccount, "the provider rejects",
        "Show the idle deadline");
    row("auto", false, false, Kind::StarvedByAccount, "thought to bear", "Show the idle deadline");
    row("auto", true, false, Kind::StarvedByRate, "than the set rate gives", "Show the rate");
    row("auto", true, true, Kind::StarvedByAccount, "the provider rejects",
        "Show the idle deadline");
}

void StallWatchTest::theRemedyFitsWhatLiesInTheWay()
{
    QFETCH(const QString, policy);
    QFETCH(const bool, isPinned);
    QFETCH(const bool, rejects);
    QFETCH(const int, kind);
    QFETCH(const QString, cause);
    QFETCH(const QString, action);
    StallWatch watch;
    live::Snapshot snapshot = at(0);
    snapshot.policy = policy.toStdString();
    snapshot.settings["policy"].value = snapshot.policy;
    snapshot.settings["rate_pinned"].value = isPinned ? "true" : "false";
    snapshot.seconds = refusing(0, 1, rejects ? 1 : 0).seconds;
    watch.hear(snapshot);
    QVERIFY(watch.trouble());
    QCOMPARE(static_cast<int>(watch.trouble()->kind), kind);
    QVERIFY2(watch.trouble()->what.contains(cause), qPrintable(watch.trouble()->what));
    QCOMPARE(watch.trouble()->action, action);
    if (kind == static_cast<int>(Kind::StarvedByRate))
        QVERIFY(says(watch, "(42 a minute now)"));
}

QTEST_GUILESS_MAIN(StallWatchTest)
#include "tst_stallwatch.moc"
