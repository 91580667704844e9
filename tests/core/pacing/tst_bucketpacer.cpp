// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/pacing/timeline.h"

#include <QTest>

using namespace headway::pacing;
using namespace headway::pacing::test;
using headway::base::Seconds;

class BucketPacerTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void splitsTwentySimultaneousArrivalsAsTheSpecificationSays();
    void letsWaitersLeaveAtTheirInstantAndNotOneTickBefore();
    void admitsAtTheInstantTheBucketHoldsOneToken();
    void queuesUpToTheBoundAndNotOneTickFurther();
    void chargesNothingForARefusal();
    void queuesAnArrivalBehindAWaiterThatIsDue();
    void admitsLateRatherThanRefusingAtOnePerMinute();
    void shapesTheOpeningBurstWithoutRetriesAndThenStopsLimiting();
    void isOffWithABoundOfZero();
    void admitsEverybodyAtRateZero();
    void admitsEverybodyUnderPolicyOff();
    void holdsTheExtremesOfRateAndBurst();
    void refillsToTheBurstAndNoFurther();
    void refillsNothingWhenTheClockStepsBack();
    void reportsThePlacesInOrder();
};

void BucketPacerTest::splitsTwentySimultaneousArrivalsAsTheSpecificationSays()
{
    Timeline line;
    QCOMPARE(line.arrive(0ms, 10), std::string("gggggggggg"));
    for (int k = 1; k <= 4; ++k) {
        QCOMPARE(line.arrive(0ms), std::string("queue"));
        const Queued queued = std::get<Queued>(line.last);
        QCOMPARE(queued.required, Nanoseconds(Seconds(k)));
        QCOMPARE(queued.place, std::size_t(k));
        QCOMPARE(line.promisedAt(), Nanoseconds(Seconds(k)));
    }
    QCOMPARE(line.arrive(0ms), std::string("refuse"));
    const Refused refused = std::get<Refused>(line.last);
    QCOMPARE(refused.required, Nanoseconds(Seconds(5)));
    QCOMPARE(refused.hint, Seconds(4)); // ceil(5) is above the cap of 4
    QCOMPARE(refused.waited, Nanoseconds(0));
    QCOMPARE(line.arrive(0ms, 5), std::string("rrrrr"));
    QCOMPARE(line.run(), std::string("11@1000 12@2000 13@3000 14@4000"));
}

