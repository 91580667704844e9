// SPDX-License-Identifier: GPL-3.0-or-later
// spec/pacing.md section 6; cases B01 and B03.
#include "proxy/core/pacing/planlimit.h"
#include "proxy/core/pacing/rejectionschedule.h"
#include "tests/core/pacing/timeline.h"

#include <QTest>

#include <map>
#include <set>

using namespace headway::pacing;
using namespace headway::pacing::test;
using std::chrono_literals::operator""min;
using std::chrono_literals::operator""h;

class RejectionScheduleTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLoneRejectionWaitsItsJitteredRung();
    void aStatedTimeReplacesTheRung();
    void aStatedTimeOfTwoMinutesIsHonoured();
    void aStatedTimeIsPassedOnWhenItLeavesNoSecondAndNoBound();
    void isPassedOnWithoutARetryLeft();
    void isPassedOnWhenTheDeadlineComesFirst();
    void spacedPoliciesRetryOnceAfterThreeSeconds();
    void victimsOfOneBurstAreStaggered();
    void theStaggerStaysInsideTheBudget();
    void aBurstEndsAfterTwoSeconds();
    void neverRetriesBeforeAStatedTime();
    void anEventCoolsEverybodyDown();
    void anUpgradeCoolsNobodyDown();
    void aPlanLimitIsAnsweredHere();
    void aPlanLimitIsProbedOnPaidPlansOnly();
    void aPlanLimitEndsAtItsReset();
};

