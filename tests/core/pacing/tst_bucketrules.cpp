// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/bucketrules.h"
#include "proxy/core/settings/settings.h"
#include "tests/core/pacing/timeline.h"

#include <QTest>

#include <limits>
#include <set>

using namespace headway::pacing;
using namespace headway::pacing::test;
using headway::base::Seconds;

class BucketRulesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void refusesOnlyWhatTheRetriesOutlast_data();
    void refusesOnlyWhatTheRetriesOutlast();
    void roundsHintsUpBetweenOneSecondAndTheCap();
    void saysNothingAtTheDefaults();
    void saysThatPacingIsOff();
    void saysThatOverflowIsNotRefused();
    void saysNothingWithoutRetriesOrLimiter();
    void saysNothingForPoliciesWithoutAWaitBound();
    void bringsSettingsIntoTheirRange();
    void showsBothNoticesOfCaseB08();
};

void BucketRulesTest::refusesOnlyWhatTheRetriesOutlast_data()
{
    QTest::addColumn<int>("idle");
    QTest::addColumn<int>("retries");
    QTest::addColumn<double>("rate");
    QTest::addColumn<bool>("expected");
    QTest::newRow("default, rate 3") << 120'000 << 5 << 3.0 << true;
    QTest::newRow("default, rate 2") << 120'000 << 5 << 2.0 << false;
    QTest::newRow("idle 10000, rate 30") << 10'000 << 5 << 30.0 << true;
    QTest::newRow("idle 10000, rate 29") << 10'000 << 5 << 29.0 << false;
    QTest::newRow("no retries") << 120'000 << 0 << 600.0 << false;
    QTest::newRow("bound 0") << 14'001 << 5 << 600.0 << false;
    QTest::newRow("limiter off") << 120'000 << 5 << 0.0 << false;
}

void BucketRulesTest::refusesOnlyWhatTheRetriesOutlast()
{
    QFETCH(const int, idle);
    QFETCH(const int, retries);
    QFETCH(const double, rate);
    BudgetSettings settings{Milliseconds(idle), {}, {}};
    if (retries == 0)
        settings.retries = 0;
    QTEST(canRefuse(waitBudget(resolveBudget(settings)), rate), "expected");
}

void BucketRulesTest::roundsHintsUpBetweenOneSecondAndTheCap()
{
    QCOMPARE(retryHint(0ms, 4'000ms), Seconds(1));
    QCOMPARE(retryHint(1ms, 4'000ms), Seconds(1));
    QCOMPARE(retryHint(1'000ms, 4'000ms), Seconds(1));
    QCOMPARE(retryHint(1'000ms + 1us, 4'000ms), Seconds(1)); // equal within 1 µs
    QCOMPARE(retryHint(1'000ms + 2us, 4'000ms), Seconds(2));
    QCOMPARE(retryHint(3'001ms, 4'000ms), Seconds(4));
    QCOMPARE(retryHint(60'000ms, 4'000ms), Seconds(4));
    QCOMPARE(retryHint(60'000ms, 1'000ms), Seconds(1));
}

void BucketRulesTest::saysNothingAtTheDefaults()
{
    QVERIFY(bucketNotices({}, resolveBudget({})).empty());
}

void BucketRulesTest::saysThatPacingIsOff()
{
    const auto notices = bucketNotices({}, idleOf(14'001ms));
    QCOMPARE(notices.size(), std::size_t(1));
    QCOMPARE(notices[0].key, std::string("pacing.disabled:3:14001"));
    QCOMPARE(notices[0].text,
             std::string("not pacing new connections: a 3-retry budget leaves no room to queue "
                         "inside the resolved 14001 ms deadline"));
}

void BucketRulesTest::saysThatOverflowIsNotRefused()
{
    const auto notices = bucketNotices(bucket(2), resolveBudget({}));
    QCOMPARE(notices.size(), std::size_t(1));
    QVERIFY(notices[0].key.starts_with("pacing.cannot_refuse:"));
    QCOMPARE(notices[0].text,
             std::string("pacing new connections at 2/minute without refusing overflow: a 5-retry "
                         "schedule spans only 20 s, which cannot outlast the 30000 ms wait for a "
                         "slot, so excess connections are admitted late rather than failed"));
}

void BucketRulesTest::saysNothingWithoutRetriesOrLimiter()
{
    QVERIFY(bucketNotices(bucket(1), retriesOf(0)).empty());
    QVERIFY(bucketNotices(bucket(0), idleOf(14'001ms)).empty());
    QVERIFY(bucketNotices({Policy::Off, 1, 10, 0ms}, resolveBudget({})).empty());
}

void BucketRulesTest::saysNothingForPoliciesWithoutAWaitBound()
{
    const RequestBudget boundless = idleOf(14'001ms);
    for (const Policy policy : {Policy::Off, Policy::Fixed, Policy::Adaptive, Policy::Auto})
        QVERIFY(bucketNotices({policy, 1, 10, 0ms}, boundless).empty());
    QCOMPARE(bucketNotices({Policy::Bucket, 1, 10, 0ms}, boundless).size(), std::size_t(1));
}

void BucketRulesTest::bringsSettingsIntoTheirRange()
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    QCOMPARE(effective(bucket(-1, 10)).ratePerMinute, 1.0);
    QCOMPARE(effective(bucket(0, 10)).ratePerMinute, 0.0);
    QCOMPARE(effective(bucket(0.001, 10)).ratePerMinute, 1.0);
    QCOMPARE(effective(bucket(601, 10)).ratePerMinute, 600.0);
    QCOMPARE(effective(bucket(nan, nan)), bucket(60, 10));
    QCOMPARE(effective(bucket(60, 0)).burst, 1.0);
    QCOMPARE(effective(bucket(60, 101)).burst, 100.0);
}

void BucketRulesTest::showsBothNoticesOfCaseB08()
{
    headway::settings::Settings settings;
    using headway::settings::Key;
    using headway::settings::Source;
    const auto rate = settings.set(Source::Environment, Key::RatePerMin, "disabled:3:14001");
    settings.set(Source::Environment, Key::IdleMs, "14001");
    const double ratePerMinute = double(settings.integer(Key::RatePerMin));
    const auto off = bucketNotices(bucket(ratePerMinute), resolveBudget(settings.budget()));
    QVERIFY(rate.notice);
    QCOMPARE(off.size(), std::size_t(1));
    QVERIFY(off[0].key != rate.notice->key);
}

QTEST_APPLESS_MAIN(BucketRulesTest)
#include "tst_bucketrules.moc"
