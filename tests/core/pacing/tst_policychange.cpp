// SPDX-License-Identifier: GPL-3.0-or-later
// The policy changed while people wait, spec/pacing.md section 8.
#include "tests/core/pacing/timeline.h"

#include <QTest>

using namespace headway::pacing;
using namespace headway::pacing::test;

class PolicyChangeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void switchingOffReleasesTheQueueFiftyMillisecondsApart_data();
    void switchingOffReleasesTheQueueFiftyMillisecondsApart();
    void rateZeroReleasesTheQueueToo();
    void fromBucketToFixedGoesOnFromTheLastStart();
    void fromFixedToBucketIsJudgedByTheBucket();
    void whoNoLongerFitsTheBucketIsSentBack();
    void fromAdaptiveToAutoKeepsTheOrder();
    void fromAutoToFixedKeepsTheOrder();
    void theBucketPaysForWhatOthersLetGo();
    void anAdmissionCanBeHandedBackAfterTheChange();
    void aWaiterCanBeCancelledAfterTheChange();
    void thoseSentBackAreToldWhateverPolicyFollows();
    void theSameSettingsChangeNothing();
    void aRejectionAfterTheChangeFollowsTheNewPolicy();
};

namespace {

PacerSettings with(Policy policy, double rate = 60)
{
    return {policy, rate, 10, 0ms};
}

} // namespace

void PolicyChangeTest::switchingOffReleasesTheQueueFiftyMillisecondsApart_data()
{
    QTest::addColumn<int>("policy");
    QTest::addColumn<int>("arrivals"); // three of them wait
    QTest::newRow("bucket") << int(Policy::Bucket) << 13;
    QTest::newRow("fixed") << int(Policy::Fixed) << 4;
    QTest::newRow("auto") << int(Policy::Auto) << 35;
}

void PolicyChangeTest::switchingOffReleasesTheQueueFiftyMillisecondsApart()
{
    QFETCH(int, policy);
    QFETCH(int, arrivals);
    Timeline line(with(static_cast<Policy>(policy)));
    const auto first = static_cast<std::size_t>(arrivals - 3);
    QCOMPARE(line.arrive(0ms, arrivals), std::string(first, 'g') + "qqq");
    line.pacer->applySettings(with(Policy::Off), at(200ms));
    std::string expected;
    for (int i = 0; i < 3; ++i) {
        expected += expected.empty() ? "" : " ";
        expected += std::to_string(arrivals - 2 + i) + "@" + std::to_string(200 + 50 * i);
    }
    QCOMPARE(line.run(), expected);
    QCOMPARE(line.arrive(400ms), std::string("go"));
}

void PolicyChangeTest::rateZeroReleasesTheQueueToo()
{
    Timeline line(with(Policy::Fixed));
    line.arrive(0ms, 3);
    line.pacer->applySettings(with(Policy::Fixed, 0), at(100ms));
    QCOMPARE(line.run(), std::string("2@100 3@150"));
}