namespace {

using By = Throttled::By;

Throttled rejection(int retriesUsed = 0, Policy policy = Policy::Bucket)
{
    return {By::Upgrade, policy, retriesUsed, retriesUsed, std::nullopt, 120'000ms};
}

Throttled stated(Milliseconds time, Nanoseconds remaining = 3'000'000ms)
{
    return {By::Upgrade, Policy::Bucket, 0, 0, time, remaining};
}

bool isRetry(const ThrottleAnswer &answer, Nanoseconds from, Nanoseconds to)
{
    const auto *retry = std::get_if<RetryIn>(&answer);
    return retry && retry->delay >= from && retry->delay <= to;
}

bool isPassedOn(const ThrottleAnswer &answer)
{
    return std::holds_alternative<PassOn>(answer);
}

} // namespace

void RejectionScheduleTest::aLoneRejectionWaitsItsJitteredRung()
{
    const Milliseconds rungs[] = {2'000ms, 4'000ms, 8'000ms, 16'000ms, 30'000ms};
    for (int used = 0; used < 5; ++used) {
        std::set<Nanoseconds> seen;
        for (std::uint64_t seed = 0; seed < 50; ++seed) {
            RejectionSchedule schedule(seed);
            const auto answer = schedule.next(rejection(used), {}, at(0ms));
            const Nanoseconds rung = rungs[used];
            QVERIFY(isRetry(answer, rung * 4 / 5, rung));
            seen.insert(std::get<RetryIn>(answer).delay);
        }
        QVERIFY(*seen.rbegin() - *seen.begin() > Nanoseconds(rungs[used]) / 10);
    }
}

void RejectionScheduleTest::aStatedTimeReplacesTheRung()
{
    RejectionSchedule schedule(1);
    QVERIFY(isRetry(schedule.next(stated(500ms), {}, at(0ms)), 500ms, 520ms)); // shorter
    RejectionSchedule other(2);
    QVERIFY(isRetry(other.next(stated(7'000ms), {}, at(0ms)), 7'000ms, 7'020ms)); // case B03
}

void RejectionScheduleTest::aStatedTimeOfTwoMinutesIsHonoured()
{
    RejectionSchedule schedule(1);
    QVERIFY(isRetry(schedule.next(stated(120'000ms), {}, at(0ms)), 120'000ms, 120'020ms));
    RejectionSchedule other(1);
    const auto answer = other.next(stated(120'001ms), {}, at(0ms));
    QVERIFY(isPassedOn(answer));
    QCOMPARE(*std::get<PassOn>(answer).retryAfter, 120'001ms);
}

// At the defaults the bound is 4833 ms.
void RejectionScheduleTest::aStatedTimeIsPassedOnWhenItLeavesNoSecondAndNoBound()
{
    RejectionSchedule schedule(1);
    QVERIFY(isPassedOn(schedule.next(stated(30'000ms, 35'832ms), {}, at(0ms))));
    RejectionSchedule other(1);
    QVERIFY(isRetry(other.next(stated(30'000ms, 35'833ms), {}, at(0ms)), 30'000ms, 30'020ms));
}

void RejectionScheduleTest::isPassedOnWithoutARetryLeft()
{
    RejectionSchedule schedule(1);
    QVERIFY(!isPassedOn(schedule.next(rejection(4), {}, at(0ms))));
    QVERIFY(isPassedOn(schedule.next(rejection(5), {}, at(0ms))));
    QVERIFY(isPassedOn(schedule.next(rejection(0), retriesOf(0), at(10'000ms))));
}

void RejectionScheduleTest::isPassedOnWhenTheDeadlineComesFirst()
{
    RejectionSchedule schedule(1);
    Throttled turn = rejection();
    turn.remaining = 1'500ms;
    QVERIFY(isPassedOn(schedule.next(turn, {}, at(0ms))));
}

void RejectionScheduleTest::spacedPoliciesRetryOnceAfterThreeSeconds()
{
    for (const Policy policy : {Policy::Fixed, Policy::Adaptive}) {
        RejectionSchedule schedule(3);
        QVERIFY(isRetry(schedule.next(rejection(0, policy), {}, at(0ms)), 3'000ms, 3'020ms));
        QVERIFY(isRetry(schedule.next(rejection(1, policy), {}, at(60'000ms)), 3'200ms, 4'000ms));
        Throttled turn = rejection(0, policy);
        turn.stated = 9'000ms;
        QVERIFY(isRetry(schedule.next(turn, {}, at(90'000ms)), 9'000ms, 9'020ms));
    }
}

// Case B01: 20 rejections at once; at most three retries share a slot of 250 ms.
void RejectionScheduleTest::victimsOfOneBurstAreStaggered()
{
    RejectionSchedule schedule(7);
    std::map<std::int64_t, int> perSlot;
    for (int place = 0; place < 20; ++place) {
        const auto answer = schedule.next(rejection(), {}, at(0ms));
        QVERIFY(std::holds_alternative<RetryIn>(answer));
        const Nanoseconds delay = std::get<RetryIn>(answer).delay;
        if (place > 0)
            QVERIFY(isRetry(answer, 2'000ms + place * 100ms, 2'020ms + place * 100ms));
        QVERIFY(++perSlot[delay / Nanoseconds(250ms)] <= 3);
    }
}

// (idle - ladder - (retries + 1) * bound) / (2 * retries): (120000 - 62000 - 28998) / 10 = 2900 ms.
void RejectionScheduleTest::theStaggerStaysInsideTheBudget()
{
    RejectionSchedule schedule(7);
    for (int place = 0; place < 29; ++place)
        (void)schedule.next(rejection(), {}, at(0ms));
    QVERIFY(isRetry(schedule.next(rejection(), {}, at(0ms)), 4'900ms, 4'921ms));
    for (int place = 30; place < 100; ++place)
        QVERIFY(isRetry(schedule.next(rejection(), {}, at(0ms)), 4'900ms, 4'921ms));
}

void RejectionScheduleTest::aBurstEndsAfterTwoSeconds()
{
    RejectionSchedule schedule(7);
    (void)schedule.next(rejection(), {}, at(0ms));
    (void)schedule.next(rejection(), {}, at(1'000ms));
    QVERIFY(isRetry(schedule.next(rejection(), {}, at(2'000ms)), 2'200ms, 2'220ms));
    QVERIFY(isRetry(schedule.next(rejection(), {}, at(2'001ms)), 1'600ms, 2'000ms));
}

void RejectionScheduleTest::neverRetriesBeforeAStatedTime()
{
    RejectionSchedule schedule(11);
    for (int i = 0; i < 200; ++i) {
        const auto answer = schedule.next(stated(5'000ms), {}, at(i * 5ms));
        QVERIFY(std::get<RetryIn>(answer).delay >= Nanoseconds(5'000ms));
    }
}

void RejectionScheduleTest::anEventCoolsEverybodyDown()
{
    RejectionSchedule schedule(5);
    QCOMPARE(schedule.clearAt(at(0ms)), at(0ms).steady);
    Throttled turn{By::Event, Policy::Auto, 0, 0, 6'000ms, 120'000ms};
    (void)schedule.next(turn, {}, at(1'000ms));
    QCOMPARE(*schedule.coolingUntil(at(6'999ms)), at(7'000ms).steady);
    for (int place = 0; place < 5; ++place) {
        const Nanoseconds clear = sinceStart(schedule.clearAt(at(2'000ms)));
        QVERIFY(clear >= Nanoseconds(7'000ms + place * 100ms));
        QVERIFY(clear <= Nanoseconds(7'020ms + place * 100ms));
    }
    // A shorter one does not end it sooner.
    turn.stated = 1'000ms;
    (void)schedule.next(turn, {}, at(2'000ms));
    QCOMPARE(*schedule.coolingUntil(at(2'000ms)), at(7'000ms).steady);
    QVERIFY(!schedule.coolingUntil(at(7'000ms)));
    QCOMPARE(schedule.clearAt(at(7'000ms)), at(7'000ms).steady);
}

void RejectionScheduleTest::anUpgradeCoolsNobodyDown()
{
    RejectionSchedule schedule(5);
    (void)schedule.next(stated(6'000ms), {}, at(0ms));
    QVERIFY(!schedule.coolingUntil(at(1ms)));
}

void RejectionScheduleTest::aPlanLimitIsAnsweredHere()
{
    PlanLimit limit;
    const auto now = at(0ms).wall;
    QCOMPARE(limit.ask(now), PlanLimit::Answer::Send);
    limit.reached(now + 3h, true, now);
    QCOMPARE(limit.ask(now + 1min), PlanLimit::Answer::Local);
    QCOMPARE(*limit.resetsAt(), now + 3h);
    limit.passed();
    QCOMPARE(limit.ask(now + 1min), PlanLimit::Answer::Send);
}

void RejectionScheduleTest::aPlanLimitIsProbedOnPaidPlansOnly()
{
    PlanLimit paid;
    PlanLimit unpaid;
    auto now = at(0ms).wall;
    paid.reached(now + 5h, true, now);
    unpaid.reached(now + 5h, false, now);
    for (const auto gap : {5min, 10min, 20min, 30min, 30min}) {
        QCOMPARE(paid.ask(now + gap - 1ms), PlanLimit::Answer::Local);
        now += gap;
        QCOMPARE(paid.ask(now), PlanLimit::Answer::Probe);
        QCOMPARE(paid.ask(now), PlanLimit::Answer::Local); // one probe
        QCOMPARE(unpaid.ask(now), PlanLimit::Answer::Local);
        paid.reached(at(0ms).wall + 5h, true, now);
    }
}

void RejectionScheduleTest::aPlanLimitEndsAtItsReset()
{
    PlanLimit limit;
    const auto now = at(0ms).wall;
    limit.reached(now + 1h, false, now);
    QCOMPARE(limit.ask(now + 1h - 1ms), PlanLimit::Answer::Local);
    QCOMPARE(limit.ask(now + 1h), PlanLimit::Answer::Send);
    QVERIFY(!limit.resetsAt());
}

QTEST_APPLESS_MAIN(RejectionScheduleTest)
#include "tst_rejectionschedule.moc"