void BucketPacerTest::letsWaitersLeaveAtTheirInstantAndNotOneTickBefore()
{
    Timeline line;
    line.arrive(0ms, 11);
    QCOMPARE(sinceStart(*line.pacer->nextDue()), Nanoseconds(1'000ms));
    QCOMPARE(line.leave(1'000ms - 2us), std::string());
    QCOMPARE(line.leave(1'000ms), std::string("11"));
    QCOMPARE(std::get<Admitted>(line.departures[0].outcome).waited, Nanoseconds(1'000ms));
    QVERIFY(std::get<Admitted>(line.departures[0].outcome).queued);
    QVERIFY(!line.pacer->nextDue());
    // Within one microsecond is equal, and equality admits.
    line.arrive(1'000ms);
    QCOMPARE(line.leave(2'000ms - 1us), std::string("12"));
}

void BucketPacerTest::admitsAtTheInstantTheBucketHoldsOneToken()
{
    Timeline line(bucket(60, 1));
    QCOMPARE(line.arrive(0ms), std::string("go"));
    QVERIFY(!std::get<Admitted>(line.last).queued);
    QCOMPARE(line.arrive(1'000ms), std::string("go"));
    QCOMPARE(line.arrive(2'000ms - 2us), std::string("queue"));
}

void BucketPacerTest::queuesUpToTheBoundAndNotOneTickFurther()
{
    // Bound 4833 ms at 60/min: with D tokens the wait is (1 - D) s.
    for (const auto &[when, expected] :
         {std::pair{167ms - 2us, "refuse"}, {167ms - 1us, "queue"}, {167ms + 0us, "queue"}})
    {
        Timeline line;
        QCOMPARE(line.arrive(0ms, 14), std::string("ggggggggggqqqq"));
        QCOMPARE(line.arrive(when), std::string(expected));
    }
}

void BucketPacerTest::chargesNothingForARefusal()
{
    Timeline line;
    line.arrive(0ms, 14);
    for (int i = 0; i < 50; ++i)
        QCOMPARE(line.arrive(0ms), std::string("refuse"));
    QVERIFY(near(line.tokens(0ms), -4));
    QCOMPARE(line.arrive(1'000ms), std::string("queue"));
    QCOMPARE(line.promisedAt(), Nanoseconds(5'000ms));
}

void BucketPacerTest::queuesAnArrivalBehindAWaiterThatIsDue()
{
    Timeline line;
    line.arrive(0ms, 11);
    QCOMPARE(line.arrive(3'000ms), std::string("queue"));
    QCOMPARE(std::get<Queued>(line.last).place, std::size_t(2));
    QCOMPARE(std::get<Queued>(line.last).required, Nanoseconds(0));
    QCOMPARE(line.promisedAt(), Nanoseconds(3'000ms));
    QCOMPARE(line.leave(3'000ms), std::string("11 12"));
}

void BucketPacerTest::admitsLateRatherThanRefusingAtOnePerMinute()
{
    Timeline line(bucket(1));
    QCOMPARE(line.arrive(0ms, 20), std::string("ggggggggggqggggggggg"));
    QCOMPARE(line.run(), std::string("11@4833"));
    // The floor is -bound * refill: nothing more was debited than fits above it.
    QVERIFY(near(line.tokens(4'833ms), 0));
}

void BucketPacerTest::shapesTheOpeningBurstWithoutRetriesAndThenStopsLimiting()
{
    Timeline line(bucket(60), retriesOf(0)); // bound 15 s
    QCOMPARE(line.arrive(0ms, 10), std::string("gggggggggg"));
    QCOMPARE(line.arrive(0ms, 15), std::string(15, 'q'));
    QCOMPARE(line.arrive(0ms, 5), std::string("ggggg"));
    QVERIFY(near(line.tokens(0ms), -15));
    // Half a token above the floor: that much is taken, and the wait is the bound.
    QCOMPARE(line.arrive(500ms), std::string("queue"));
    QCOMPARE(line.promisedAt(), Nanoseconds(15'500ms));
    QCOMPARE(std::get<Queued>(line.last).required, Nanoseconds(15'500ms));
    QCOMPARE(line.arrive(500ms), std::string("go"));
    QVERIFY(!std::get<Admitted>(line.last).queued);
}

void BucketPacerTest::isOffWithABoundOfZero()
{
    Timeline line(bucket(60, 1), idleOf(14'001ms));
    QCOMPARE(line.arrive(0ms, 50), std::string(50, 'g'));
    QVERIFY(near(line.tokens(0ms), 0));
    QCOMPARE(line.pacer->notices(line.budget).size(), std::size_t(1));
}

void BucketPacerTest::admitsEverybodyAtRateZero()
{
    Timeline line(bucket(0));
    QCOMPARE(line.arrive(0ms, 200), std::string(200, 'g'));
    QVERIFY(!line.pacer->level(at(0ms)).enabled);
    QVERIFY(!line.pacer->nextDue());
    QVERIFY(line.pacer->notices(line.budget).empty());
}

void BucketPacerTest::admitsEverybodyUnderPolicyOff()
{
    Timeline line({Policy::Off, 60, 10, 0ms});
    QCOMPARE(line.arrive(0ms, 200), std::string(200, 'g'));
    QVERIFY(!line.pacer->level(at(0ms)).enabled);
    QVERIFY(near(line.tokens(0ms), 10));
}

void BucketPacerTest::holdsTheExtremesOfRateAndBurst()
{
    Timeline wide(bucket(600, 100));
    QCOMPARE(wide.arrive(0ms, 100), std::string(100, 'g'));
    // 4833 ms at one token per 100 ms: 48 may wait.
    QCOMPARE(wide.arrive(0ms, 49), std::string(48, 'q') + "r");
    QCOMPARE(std::get<Refused>(wide.last).required, Nanoseconds(4'900ms));
    Timeline narrow(bucket(1, 1));
    QCOMPARE(narrow.arrive(0ms, 2), std::string("gq"));
    QCOMPARE(narrow.promisedAt(), Nanoseconds(4'833ms));
    QCOMPARE(narrow.arrive(0ms), std::string("go"));
}

void BucketPacerTest::refillsToTheBurstAndNoFurther()
{
    Timeline line;
    line.arrive(0ms, 3);
    QVERIFY(near(line.tokens(0ms), 7));
    QVERIFY(near(line.tokens(1'500ms), 8.5));
    QVERIFY(near(line.tokens(3'600'000ms), 10));
    QCOMPARE(line.arrive(3'600'000ms, 11), std::string("ggggggggggq"));
}

void BucketPacerTest::refillsNothingWhenTheClockStepsBack()
{
    Timeline line;
    line.arrive(10'000ms, 10);
    QVERIFY(near(line.tokens(9'000ms), 0));
    for (int i = 0; i < 100; ++i) {
        line.leave(9'000ms);
        line.leave(10'000ms);
    }
    QVERIFY(near(line.tokens(10'000ms), 0));
    QCOMPARE(line.arrive(9'000ms), std::string("queue"));
    QCOMPARE(std::get<Queued>(line.last).required, Nanoseconds(1'000ms));
    QCOMPARE(line.run(), std::string("11@11000"));
    // Nor does it take anything away.
    Timeline full;
    QCOMPARE(full.leave(10'000ms), std::string());
    QCOMPARE(full.arrive(5'000ms, 11), std::string("ggggggggggq"));
}

void BucketPacerTest::reportsThePlacesInOrder()
{
    Timeline line;
    line.arrive(0ms, 13);
    const auto places = line.pacer->queue();
    QCOMPARE(places.size(), std::size_t(3));
    for (std::size_t k = 0; k < 3; ++k) {
        QCOMPARE(places[k].id, WaiterId(11 + k));
        QCOMPARE(places[k].place, k + 1);
        QCOMPARE(sinceStart(places[k].departsAt), Nanoseconds(Seconds(k + 1)));
    }
    QCOMPARE(line.pacer->level(at(0ms)).waiting, std::size_t(3));
    QVERIFY(line.pacer->level(at(0ms)).enabled);
}

QTEST_APPLESS_MAIN(BucketPacerTest)
#include "tst_bucketpacer.moc"