void PolicyChangeTest::fromBucketToFixedGoesOnFromTheLastStart()
{
    Timeline line;
    line.arrive(0ms, 12); // 10 go, two wait until 1000 and 2000
    line.pacer->applySettings(with(Policy::Fixed), at(300ms));
    QCOMPARE(line.run(), std::string("11@1000 12@2000"));
    Timeline other(bucket(6, 1));
    other.arrive(0ms, 1);
    QCOMPARE(other.arrive(6'000ms), std::string("queue")); // until 10 s
    other.pacer->applySettings(with(Policy::Fixed), at(6'100ms));
    QCOMPARE(other.run(), std::string("2@6100"));
}

// The bucket lost a token to the one that went; the next three are there at once.
void PolicyChangeTest::fromFixedToBucketIsJudgedByTheBucket()
{
    Timeline line(with(Policy::Fixed));
    line.arrive(0ms, 4);
    line.pacer->applySettings(with(Policy::Bucket), at(500ms));
    QCOMPARE(line.leave(500ms), std::string("2 3 4"));
    QVERIFY(near(line.tokens(500ms), 6.5)); // 10 - 1 + 0.5 - 3
}

void PolicyChangeTest::whoNoLongerFitsTheBucketIsSentBack()
{
    Timeline line(with(Policy::Fixed));
    line.arrive(0ms, 20);
    line.pacer->applySettings(with(Policy::Bucket), at(0ms));
    // Nine tokens; four more fit the bound of 4833 ms, six do not.
    const std::string left = line.run();
    QVERIFY(left.starts_with("2 3 4 5 6 7 8 9 10 !15 !16 !17 !18 !19 !20@0 11@1000 "));
    for (const Departure &departure : line.departures)
        QVERIFY(std::holds_alternative<Admitted>(departure.outcome));
}

void PolicyChangeTest::fromAdaptiveToAutoKeepsTheOrder()
{
    Timeline line(with(Policy::Adaptive));
    line.arrive(0ms);
    line.pacer->rejected(WaiterId(1), {429, std::nullopt}, at(0ms));
    QCOMPARE(line.arrive(10ms, 3), std::string("qqq"));
    line.pacer->applySettings(with(Policy::Auto), at(20ms));
    QCOMPARE(line.leave(20ms), std::string("2 3 4"));
}

void PolicyChangeTest::fromAutoToFixedKeepsTheOrder()
{
    Timeline line(with(Policy::Auto));
    QCOMPARE(line.arrive(0ms, 35), std::string(32, 'g') + "qqq");
    line.pacer->applySettings(with(Policy::Fixed), at(100ms));
    QCOMPARE(line.run(), std::string("33@1000 34@2000 35@3000"));
}

void PolicyChangeTest::theBucketPaysForWhatOthersLetGo()
{
    Timeline line(with(Policy::Auto));
    QCOMPARE(line.arrive(0ms, 30), std::string(30, 'g'));
    line.pacer->applySettings(with(Policy::Bucket), at(0ms));
    QVERIFY(near(line.tokens(0ms), 0)); // all of it, but no debt
    QCOMPARE(line.arrive(0ms), std::string("queue"));
}

void PolicyChangeTest::anAdmissionCanBeHandedBackAfterTheChange()
{
    Timeline line;
    line.arrive(0ms, 1);
    line.pacer->applySettings(with(Policy::Auto), at(0ms));
    line.pacer->giveBack(WaiterId(1), at(0ms));
    line.pacer->giveBack(WaiterId(1), at(0ms));
    QVERIFY(near(line.tokens(0ms), 10));
}

void PolicyChangeTest::aWaiterCanBeCancelledAfterTheChange()
{
    Timeline line;
    line.arrive(0ms, 12);
    line.pacer->applySettings(with(Policy::Fixed), at(0ms));
    line.pacer->cancel(WaiterId(11), at(10ms));
    line.pacer->cancel(WaiterId(11), at(10ms));
    QCOMPARE(line.run(), std::string("12@1000"));
}

void PolicyChangeTest::thoseSentBackAreToldWhateverPolicyFollows()
{
    Timeline line;
    line.arrive(0ms, 14);
    line.pacer->applySettings(bucket(30), at(500ms)); // sends 13 and 14 back
    line.pacer->applySettings(with(Policy::Fixed), at(500ms));
    QCOMPARE(line.pacer->level(at(500ms)).waiting, std::size_t(2));
    QCOMPARE(line.leave(500ms), std::string("!13 !14"));
    QCOMPARE(line.run(), std::string("11@1000 12@2000"));
}

void PolicyChangeTest::theSameSettingsChangeNothing()
{
    Timeline line(with(Policy::Fixed));
    line.arrive(0ms, 3);
    line.pacer->applySettings(with(Policy::Fixed), at(700ms));
    QCOMPARE(line.run(), std::string("2@1000 3@2000"));
}

void PolicyChangeTest::aRejectionAfterTheChangeFollowsTheNewPolicy()
{
    Timeline line(with(Policy::Auto));
    line.arrive(0ms, 2);
    line.pacer->settle(WaiterId(1));
    line.pacer->settle(WaiterId(2));
    line.pacer->applySettings(with(Policy::Bucket), at(10ms));
    QVERIFY(!line.pacer->rejected(WaiterId(1), {429, std::nullopt}, at(20ms)));
    line.pacer->applySettings(with(Policy::Auto), at(30ms));
    QVERIFY(line.pacer->rejected(WaiterId(2), {429, std::nullopt}, at(40ms)));
}

QTEST_APPLESS_MAIN(PolicyChangeTest)
#include "tst_policychange.moc"
