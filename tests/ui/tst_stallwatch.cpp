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
    void refusalsFromBeforeAreNoNews();
    void thoseWithoutHopeAreSaidAfterThreeSeconds();
    void aLongWaitIsSaid();
    void whatComesAndGoesDoesNotFlicker();
    void whomAPersonHoldsDoesNotStarve();
    void aPauseIsNoStall();
    void aProxyStartedAgainCountsAnew();
    void theRemedyFitsWhatLiesInTheWay_data();
    void theRemedyFitsWhatLiesInTheWay();
    void aLockedPolicyIsNotOffered();
};

namespace {

live::Snapshot at(int second, int milliseconds = 0)
{
    live::Snapshot snapshot;
    snapshot.at
        = base::WallTime(base::Seconds(1'000'000'000 + second)) + base::Milliseconds(milliseconds);
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
    row.refusedThen = isHopeless;
    return row;
}

live::Snapshot withoutHope(int second)
{
    live::Snapshot snapshot = at(second);
    snapshot.turns = {queued(), queued(true), queued(true)};
    return snapshot;
}

// One that has waited for so long, in two phases.
live::Snapshot starving(int second, base::Milliseconds waited)
{
    live::Snapshot snapshot = at(second);
    snapshot.turns = {queued()};
    snapshot.turns.front().spent[static_cast<std::size_t>(live::Phase::Queued)] = waited / 2;
    snapshot.turns.front().spent[static_cast<std::size_t>(live::Phase::Backoff)] = waited / 2;
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
        live::Snapshot snapshot = at(second);
        snapshot.turns = {queued(), queued()};
        snapshot.totals.rejections = static_cast<std::uint64_t>(second); // one a second
        watch.hear(snapshot);
        QVERIFY(!watch.trouble());
    }
}

void StallWatchTest::aRefusalIsSaidAtOnceAndForAMinute()
{
    StallWatch watch;
    watch.hear(at(0));
    live::Snapshot snapshot = at(1);
    snapshot.totals.turnsRefused = 3;
    snapshot.turns = {queued(), queued()};
    watch.hear(snapshot);
    QVERIFY(watch.trouble());
    QVERIFY2(says(watch, "2 waiting, the longest for 0\u00a0ms; 3 refused"),
             qPrintable(watch.trouble()->what));
    for (int second = 2; second <= 60; ++second) {
        snapshot.at = at(second).at;
        watch.hear(snapshot);
        QVERIFY(watch.trouble());
    }
    for (int second = 61; second <= 66; ++second) {
        snapshot.at = at(second).at;
        watch.hear(snapshot);
    }
    QVERIFY(!watch.trouble());
}

void StallWatchTest::refusalsFromBeforeAreNoNews()
{
    StallWatch watch;
    live::Snapshot snapshot = at(0);
    snapshot.totals.turnsRefused = 300;
    watch.hear(snapshot);
    QVERIFY(!watch.trouble());
    snapshot.at = at(1).at;
    snapshot.totals.turnsRefused = 301;
    watch.hear(snapshot);
    QVERIFY(says(watch, "1 refused in"));
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

void StallWatchTest::whomAPersonHoldsDoesNotStarve()
{
    StallWatch watch;
    for (int second = 0; second < 30; ++second) {
        live::Snapshot snapshot = starving(second, 40s);
        snapshot.turns.front().held = true;
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

void StallWatchTest::aProxyStartedAgainCountsAnew()
{
    StallWatch watch;
    live::Snapshot snapshot = at(0);
    snapshot.totals.turnsRefused = 5;
    watch.hear(snapshot);
    snapshot.at = at(1).at;
    snapshot.totals.turnsRefused = 9;
    watch.hear(snapshot);
    QVERIFY(watch.trouble());
    snapshot.at = at(2).at;
    snapshot.totals.turnsRefused = 0; // of another process
    watch.hear(snapshot);
    QVERIFY(!watch.trouble());
    snapshot.at = at(3).at;
    snapshot.totals.turnsRefused = 1;
    watch.hear(snapshot);
    QVERIFY(says(watch, "1 refused"));
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
    watch.hear(snapshot);
    snapshot.at = at(1).at;
    snapshot.totals.turnsRefused = 1;
    snapshot.totals.rejections = rejects ? 1 : 0;
    watch.hear(snapshot);
    QVERIFY(watch.trouble());
    QCOMPARE(static_cast<int>(watch.trouble()->kind), kind);
    QVERIFY2(watch.trouble()->what.contains(cause), qPrintable(watch.trouble()->what));
    QCOMPARE(watch.trouble()->action, action);
    if (kind == static_cast<int>(Kind::StarvedByRate))
        QVERIFY(says(watch, "(42 a minute now)"));
}

void StallWatchTest::aLockedPolicyIsNotOffered()
{
    StallWatch watch;
    live::Snapshot snapshot = at(0);
    snapshot.policy = "fixed";
    snapshot.settings["policy"] = {"fixed", "command_line", true};
    watch.hear(snapshot);
    snapshot.at = at(1).at;
    snapshot.totals.turnsRefused = 1;
    watch.hear(snapshot);
    QCOMPARE(watch.trouble()->action, QString());
    QVERIFY(says(watch, "fixed was fixed when Headway was started"));
}

QTEST_GUILESS_MAIN(StallWatchTest)
#include "tst_stallwatch.moc"
