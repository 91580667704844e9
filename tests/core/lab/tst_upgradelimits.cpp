// SPDX-License-Identifier: GPL-3.0-or-later
// Each limit of the modelled provider, counted by hand.
#include "proxy/core/lab/clock.h"
#include "proxy/core/lab/upgradelimits.h"

#include <QTest>

#include <vector>

using namespace headway;
using namespace headway::lab;
using namespace std::chrono_literals;

namespace {

UpgradeLimit window(double max, base::Nanoseconds length, base::Nanoseconds block)
{
    UpgradeLimit limit;
    limit.max = {max};
    limit.window = length;
    limit.block = block;
    return limit;
}

// 'a' accepted, 'r' rejected, for upgrades at these seconds.
QString verdicts(UpgradeLimits &limits, const std::vector<double> &seconds, std::size_t open = 0)
{
    QString text;
    for (const double second : seconds) {
        const auto when = startOfRun + base::Milliseconds(static_cast<std::int64_t>(second * 1000));
        text += QLatin1Char(limits.ask(when, open).accepted ? 'a' : 'r');
    }
    return text;
}

QString verdicts(std::vector<UpgradeLimit> limits, const std::vector<double> &seconds,
                 std::size_t open = 0)
{
    UpgradeLimits judged(std::move(limits), startOfRun, base::Random(1));
    return verdicts(judged, seconds, open);
}

} // namespace

class UpgradeLimitsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aWindowCountsTheAcceptedOfItsLength();
    void aRejectionClosesTheDoorAndThoseAtTheClosedDoorDoNotExtendIt();
    void aBucketStartsFullAndRefills();
    void aCapCountsOpenSockets();
    void aTotalClosesTheDoorUntilItsReset();
    void aTotalWithoutResetStaysClosed();
    void aListOfValuesChangesWithItsPeriodAndEndsWithTheLast();
    void allLimitsMustAgreeAndARejectionUsesNothingUp();
    void chanceRejectsItsShare();
    void statesTheRetryAfterOfTheLimitThatRejects();
    void somebodyElsesOpeningsCountButNeverCloseTheDoor();
};

void UpgradeLimitsTest::aWindowCountsTheAcceptedOfItsLength()
{
    // Two in any 10 s: the one of second 0 leaves the window at second 10, not before.
    QCOMPARE(verdicts({window(2, 10s, 0s)}, {0, 1, 2, 9.999, 10, 10.5, 11}),
             QStringLiteral("aarrara"));
}

void UpgradeLimitsTest::aRejectionClosesTheDoorAndThoseAtTheClosedDoorDoNotExtendIt()
{
    // Rejected at 8: closed until 28, although there is room from 10 on.
    QCOMPARE(verdicts({window(1, 10s, 20s)}, {0, 8, 15, 27.999, 28}), QStringLiteral("arrra"));
}

void UpgradeLimitsTest::aBucketStartsFullAndRefills()
{
    UpgradeLimit limit;
    limit.kind = UpgradeLimit::Kind::TokenBucket;
    limit.ratePerMinute = 30;
    limit.burst = 2;
    QCOMPARE(verdicts({limit}, {0, 0, 0, 1.999, 2, 3, 4, 100, 100, 100}),
             QStringLiteral("aarraraaar"));
}

void UpgradeLimitsTest::aCapCountsOpenSockets()
{
    UpgradeLimit limit;
    limit.kind = UpgradeLimit::Kind::Concurrent;
    limit.max = {3};
    QCOMPARE(verdicts({limit}, {0}, 2), QStringLiteral("a"));
    QCOMPARE(verdicts({limit}, {0}, 3), QStringLiteral("r"));
}

void UpgradeLimitsTest::aTotalClosesTheDoorUntilItsReset()
{
    UpgradeLimit limit;
    limit.kind = UpgradeLimit::Kind::AfterTotal;
    limit.max = {2};
    limit.reset = 30s;
    // The second one, at 5, closes the door until 35; then two more.
    QCOMPARE(verdicts({limit}, {0, 5, 6, 34.999, 35, 36, 37}), QStringLiteral("aarraar"));
}

void UpgradeLimitsTest::aTotalWithoutResetStaysClosed()
{
    UpgradeLimit limit;
    limit.kind = UpgradeLimit::Kind::AfterTotal;
    limit.max = {1};
    QCOMPARE(verdicts({limit}, {0, 1, 100'000}), QStringLiteral("arr"));
}

void UpgradeLimitsTest::aListOfValuesChangesWithItsPeriodAndEndsWithTheLast()
{
    UpgradeLimit limit = window(0, 1s, 0s);
    limit.max = {1, 3, 0};
    limit.every = 10s;
    QCOMPARE(verdicts({limit}, {0, 0.5, 10, 10.1, 10.2, 10.3, 20, 510}),
             QStringLiteral("araaarrr"));
}

void UpgradeLimitsTest::allLimitsMustAgreeAndARejectionUsesNothingUp()
{
    UpgradeLimit bucket;
    bucket.kind = UpgradeLimit::Kind::TokenBucket;
    bucket.ratePerMinute = 60;
    bucket.burst = 1;
    // The window has room for two in 100 s. The bucket rejects at 0.5, which must not count there.
    QCOMPARE(verdicts({window(2, 100s, 0s), bucket}, {0, 0.5, 1, 2}), QStringLiteral("arar"));
}

void UpgradeLimitsTest::chanceRejectsItsShare()
{
    UpgradeLimit limit;
    limit.kind = UpgradeLimit::Kind::Random;
    limit.probability = 0.2;
    const QString text = verdicts({limit}, std::vector<double>(10'000, 0));
    // 2000 expected, standard deviation 40.
    QVERIFY(std::abs(text.count(QLatin1Char('r')) - 2000) < 200);
}

void UpgradeLimitsTest::statesTheRetryAfterOfTheLimitThatRejects()
{
    UpgradeLimit limit = window(0, 1s, 0s);
    limit.retryAfter = 7s;
    UpgradeLimits limits({limit}, startOfRun, base::Random(1));
    QCOMPARE(limits.ask(startOfRun, 0).retryAfter, std::optional<base::Milliseconds>(7s));
}

void UpgradeLimitsTest::somebodyElsesOpeningsCountButNeverCloseTheDoor()
{
    UpgradeLimits limits({window(2, 10s, 20s)}, startOfRun, base::Random(1));
    limits.openedByOthers(startOfRun);
    QCOMPARE(verdicts(limits, {1}), QStringLiteral("a"));
    limits.openedByOthers(startOfRun + 2s); // full: turned away, nothing happens
    QCOMPARE(verdicts(limits, {10}), QStringLiteral("a"));
}

QTEST_APPLESS_MAIN(UpgradeLimitsTest)

#include "tst_upgradelimits.moc"
