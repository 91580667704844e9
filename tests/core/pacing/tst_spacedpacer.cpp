// SPDX-License-Identifier: GPL-3.0-or-later
// Policies `fixed` and `adaptive`, spec/pacing.md section 4.
#include "tests/core/pacing/timeline.h"

#include <QTest>

using namespace headway::pacing;
using namespace headway::pacing::test;

class SpacedPacerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fixedStartsAreOneSecondApart();
    void fixedLetsGoAtOnceAfterASecond();
    void adaptiveLetsEverybodyGoUntilSomethingIsRejected();
    void adaptiveSpacesAfterARejection();
    void narrowerSpacingReachesThoseWhoWait();
    void aCancelledWaiterGivesItsPlaceBack();
    void anAdmissionHandedBackIsNoStart();
    void aSettledAdmissionStaysAStart();
    void theOverdueLeaveApartAfterAStall();
    void aClockThatStepsBackOpensNothing();
    void nobodyIsRefusedForAWaitBound();
    void refusesOnlyAtLatest();
    void latestLeavesTimeForTheAnswer();
    void whoWillBeRefusedIsKnown();
    void refusesAtOnceWhoComesTooLate();
    void aRefusalIsFinalAndSaysWhen();
    void aRecoveryCountsAsAStart();
    void rateZeroSwitchesItOff();
    void leavesRejectionsToTheTable();
};

