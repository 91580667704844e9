// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/live/secondcounter.h"

#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using live::SecondCounter;
using live::SecondStats;

class SecondCounterTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void countsEachKindOfStartApart();
    void percentilesAreNearestRankOverTheSecondsWaits();
    void theOpenSecondIsGivenAgainUntilItIsOver();
    void levelsAreCarriedIntoTheNextSecond();
    void aSecondWithoutWaitsSaysSo();
    void aClockThatStepsBackLosesNothing();
    void whileNobodyLooksTheNewestHourIsKept();
};

namespace {

constexpr base::WallTime noon{base::Milliseconds{1'800'000'000'000}};

} // namespace

void SecondCounterTest::countsEachKindOfStartApart()
{
    SecondCounter counter;
    counter.start(SecondCounter::Start::Continued, noon);
    counter.start(SecondCounter::Start::Continued, noon + 999ms);
    counter.start(SecondCounter::Start::OpenedAtOnce, noon);
    counter.start(SecondCounter::Start::OpenedAfterWait, noon);
    counter.start(SecondCounter::Start::LaneOrSpare, noon);
    counter.start(SecondCounter::Start::Refused, noon);
    counter.rejection(noon);
    counter.ended(true, noon);
    counter.ended(false, noon);
    counter.turnRefused(noon);
    counter.warning(noon);
    const auto seconds = counter.take();
    QCOMPARE(seconds.size(), std::size_t{1});
    SecondStats expected;
    expected.second = 1'800'000'000;
    expected.continued = 2;
    expected.openedAtOnce = expected.openedAfterWait = expected.laneOrSpare = expected.refused = 1;
    expected.turnsRefused = 1;
    expected.rejections = expected.completed = expected.failed = expected.warnings = 1;
    QVERIFY(seconds.front() == expected);
}

void SecondCounterTest::percentilesAreNearestRankOverTheSecondsWaits()
{
    SecondCounter counter;
    for (int i = 20; i >= 1; --i)
        counter.wait(base::Milliseconds{i * 100}, noon);
    const SecondStats stats = counter.take().back();
    QCOMPARE(stats.waits, 20U);
    QCOMPARE(stats.waitP50Ms, 1000.0); // the 10th of 20
    QCOMPARE(stats.waitP95Ms, 1900.0); // the 19th of 20
    QCOMPARE(stats.waitMaxMs, 2000.0);
}

void SecondCounterTest::theOpenSecondIsGivenAgainUntilItIsOver()
{
    SecondCounter counter;
    counter.rejection(noon);
    QCOMPARE(counter.take().back().rejections, 1U);
    counter.rejection(noon + 500ms);
    QCOMPARE(counter.take().back().rejections, 2U);
    counter.rejection(noon + 1s);
    const auto seconds = counter.take();
    QCOMPARE(seconds.size(), std::size_t{2});
    QCOMPARE(seconds[0].rejections, 2U);
    QCOMPARE(seconds[1].second, std::int64_t{1'800'000'001});
    QCOMPARE(seconds[1].rejections, 1U);
    QCOMPARE(counter.take().size(), std::size_t{1});
}

void SecondCounterTest::levelsAreCarriedIntoTheNextSecond()
{
    SecondCounter counter;
    counter.level(-2.5, 4, noon);
    counter.rejection(noon + 3s);
    const SecondStats later = counter.take().back();
    QCOMPARE(later.bucketLevel, -2.5);
    QCOMPARE(later.queueLength, 4U);
}

void SecondCounterTest::aSecondWithoutWaitsSaysSo()
{
    SecondCounter counter;
    counter.wait(5s, noon);
    counter.rejection(noon + 1s);
    const auto seconds = counter.take();
    QCOMPARE(seconds[0].waits, 1U);
    QCOMPARE(seconds[1].waits, 0U);
}

void SecondCounterTest::aClockThatStepsBackLosesNothing()
{
    SecondCounter counter;
    counter.rejection(noon);
    counter.rejection(noon - 1h);
    QCOMPARE(counter.take().back().rejections, 2U);
}

void SecondCounterTest::whileNobodyLooksTheNewestHourIsKept()
{
    SecondCounter counter;
    for (int second = 0; second < 5'000; ++second)
        counter.rejection(noon + 1s * second);
    const auto seconds = counter.take();
    QCOMPARE(seconds.size(), std::size_t{3'601}); // with the one that is not over
    QCOMPARE(seconds.back().second, std::int64_t{1'800'004'999});
    QCOMPARE(seconds.front().second, std::int64_t{1'800'001'399});
}

QTEST_APPLESS_MAIN(SecondCounterTest)
#include "tst_secondcounter.moc"
