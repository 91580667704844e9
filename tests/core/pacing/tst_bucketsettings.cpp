// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/pacing/timeline.h"

#include <QTest>

using namespace headway::pacing;
using namespace headway::pacing::test;
using headway::base::Seconds;

class BucketSettingsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void replansTheWorkedExampleOfSectionEight();
    void refillsAtTheOldRateUpToTheChange();
    void movesWaitersForwardAtAHigherRate();
    void judgesEachWaiterByItsOwnBound();
    void keepsAWaiterThatFitsToTheTick();
    void lowersTheTokensToASmallerBurst();
    void addsNoTokensForALargerBurst();
    void changesNothingWhenTheSettingsAreTheSame();
    void releasesTheQueueFiftyMillisecondsApartWhenSwitchedOff_data();
    void releasesTheQueueFiftyMillisecondsApartWhenSwitchedOff();
    void admitsArrivalsAtOnceWhileTheQueueIsReleased();
    void pacesAgainWhoeverIsStillInTheReleasedQueue();
    void releasesAtTheBoundWhoeverTheNewRateCannotRefuse();
    void cancelsAWaiterThatWasSentBack();
};

void BucketSettingsTest::replansTheWorkedExampleOfSectionEight()
{
    Timeline line;
    QCOMPARE(line.arrive(0ms, 14), std::string("ggggggggggqqqq"));
    line.pacer->applySettings(bucket(30), at(500ms));
    const auto places = line.pacer->queue();
    QCOMPARE(places.size(), std::size_t(2));
    QCOMPARE(sinceStart(places[0].departsAt), Nanoseconds(1'500ms));
    QCOMPARE(sinceStart(places[1].departsAt), Nanoseconds(3'500ms));
    QCOMPARE(sinceStart(*line.pacer->nextDue()), Nanoseconds(500ms));
    QCOMPARE(line.leave(500ms), std::string("!13 !14"));
    for (const Departure &departure : line.departures) {
        const Refused refused = std::get<Refused>(departure.outcome);
        QCOMPARE(refused.required, Nanoseconds(Seconds(5))); // leaves at 5500, asked at 500
        QCOMPARE(refused.hint, Seconds(4));
        QCOMPARE(refused.waited, Nanoseconds(500ms));
    }
    QCOMPARE(line.leave(1'000ms), std::string()); // nobody is left on a timer of the old rate
    QCOMPARE(line.leave(1'500ms - 3us), std::string());
    QCOMPARE(line.leave(1'500ms), std::string("11"));
    QCOMPARE(line.run(), std::string("12@3500"));
}

void BucketSettingsTest::refillsAtTheOldRateUpToTheChange()
{
    Timeline line;
    line.arrive(0ms, 10);
    line.pacer->applySettings(bucket(600), at(2'000ms));
    QVERIFY(near(line.tokens(2'000ms), 2));
    QVERIFY(near(line.tokens(2'100ms), 3));
}

void BucketSettingsTest::movesWaitersForwardAtAHigherRate()
{
    Timeline line;
    line.arrive(0ms, 14);
    line.pacer->applySettings(bucket(600), at(500ms));
    line.latest = 500ms;
    // Half a token is there; one comes every 100 ms.
    QCOMPARE(line.run(), std::string("11@550 12@650 13@750 14@850"));
}

void BucketSettingsTest::judgesEachWaiterByItsOwnBound()
{
    Timeline line;
    line.arrive(0ms, 11);
    line.budget = idleOf(3'600'000ms); // bound 15 s
    line.arrive(0ms);
    line.budget = {};
    line.arrive(0ms);
    line.pacer->applySettings(bucket(6), at(0ms)); // one token in 10 s
    QCOMPARE(line.leave(0ms), std::string("!11 !13"));
    QCOMPARE(line.run(), std::string("12@10000"));
}

void BucketSettingsTest::keepsAWaiterThatFitsToTheTick()
{
    // 12 at once; at 500 ms half a token is there. The second waiter needs 1.5 tokens until 4833.
    for (const auto &[rate, expected] : {std::pair{20.7709, ""}, {20.7708, "!12"}}) {
        Timeline line;
        line.arrive(0ms, 12);
        line.pacer->applySettings(bucket(rate), at(500ms));
        QCOMPARE(line.leave(500ms), std::string(expected));
    }
}

void BucketSettingsTest::lowersTheTokensToASmallerBurst()
{
    Timeline line;
    line.pacer->applySettings(bucket(60, 3), at(0ms));
    QCOMPARE(line.arrive(0ms, 4), std::string("gggq"));
}

void BucketSettingsTest::addsNoTokensForALargerBurst()
{
    Timeline line;
    line.pacer->applySettings(bucket(60, 20), at(0ms));
    QVERIFY(near(line.tokens(0ms), 10));
    QVERIFY(near(line.tokens(10'000ms), 20));
}

void BucketSettingsTest::changesNothingWhenTheSettingsAreTheSame()
{
    Timeline line;
    line.arrive(0ms, 14);
    line.pacer->applySettings(bucket(), at(900ms));
    QCOMPARE(line.run(), std::string("11@1000 12@2000 13@3000 14@4000"));
}

void BucketSettingsTest::releasesTheQueueFiftyMillisecondsApartWhenSwitchedOff_data()
{
    QTest::addColumn<int>("policy");
    QTest::addColumn<double>("rate");
    QTest::newRow("policy off") << int(Policy::Off) << 60.0;
    QTest::newRow("rate 0") << int(Policy::Bucket) << 0.0;
}

void BucketSettingsTest::releasesTheQueueFiftyMillisecondsApartWhenSwitchedOff()
{
    QFETCH(const int, policy);
    QFETCH(const double, rate);
    Timeline line;
    line.arrive(0ms, 14);
    line.pacer->applySettings({static_cast<Policy>(policy), rate, 10, 0ms}, at(500ms));
    QVERIFY(!line.pacer->level(at(500ms)).enabled);
    QCOMPARE(line.leave(500ms), std::string("11"));
    QCOMPARE(line.leave(550ms - 2us), std::string());
    QCOMPARE(line.leave(550ms), std::string("12"));
    line.latest = 550ms;
    QCOMPARE(line.run(), std::string("13@600 14@650"));
}

void BucketSettingsTest::admitsArrivalsAtOnceWhileTheQueueIsReleased()
{
    Timeline line;
    line.arrive(0ms, 14);
    line.pacer->applySettings(bucket(0), at(500ms));
    QCOMPARE(line.arrive(500ms), std::string("go"));
    // Another change that leaves the limiter off does not start the release again.
    line.pacer->applySettings(bucket(0, 20), at(540ms));
    line.latest = 540ms;
    QCOMPARE(line.run(), std::string("11@540 12@550 13@600 14@650"));
}

void BucketSettingsTest::pacesAgainWhoeverIsStillInTheReleasedQueue()
{
    Timeline line;
    line.arrive(0ms, 14);
    line.pacer->applySettings(bucket(0), at(500ms));
    QCOMPARE(line.leave(550ms), std::string("11 12"));
    line.pacer->applySettings(bucket(60), at(560ms)); // half a token from before
    line.latest = 560ms;
    QCOMPARE(line.run(), std::string("13@1060 14@2060"));
}

void BucketSettingsTest::releasesAtTheBoundWhoeverTheNewRateCannotRefuse()
{
    Timeline line;
    line.arrive(0ms, 13);
    line.pacer->applySettings(bucket(1), at(500ms));
    // 11 takes what is there and comes until its bound at 4833 ms; the others find nothing left.
    QCOMPARE(line.leave(500ms), std::string("12 13"));
    QCOMPARE(line.run(), std::string("11@4833"));
    QVERIFY(near(line.tokens(4'833ms), 0));
}

void BucketSettingsTest::cancelsAWaiterThatWasSentBack()
{
    Timeline line;
    line.arrive(0ms, 14);
    line.pacer->applySettings(bucket(30), at(500ms));
    line.pacer->cancel(WaiterId(13), at(500ms));
    QCOMPARE(line.leave(500ms), std::string("!14"));
    QVERIFY(near(line.tokens(500ms), -1.5));
}

QTEST_APPLESS_MAIN(BucketSettingsTest)
#include "tst_bucketsettings.moc"