namespace {

PacerSettings fixedPolicy()
{
    return {Policy::Fixed, 60, 10, 0ms};
}
PacerSettings adaptive(Milliseconds floor = 0ms)
{
    return {Policy::Adaptive, 60, 10, floor};
}

// At the defaults: 120 s - 2 s - max(2 s, …).
constexpr Milliseconds latestAtDefaults{116'000};

} // namespace

void SpacedPacerTest::fixedStartsAreOneSecondApart()
{
    Timeline line(fixedPolicy());
    QCOMPARE(line.arrive(0ms, 4), std::string("gqqq"));
    QCOMPARE(line.promisedAt(), Nanoseconds(3'000ms));
    QCOMPARE(line.leave(999ms), std::string());
    QCOMPARE(line.run(), std::string("2@1000 3@2000 4@3000"));
}

void SpacedPacerTest::fixedLetsGoAtOnceAfterASecond()
{
    Timeline line(fixedPolicy());
    QCOMPARE(line.arrive(0ms), std::string("go"));
    QCOMPARE(line.arrive(999ms), std::string("queue"));
    QCOMPARE(line.run(), std::string("2@1000"));
    QCOMPARE(line.arrive(2'000ms), std::string("go"));
}

void SpacedPacerTest::adaptiveLetsEverybodyGoUntilSomethingIsRejected()
{
    Timeline line(adaptive());
    QCOMPARE(line.arrive(0ms, 30), std::string(30, 'g')); // case B10
}

void SpacedPacerTest::adaptiveSpacesAfterARejection()
{
    Timeline line(adaptive());
    line.arrive(0ms);
    QVERIFY(!line.pacer->rejected(WaiterId(1), {429, std::nullopt}, at(100ms)));
    QCOMPARE(line.arrive(100ms, 3), std::string("qqq"));
    QCOMPARE(line.run(), std::string("2@1000 3@2000 4@3000"));
    line.pacer->rejected(WaiterId(4), {403, std::nullopt}, at(3'100ms));
    QCOMPARE(line.arrive(3'100ms, 2), std::string("qq"));
    QCOMPARE(line.run(), std::string("5@5000 6@7000"));
}

void SpacedPacerTest::narrowerSpacingReachesThoseWhoWait()
{
    Timeline line(adaptive());
    line.arrive(0ms);
    line.pacer->rejected(WaiterId(1), {429, std::nullopt}, at(0ms));
    line.arrive(10ms, 2);
    for (int i = 0; i < 20; ++i)
        line.pacer->opened(WaiterId(100), at(20ms));
    QCOMPARE(line.run(), std::string("2@500 3@1000"));
}

void SpacedPacerTest::aCancelledWaiterGivesItsPlaceBack()
{
    Timeline line(fixedPolicy());
    line.arrive(0ms, 4);
    line.pacer->cancel(WaiterId(2), at(500ms));
    QCOMPARE(line.run(), std::string("3@1000 4@2000"));
}

void SpacedPacerTest::anAdmissionHandedBackIsNoStart()
{
    Timeline line(fixedPolicy());
    line.arrive(0ms);
    QCOMPARE(line.arrive(400ms), std::string("queue"));
    line.pacer->giveBack(WaiterId(1), at(500ms));
    line.pacer->giveBack(WaiterId(1), at(500ms));
    QCOMPARE(line.leave(500ms), std::string("2"));
    QCOMPARE(line.arrive(600ms), std::string("queue"));
    QCOMPARE(line.run(), std::string("3@1500"));
}

void SpacedPacerTest::aSettledAdmissionStaysAStart()
{
    Timeline line(fixedPolicy());
    line.arrive(0ms);
    line.pacer->settle(WaiterId(1));
    line.pacer->giveBack(WaiterId(1), at(100ms));
    QCOMPARE(line.arrive(200ms), std::string("queue"));
    QCOMPARE(line.run(), std::string("2@1000"));
}

void SpacedPacerTest::theOverdueLeaveApartAfterAStall()
{
    Timeline line(fixedPolicy());
    line.arrive(0ms, 4);
    QCOMPARE(line.leave(30'000ms), std::string("2"));
    QCOMPARE(line.run(), std::string("3@31000 4@32000"));
}

void SpacedPacerTest::aClockThatStepsBackOpensNothing()
{
    Timeline line(fixedPolicy());
    line.arrive(5'000ms);
    QCOMPARE(line.arrive(1'000ms), std::string("queue"));
    QCOMPARE(line.leave(5'999ms), std::string());
    QCOMPARE(line.leave(6'000ms), std::string("2"));
}

void SpacedPacerTest::nobodyIsRefusedForAWaitBound()
{
    Timeline line(fixedPolicy());
    QCOMPARE(line.arrive(0ms, 60), "g" + std::string(59, 'q'));
}

void SpacedPacerTest::refusesOnlyAtLatest()
{
    Timeline line(fixedPolicy());
    QCOMPARE(line.arrive(0ms, 130), "g" + std::string(129, 'q'));
    const std::string left = line.run();
    // One a second up to and including 115 s; at 116 s the rest has no time left.
    QVERIFY(left.starts_with("2@1000 3@2000 "));
    QVERIFY(left.find(" 116@115000 !117 !118 ") != std::string::npos);
    QVERIFY(left.ends_with("!130@116000"));
}

void SpacedPacerTest::latestLeavesTimeForTheAnswer()
{
    struct Row
    {
        Milliseconds firstOutput;
        Milliseconds latest;
    };
    // idle - 2 s - max(2 s, min(p95, idle / 4)), idle 120 s.
    for (const Row row :
         {Row{500ms, latestAtDefaults}, Row{9'000ms, 109'000ms}, Row{90'000ms, 88'000ms}})
    {
        Timeline line(fixedPolicy());
        for (int i = 0; i < 95; ++i)
            line.pacer->firstOutput(row.firstOutput);
        for (int i = 0; i < 5; ++i)
            line.pacer->firstOutput(100'000ms); // beyond the 95th percentile
        line.arrive(0ms, 2);
        line.pacer->cancel(WaiterId(2), at(0ms));
        for (int i = 0; i < 200; ++i)
            line.arrive(0ms);
        const Milliseconds before = row.latest - 1ms;
        for (Milliseconds now = 1'000ms; now < row.latest; now += 1'000ms)
            (void)line.leave(now);
        QVERIFY(line.leave(before).find('!') == std::string::npos);
        QVERIFY(line.leave(row.latest).find('!') != std::string::npos);
    }
}

// The n-th in the queue would start n seconds from now; the last start is 116 s from now.
void SpacedPacerTest::whoWillBeRefusedIsKnown()
{
    Timeline line(fixedPolicy());
    line.arrive(0ms, 131);
    const auto places = line.pacer->queue();
    QCOMPARE(places.size(), std::size_t(130));
    for (const Pacer::Place &place : places)
        QCOMPARE(place.isRefusal, place.place > 116);
    QCOMPARE(places.back().departsAt, at(latestAtDefaults).steady);
}

void SpacedPacerTest::refusesAtOnceWhoComesTooLate()
{
    Timeline line(fixedPolicy());
    line.arrive(0ms);
    AdmissionRequest late{.id = WaiterId(50), .budget = {}};
    late.idleDeadline = at(4'100ms).steady;
    const auto decision = line.pacer->request(late, at(100ms));
    QVERIFY(std::holds_alternative<Refused>(decision));
    QVERIFY(std::get<Refused>(decision).final);
    late.id = WaiterId(51);
    late.idleDeadline = at(4'101ms).steady;
    QVERIFY(std::holds_alternative<Queued>(line.pacer->request(late, at(100ms))));
}

void SpacedPacerTest::aRefusalIsFinalAndSaysWhen()
{
    Timeline line(fixedPolicy());
    line.arrive(0ms, 200);
    for (Milliseconds now = 1'000ms; now < latestAtDefaults; now += 1'000ms)
        (void)line.leave(now);
    (void)line.leave(latestAtDefaults);
    const auto &first = std::get<Refused>(line.departures.front().outcome);
    QVERIFY(first.final);
    QCOMPARE(first.waited, Nanoseconds(latestAtDefaults));
    QCOMPARE(first.hint, headway::base::Seconds(1)); // it would have left this instant
    for (const Departure &departure : line.departures) {
        const auto &refused = std::get<Refused>(departure.outcome);
        QVERIFY(refused.hint >= headway::base::Seconds(1));
        QVERIFY(refused.hint <= headway::base::Seconds(60));
    }
}

void SpacedPacerTest::aRecoveryCountsAsAStart()
{
    Timeline line(fixedPolicy());
    line.pacer->debitRecovery({}, at(0ms));
    QCOMPARE(line.arrive(300ms), std::string("queue"));
    QCOMPARE(line.run(), std::string("1@1000"));
}

void SpacedPacerTest::rateZeroSwitchesItOff()
{
    Timeline line({Policy::Fixed, 0, 10, 0ms});
    QCOMPARE(line.arrive(0ms, 20), std::string(20, 'g'));
    QVERIFY(!line.pacer->level(at(0ms)).enabled);
}

void SpacedPacerTest::leavesRejectionsToTheTable()
{
    Timeline line(fixedPolicy());
    line.arrive(0ms);
    line.pacer->settle(WaiterId(1));
    QVERIFY(!line.pacer->rejected(WaiterId(1), {503, Milliseconds(7'000)}, at(50ms)));
    QCOMPARE(line.pacer->level(at(60ms)).spacing, Nanoseconds(1'000ms));
}

QTEST_APPLESS_MAIN(SpacedPacerTest)
#include "tst_spacedpacer.moc"
