// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/pacing/timeline.h"

#include <QTest>

using namespace headway::pacing;
using namespace headway::pacing::test;

class BucketRecoveryTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void takesATokenThatIsThere();
    void debitsDownToTheDebtFloorAndNoFurther();
    void leavesTheTimesOfThoseWhoAlreadyWait();
    void delaysThoseWhoComeLater();
    void keepsTheDebtWhenTheLastWaiterLeavesTheQueue();
    void keepsTheDebtOverNewSettings();
    void countsTheDebtBehindAWaiterThatIsSentBack();
    void takesNothingWhenTheLimiterIsOff();
};

void BucketRecoveryTest::takesATokenThatIsThere()
{
    Timeline line;
    line.pacer->debitRecovery(line.budget, at(0ms));
    QVERIFY(near(line.tokens(0ms), 9));
}

void BucketRecoveryTest::debitsDownToTheDebtFloorAndNoFurther()
{
    Timeline line;
    line.arrive(0ms, 10);
    for (int i = 1; i <= 4; ++i) {
        line.pacer->debitRecovery(line.budget, at(0ms));
        QVERIFY(near(line.tokens(0ms), -i));
    }
    line.pacer->debitRecovery(line.budget, at(0ms));
    QVERIFY(near(line.tokens(0ms), -4.833)); // -bound * refill
    line.pacer->debitRecovery(line.budget, at(0ms));
    QVERIFY(near(line.tokens(0ms), -4.833));
    // A turn with a longer bound has a deeper floor.
    line.pacer->debitRecovery(retriesOf(0), at(0ms));
    QVERIFY(near(line.tokens(0ms), -5.833));
}

void BucketRecoveryTest::leavesTheTimesOfThoseWhoAlreadyWait()
{
    Timeline line;
    line.arrive(0ms, 12);
    line.pacer->debitRecovery(line.budget, at(0ms));
    QVERIFY(near(line.tokens(0ms), -3));
    QCOMPARE(line.run(), std::string("11@1000 12@2000"));
    QVERIFY(near(line.tokens(2'000ms), -1));
}

void BucketRecoveryTest::delaysThoseWhoComeLater()
{
    Timeline line;
    line.arrive(0ms, 11);
    line.pacer->debitRecovery(line.budget, at(0ms));
    QCOMPARE(line.arrive(0ms), std::string("queue"));
    QCOMPARE(line.promisedAt(), Nanoseconds(3'000ms));
    const auto places = line.pacer->queue();
    QCOMPARE(sinceStart(places[0].departsAt), Nanoseconds(1'000ms));
    QCOMPARE(sinceStart(places[1].departsAt), Nanoseconds(3'000ms));
    QCOMPARE(line.run(), std::string("11@1000 12@3000"));
}

void BucketRecoveryTest::keepsTheDebtWhenTheLastWaiterLeavesTheQueue()
{
    for (const bool behindAnother : {false, true}) {
        Timeline line;
        line.arrive(0ms, behindAnother ? 12 : 11);
        line.pacer->debitRecovery(line.budget, at(0ms));
        line.pacer->cancel(WaiterId(line.ids), at(0ms));
        QVERIFY(near(line.tokens(0ms), behindAnother ? -2 : -1));
        QCOMPARE(line.arrive(0ms), std::string("queue"));
        QCOMPARE(line.promisedAt(), behindAnother ? Nanoseconds(3'000ms) : Nanoseconds(2'000ms));
        QCOMPARE(line.run(), std::string(behindAnother ? "11@1000 13@3000" : "12@2000"));
    }
}

void BucketRecoveryTest::keepsTheDebtOverNewSettings()
{
    Timeline line;
    line.arrive(0ms, 11);
    line.pacer->debitRecovery(line.budget, at(0ms));
    line.arrive(0ms);
    line.pacer->applySettings(bucket(120), at(0ms));
    QCOMPARE(line.run(), std::string("11@500 12@1500"));
}

// At 6/min the first waiter no longer fits. The debt behind it stays in front of the second, which
// would leave at 10 s without it and at 20 s with it, beyond its bound of 15 s.
void BucketRecoveryTest::countsTheDebtBehindAWaiterThatIsSentBack()
{
    Timeline line;
    line.arrive(0ms, 11);
    line.pacer->debitRecovery(line.budget, at(0ms));
    line.budget = idleOf(3'600'000ms);
    QCOMPARE(line.arrive(0ms), std::string("queue"));
    line.pacer->applySettings(bucket(6), at(0ms));
    QCOMPARE(line.leave(0ms), std::string("!11 !12"));
    QVERIFY(near(line.tokens(0ms), -1));
}

void BucketRecoveryTest::takesNothingWhenTheLimiterIsOff()
{
    Timeline line({Policy::Off, 60, 10, 0ms});
    line.pacer->debitRecovery(line.budget, at(0ms));
    QVERIFY(near(line.tokens(0ms), 10));
}

QTEST_APPLESS_MAIN(BucketRecoveryTest)
#include "tst_bucketrecovery.moc"
