// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/pacing/timeline.h"

#include <QTest>

using namespace headway::pacing;
using namespace headway::pacing::test;

class BucketReturnsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void movesEverybodyBehindACancelledWaiterForward();
    void opensNothingExtraForACancelledWaiter();
    void returnsATokenOnceAndOnlyOnce();
    void letsTheFirstWaiterLeaveWithAReturnedToken();
    void returnsExactlyAFraction();
    void returnsNothingAfterSettling();
    void ignoresUnknownIds();
    void returnsWhatADepartedWaiterTook();
    void returnsNothingToAFullBucket();
    void returnsTheTokenWhenAnAdmittedAttemptIsCancelled();
    void keepsTokensUnchangedInCaseB09();
};

void BucketReturnsTest::movesEverybodyBehindACancelledWaiterForward()
{
    Timeline line;
    line.arrive(0ms, 14);
    line.pacer->cancel(WaiterId(12), at(500ms));
    QCOMPARE(line.run(), std::string("11@1000 13@2000 14@3000"));
}

void BucketReturnsTest::opensNothingExtraForACancelledWaiter()
{
    Timeline line;
    line.arrive(0ms, 14);
    line.pacer->cancel(WaiterId(11), at(999ms));
    QCOMPARE(line.leave(999ms), std::string());
    QCOMPARE(line.leave(1'000ms), std::string("12"));
    QVERIFY(near(line.tokens(1'000ms), -2));
    // The place that came free serves one arrival, no more.
    QCOMPARE(line.arrive(1'000ms), std::string("queue"));
    QCOMPARE(line.arrive(1'000ms), std::string("queue"));
    QCOMPARE(line.arrive(1'000ms), std::string("refuse"));
}

void BucketReturnsTest::returnsATokenOnceAndOnlyOnce()
{
    Timeline line;
    line.arrive(0ms, 10);
    line.pacer->giveBack(WaiterId(3), at(0ms));
    QVERIFY(near(line.tokens(0ms), 1));
    line.pacer->giveBack(WaiterId(3), at(0ms));
    line.pacer->cancel(WaiterId(3), at(0ms));
    QVERIFY(near(line.tokens(0ms), 1));
    line.arrive(0ms, 3); // 11 goes with the returned token, 12 and 13 wait
    line.pacer->cancel(WaiterId(12), at(0ms));
    line.pacer->cancel(WaiterId(12), at(0ms));
    line.pacer->giveBack(WaiterId(12), at(0ms));
    QVERIFY(near(line.tokens(0ms), -1));
}

void BucketReturnsTest::letsTheFirstWaiterLeaveWithAReturnedToken()
{
    Timeline line;
    line.arrive(0ms, 13);
    line.pacer->giveBack(WaiterId(1), at(250ms));
    QCOMPARE(sinceStart(*line.pacer->nextDue()), Nanoseconds(250ms));
    QCOMPARE(line.leave(250ms), std::string("11"));
    QCOMPARE(line.run(), std::string("12@1000 13@2000"));
}

void BucketReturnsTest::returnsExactlyAFraction()
{
    Timeline line(bucket(1)); // bound 4833 ms: the 11th takes 4833/60000 of a token
    line.arrive(0ms, 12);
    QVERIFY(near(line.tokens(0ms), -0.08055));
    line.pacer->cancel(WaiterId(11), at(0ms));
    QVERIFY(near(line.tokens(0ms), 0));
    line.pacer->giveBack(WaiterId(12), at(0ms)); // took nothing
    QVERIFY(near(line.tokens(0ms), 0));
    QCOMPARE(line.arrive(0ms), std::string("queue"));
    QCOMPARE(line.run(), std::string("13@4833"));
    line.pacer->giveBack(WaiterId(13), at(4'833ms));
    QVERIFY(near(line.tokens(4'833ms), 0.08055));
}

void BucketReturnsTest::returnsNothingAfterSettling()
{
    Timeline line;
    line.arrive(0ms, 10);
    line.pacer->settle(WaiterId(1));
    line.pacer->giveBack(WaiterId(1), at(0ms));
    line.pacer->cancel(WaiterId(1), at(0ms));
    QVERIFY(near(line.tokens(0ms), 0));
}

void BucketReturnsTest::ignoresUnknownIds()
{
    Timeline line;
    line.arrive(0ms, 15); // 15 is refused
    for (const std::uint64_t id : {std::uint64_t(0), std::uint64_t(15), std::uint64_t(99)}) {
        line.pacer->cancel(WaiterId(id), at(0ms));
        line.pacer->giveBack(WaiterId(id), at(0ms));
        line.pacer->settle(WaiterId(id));
    }
    // A waiter has been given nothing yet: only cancel() takes it out.
    line.pacer->giveBack(WaiterId(11), at(0ms));
    QVERIFY(near(line.tokens(0ms), -4));
    QCOMPARE(line.run(), std::string("11@1000 12@2000 13@3000 14@4000"));
}

void BucketReturnsTest::returnsWhatADepartedWaiterTook()
{
    Timeline line;
    line.arrive(0ms, 12);
    QCOMPARE(line.leave(1'000ms), std::string("11"));
    line.pacer->giveBack(WaiterId(11), at(1'000ms));
    QCOMPARE(line.leave(1'000ms), std::string("12"));
    QVERIFY(near(line.tokens(1'000ms), 0));
}

void BucketReturnsTest::returnsNothingToAFullBucket()
{
    Timeline line;
    line.arrive(0ms);
    line.pacer->giveBack(WaiterId(1), at(60'000ms));
    QVERIFY(near(line.tokens(60'000ms), 10));
}

void BucketReturnsTest::returnsTheTokenWhenAnAdmittedAttemptIsCancelled()
{
    Timeline line;
    line.arrive(0ms, 10);
    line.pacer->cancel(WaiterId(4), at(0ms));
    QVERIFY(near(line.tokens(0ms), 1));
}

// Burst 1; A goes at 0 and dials, B waits; at 1 s B is admitted, finds A's head and hands back.
void BucketReturnsTest::keepsTokensUnchangedInCaseB09()
{
    Timeline line(bucket(60, 1));
    QCOMPARE(line.arrive(0ms, 2), std::string("gq"));
    line.pacer->settle(WaiterId(1));
    QCOMPARE(line.leave(1'000ms), std::string("2"));
    line.pacer->giveBack(WaiterId(2), at(1'000ms));
    QVERIFY(near(line.tokens(1'000ms), 1));
    QCOMPARE(line.arrive(1'000ms, 2), std::string("gq"));
}

QTEST_APPLESS_MAIN(BucketReturnsTest)
#include "tst_bucketreturns.moc"
