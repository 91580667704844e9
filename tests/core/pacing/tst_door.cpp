// SPDX-License-Identifier: GPL-3.0-or-later
// Policy `auto`, hold and probe, dial by dial: door.h, throttle.h.
#include "proxy/core/pacing/door.h"

#include <QTest>

#include <chrono>
#include <cmath>

using namespace std::chrono_literals;
using namespace headway::pacing;
using headway::base::Nanoseconds;
using headway::base::SteadyTime;

class DoorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aShortThrottleLowersNothing();
    void aLongThrottleLowersTheWindow();
    void manyRejectionsInARowAreNoNoise();
    void whatWasClosedBeforeARejectionDidNotHelp();
    void aRateIsNotProbedBeforeItCanOpen();
    void aTurnIsExpectedWhenTheWindowForgets();
    void aTurnIsExpectedWhenTheLockedRateHasRoom();
};

namespace {

SteadyTime at(Nanoseconds sinceStart)
{
    return SteadyTime(sinceStart);
}

// A door, and dials that are answered 10 ms later.
class Dials
{
public:
    void pass(Nanoseconds when)
    {
        dial(when);
        door.passed(WaiterId{m_ids}, 0, at(when + 10ms));
    }
    void reject(Nanoseconds when)
    {
        dial(when);
        door.rejected(WaiterId{m_ids}, {429, std::nullopt}, at(when + 10ms));
    }

    Door door{at(0ms)};

private:
    void dial(Nanoseconds when)
    {
        Door::Permit permit;
        permit.may = true;
        door.dialled(WaiterId{++m_ids}, permit, at(when));
    }

    std::uint64_t m_ids = 0;
};

Dials withWindowOfSixty(int passes)
{
    Dials dials;
    CeilingEstimate estimate;
    estimate.shape = CeilingShape::Window;
    estimate.perMinute = 60;
    dials.door.recall(estimate, at(0ms));
    for (int i = 0; i < passes; ++i)
        dials.pass(i * 20ms);
    return dials;
}

} // namespace

// Two in a row confirm a throttle; when it is over within a second it was noise all the same.
void DoorTest::aShortThrottleLowersNothing()
{
    Dials dials = withWindowOfSixty(30);
    dials.reject(1'000ms);
    dials.reject(1'100ms);
    dials.pass(1'900ms);
    QVERIFY(dials.door.window().ceiling() == std::size_t{60});
}

// At 30 openings, so N = 0.85 * 30.
void DoorTest::aLongThrottleLowersTheWindow()
{
    Dials dials = withWindowOfSixty(30);
    dials.reject(1'000ms);
    dials.reject(1'100ms);
    dials.pass(2'100ms);
    QVERIFY(dials.door.window().ceiling() == std::size_t{25});
}

// Noise would ask for three in a row, then; five within a second are none.
void DoorTest::manyRejectionsInARowAreNoNoise()
{
    Dials dials;
    for (int i = 0; i < 5; ++i)
        dials.reject(i * 100ms);
    dials.pass(600ms);
    for (int i = 0; i < 3; ++i)
        dials.pass(1s + i * 1s);
    dials.reject(10'000ms);
    QVERIFY(!dials.door.window().expectedOpening());
    dials.reject(10'100ms);
    QVERIFY(dials.door.window().expectedOpening()); // confirmed
}

// A socket was closed, the next probe was rejected all the same, and the door opened later: only
// the second throttle, which ends when a socket is closed, looks like a cap, and one is too few.
void DoorTest::whatWasClosedBeforeARejectionDidNotHelp()
{
    Dials dials;
    dials.door.socketsChanged({5, 0});
    dials.reject(100ms);
    dials.reject(300ms);
    dials.door.socketsChanged({4, 0});
    dials.reject(500ms);
    dials.pass(5s);
    dials.reject(6s);
    dials.reject(6'200ms);
    dials.door.socketsChanged({3, 0});
    dials.pass(8s);
    QVERIFY(!dials.door.cap().cap());
}

// 0.85 * 9 s after the opening, but at once where a socket was closed: 2 * sqrt(1 / 4) s.
void DoorTest::aRateIsNotProbedBeforeItCanOpen()
{
    Throttle throttle;
    throttle.begin(at(10s), at(10s));
    throttle.confirmed = true;
    throttle.failed(at(11s), std::nullopt);
    throttle.quietUntil = at(9s + 7'650ms);
    QCOMPARE(throttle.nextProbe(4, std::nullopt, false), at(16'650ms));
    throttle.closedSome = true;
    QCOMPARE(throttle.nextProbe(4, std::nullopt, false), at(12s));
}

// Three a minute, counted at 10, 110 and 210 ms; whoever comes fourth waits for the next minute.
void DoorTest::aTurnIsExpectedWhenTheWindowForgets()
{
    Dials dials;
    CeilingEstimate estimate;
    estimate.shape = CeilingShape::Window;
    estimate.perMinute = 3;
    dials.door.recall(estimate, at(0ms));
    for (int i = 0; i < 3; ++i)
        dials.pass(i * 100ms);
    const SteadyTime now = at(50s);
    QCOMPARE(dials.door.expectedTurn(1, 4, now), at(60'010ms));
    QCOMPARE(dials.door.expectedTurn(2, 4, now), at(60'110ms));
    QCOMPARE(dials.door.expectedTurn(3, 4, now), at(60'210ms));
    QCOMPARE(dials.door.expectedTurn(4, 4, now), at(120'010ms));
}

// The same of a rate that is locked, and that nothing was learned of.
void DoorTest::aTurnIsExpectedWhenTheLockedRateHasRoom()
{
    Dials dials;
    dials.door.setRate(3, true);
    dials.pass(0ms);
    dials.pass(100ms);
    QCOMPARE(dials.door.expectedTurn(1, 4, at(1s)), at(1s)); // there is room for one
    dials.pass(1s);
    const SteadyTime now = at(50s);
    QCOMPARE(dials.door.expectedTurn(1, 4, now), at(60'010ms));
    QCOMPARE(dials.door.expectedTurn(3, 4, now), at(61'010ms));
    QCOMPARE(dials.door.expectedTurn(4, 4, now), at(120'010ms));
}

QTEST_APPLESS_MAIN(DoorTest)
#include "tst_door.moc"
