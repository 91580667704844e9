// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/simulator/upgradelimiter.h"

#include <QTest>

using namespace headway::simulator;
using namespace std::chrono_literals;
using headway::base::Milliseconds;
using headway::base::SteadyTime;
using Kind = UpgradeLimit::Kind;

namespace {

constexpr SteadyTime start{1h};

UpgradeLimiter limiter(const UpgradeLimit &limit, double others = 0)
{
    return UpgradeLimiter({limit}, others, 1, start);
}

// How many of `count` attempts at `when` are accepted.
int accepted(UpgradeLimiter &limiter, Milliseconds when, int count, std::size_t open = 0)
{
    int sum = 0;
    for (int i = 0; i < count; ++i)
        sum += limiter.ask(start + when, open).accepted ? 1 : 0;
    return sum;
}

} // namespace

class UpgradeLimiterTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutLimitsEverybodyMayComeIn();
    void slidingWindowCountsTheLastMinuteOnly();
    void aRejectionClosesTheDoorAndKnockingDoesNotKeepItClosed();
    void rejectedUpgradesAreNotCounted();
    void tokenBucketRefillsAtItsRate();
    void concurrentCountsOpenSockets();
    void randomRefusesItsShare();
    void afterTotalOpensAgainAfterReset();
    void maximaChangeEveryPeriod();
    void othersUseUpTheWindow();
    void allLimitsMustAgreeAndARefusalUsesUpNothing();
    void theRefusalCarriesStatusAndRetryAfter();
};

void UpgradeLimiterTest::withoutLimitsEverybodyMayComeIn()
{
    UpgradeLimiter none({}, 0, 1, start);
    QCOMPARE(accepted(none, 0ms, 1000), 1000);
}

void UpgradeLimiterTest::slidingWindowCountsTheLastMinuteOnly()
{
    UpgradeLimiter window = limiter({.kind = Kind::SlidingWindow, .max = {3}});
    QCOMPARE(accepted(window, 0ms, 2), 2);
    QCOMPARE(accepted(window, 30s, 2), 1);
    QCOMPARE(accepted(window, 59'999ms, 1), 0);
    QCOMPARE(accepted(window, 60s, 3), 2);
    QCOMPARE(accepted(window, 89'999ms, 1), 0);
    QCOMPARE(accepted(window, 90s, 2), 1);
}

void UpgradeLimiterTest::aRejectionClosesTheDoorAndKnockingDoesNotKeepItClosed()
{
    UpgradeLimiter window
        = limiter({.kind = Kind::SlidingWindow, .max = {1}, .window = 10s, .block = 20s});
    QCOMPARE(accepted(window, 0ms, 1), 1);
    QCOMPARE(accepted(window, 5s, 1), 0); // closed until 25 s although the window is empty at 10 s
    QCOMPARE(accepted(window, 15s, 1), 0);
    QCOMPARE(accepted(window, 24'999ms, 1), 0);
    QCOMPARE(accepted(window, 25s, 1), 1);
}

void UpgradeLimiterTest::rejectedUpgradesAreNotCounted()
{
    UpgradeLimiter window = limiter({.kind = Kind::SlidingWindow, .max = {2}, .window = 10s});
    QCOMPARE(accepted(window, 0ms, 2), 2);
    QCOMPARE(accepted(window, 9s, 50), 0);
    QCOMPARE(accepted(window, 10s, 5), 2);
}

void UpgradeLimiterTest::tokenBucketRefillsAtItsRate()
{
    UpgradeLimiter bucket = limiter({.kind = Kind::TokenBucket, .ratePerMinute = 60, .burst = 5});
    QCOMPARE(accepted(bucket, 0ms, 10), 5);
    QCOMPARE(accepted(bucket, 999ms, 1), 0);
    QCOMPARE(accepted(bucket, 1000ms, 2), 1);
    QCOMPARE(accepted(bucket, 1h, 10), 5); // never more than the burst
}

void UpgradeLimiterTest::concurrentCountsOpenSockets()
{
    UpgradeLimiter concurrent = limiter({.kind = Kind::Concurrent, .max = {4}});
    QCOMPARE(accepted(concurrent, 0ms, 1, 3), 1);
    QCOMPARE(accepted(concurrent, 0ms, 1, 4), 0);
    QCOMPARE(accepted(concurrent, 0ms, 1, 3), 1);
}

void UpgradeLimiterTest::randomRefusesItsShare()
{
    UpgradeLimiter dice = limiter({.kind = Kind::RandomRefusal, .probability = 0.25});
    const int passed = accepted(dice, 0ms, 10'000);
    // Mean 7500, standard deviation 43.
    QVERIFY2(passed > 7200 && passed < 7800, QByteArray::number(passed).constData());
    UpgradeLimiter never = limiter({.kind = Kind::RandomRefusal, .probability = 1});
    QCOMPARE(accepted(never, 0ms, 100), 0);
}

void UpgradeLimiterTest::afterTotalOpensAgainAfterReset()
{
    UpgradeLimiter total = limiter({.kind = Kind::AfterTotal, .max = {3}, .reset = 10s});
    QCOMPARE(accepted(total, 0ms, 2), 2);
    QCOMPARE(accepted(total, 1s, 5), 1);
    QCOMPARE(accepted(total, 10'999ms, 5), 0);
    QCOMPARE(accepted(total, 11s, 5), 3);
}

void UpgradeLimiterTest::maximaChangeEveryPeriod()
{
    UpgradeLimiter window
        = limiter({.kind = Kind::SlidingWindow, .max = {5, 2}, .every = 60s, .window = 1s});
    QCOMPARE(accepted(window, 0ms, 9), 5);
    QCOMPARE(accepted(window, 59'999ms, 9), 5);
    QCOMPARE(accepted(window, 62s, 9), 2);
    QCOMPARE(accepted(window, 600s, 9), 2); // the last one stays
}

void UpgradeLimiterTest::othersUseUpTheWindow()
{
    UpgradeLimiter window = limiter({.kind = Kind::SlidingWindow, .max = {10}}, 6);
    // Others at 10 s, 20 s, 30 s.
    QCOMPARE(accepted(window, 30s, 20), 7);
}

void UpgradeLimiterTest::allLimitsMustAgreeAndARefusalUsesUpNothing()
{
    UpgradeLimiter both({{.kind = Kind::TokenBucket, .ratePerMinute = 0, .burst = 3},
                         {.kind = Kind::Concurrent, .max = {1}}},
                        0, 1, start);
    QCOMPARE(accepted(both, 0ms, 5, 1), 0); // too many open sockets
    QCOMPARE(accepted(both, 1s, 5, 0), 3); // the bucket is still full
}

void UpgradeLimiterTest::theRefusalCarriesStatusAndRetryAfter()
{
    UpgradeLimiter concurrent
        = limiter({.kind = Kind::Concurrent, .max = {0}, .status = 429, .retryAfter = 7s});
    const UpgradeVerdict verdict = concurrent.ask(start, 0);
    QVERIFY(!verdict.accepted);
    QCOMPARE(verdict.status, 429);
    QCOMPARE(*verdict.retryAfter, Milliseconds{7000});
}

QTEST_APPLESS_MAIN(UpgradeLimiterTest)
#include "tst_upgradelimiter.moc"
