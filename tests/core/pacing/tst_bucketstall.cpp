// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/pacing/timeline.h"

#include <QTest>

using namespace headway::pacing;
using namespace headway::pacing::test;
using headway::base::Seconds;

class BucketStallTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void spacesOverdueWaitersOneRefillIntervalApart();
    void letsAsManyLeaveTogetherAsThereAreTokens();
    void refusesWhoeverCanNoLongerMakeItsBound();
    void keepsAWaiterThatMakesItsBoundToTheTick();
    void letsAWaiterPastItsBoundLeaveWhenATokenIsThere();
    void keepsTheScheduleWhenATimerIsALittleLate();
    void releasesWhoeverCannotBeRefusedAtItsBound();
    void countsTheStallForArrivalsToo();
};

// Burst 1, 60/min, bound 15 s: 15 may wait. After a stall until 5 s the bucket holds one token.
void BucketStallTest::spacesOverdueWaitersOneRefillIntervalApart()
{
    Timeline line(bucket(60, 1), idleOf(3'600'000ms));
    QCOMPARE(line.arrive(0ms, 7), std::string("gqqqqqq"));
    QCOMPARE(line.leave(5'000ms), std::string("2"));
    line.latest = 5'000ms;
    QCOMPARE(line.run(), std::string("3@6000 4@7000 5@8000 6@9000 7@10000"));
}

void BucketStallTest::letsAsManyLeaveTogetherAsThereAreTokens()
{
    Timeline line(bucket(60, 2), idleOf(3'600'000ms));
    QCOMPARE(line.arrive(0ms, 7), std::string("ggqqqqq"));
    QCOMPARE(line.leave(4'500ms), std::string("3 4"));
    line.latest = 4'500ms;
    QCOMPARE(line.run(), std::string("5@5500 6@6500 7@7500"));
}

void BucketStallTest::refusesWhoeverCanNoLongerMakeItsBound()
{
    Timeline line(bucket(60, 1)); // bound 4833 ms
    QCOMPARE(line.arrive(0ms, 5), std::string("gqqqq"));
    // One leaves at 3 s, the next at 4 s; 5 s and 6 s are beyond 4833 ms.
    QCOMPARE(line.leave(3'000ms), std::string("2 !4 !5"));
    const Refused refused = std::get<Refused>(line.departures[1].outcome);
    QCOMPARE(refused.required, Nanoseconds(Seconds(2)));
    QCOMPARE(refused.hint, Seconds(2));
    QCOMPARE(refused.waited, Nanoseconds(3'000ms));
    line.latest = 3'000ms;
    QCOMPARE(line.run(), std::string("3@4000"));
}

void BucketStallTest::keepsAWaiterThatMakesItsBoundToTheTick()
{
    // The second waiter leaves one second after the stall: at 4833 ms, or one tick later.
    for (const auto &[stall, expected] : {std::pair{3'833ms + 0us, "2"}, {3'833ms + 2us, "2 !3"}}) {
        Timeline line(bucket(60, 1));
        QCOMPARE(line.arrive(0ms, 3), std::string("gqq"));
        QCOMPARE(line.leave(stall), std::string(expected));
    }
}

void BucketStallTest::letsAWaiterPastItsBoundLeaveWhenATokenIsThere()
{
    Timeline line;
    line.arrive(0ms, 14);
    QCOMPARE(line.leave(60'000ms), std::string("11 12 13 14"));
    QVERIFY(near(line.tokens(60'000ms), 6));
}

void BucketStallTest::keepsTheScheduleWhenATimerIsALittleLate()
{
    Timeline line;
    line.arrive(0ms, 14);
    QCOMPARE(line.leave(1'040ms), std::string("11"));
    QCOMPARE(line.leave(2'030ms), std::string("12"));
    QCOMPARE(line.run(), std::string("13@3000 14@4000"));
}

// No retries: nobody can be refused, so the bound ends the wait (rule 4).
void BucketStallTest::releasesWhoeverCannotBeRefusedAtItsBound()
{
    Timeline line(bucket(60, 1), retriesOf(0)); // bound 15 s
    QCOMPARE(line.arrive(0ms, 16), std::string("g") + std::string(15, 'q'));
    // At 14.5 s one token: 2 leaves. 3 takes the half token that comes until 15 s, the others
    // find the floor reached and leave at once.
    QCOMPARE(line.leave(14'500ms), std::string("2 4 5 6 7 8 9 10 11 12 13 14 15 16"));
    line.latest = 14'500ms;
    QCOMPARE(line.run(), std::string("3@15000"));
}

void BucketStallTest::countsTheStallForArrivalsToo()
{
    Timeline line(bucket(60, 1), idleOf(3'600'000ms));
    QCOMPARE(line.arrive(0ms, 3), std::string("gqq"));
    // Before anybody has left: one token, two in front.
    QCOMPARE(line.arrive(10'000ms), std::string("queue"));
    QCOMPARE(line.promisedAt(), Nanoseconds(12'000ms));
    line.latest = 10'000ms;
    QCOMPARE(line.run(), std::string("2@10000 3@11000 4@12000"));
}

QTEST_APPLESS_MAIN(BucketStallTest)
#include "tst_bucketstall.moc"
