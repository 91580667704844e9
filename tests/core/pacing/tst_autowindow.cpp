// SPDX-License-Identifier: GPL-3.0-or-later
// Policy `auto`: windows of any length, blocks of any length, and a cap among noise.
#include "tests/core/pacing/stage.h"

#include <QTest>

using namespace headway::pacing;
using namespace headway::pacing::test;
using std::chrono_literals::operator""h;
using std::chrono_literals::operator""s;

class AutoWindowTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void learnsAShortWindow();
    void findsAShorterWindowByATrial();
    void learnsALongWindow();
    void aRateIsNoShortWindow();
    void aStatedTimeIsNoLength();
    void aLongBlockLowersNothing();
    void aTrialOfALongBlockIsMadeOnce();
    void aShortThrottleLowersNothing();
    void aCapOutlivesNoise();
    void aCapThatRejectsBelowItEnds();
    void ticketsDoNotStopARateWithoutABurst();
};

namespace {

struct Counted
{
    std::deque<Nanoseconds> passed;
    Nanoseconds closed{-1h};
};

// At most `max` dials in any `length`; what finds it full closes the door for `block`.
Stage::Door window(std::size_t max, Nanoseconds length, Nanoseconds block)
{
    auto state = std::make_shared<Counted>();
    return [=](Nanoseconds now, std::size_t) {
        while (!state->passed.empty() && state->passed.front() + length <= now)
            state->passed.pop_front();
        if (now < state->closed)
            return false;
        if (state->passed.size() >= max) {
            state->closed = now + block;
            return false;
        }
        state->passed.push_back(now);
        return true;
    };
}

// One every `interval`, `burst` saved up at most.
Stage::Door rate(Nanoseconds interval, double burst)
{
    auto tokens = std::make_shared<double>(burst);
    auto last = std::make_shared<Nanoseconds>(0);
    return [=](Nanoseconds now, std::size_t) {
        *tokens
            = std::min(burst, *tokens + double((now - *last).count()) / double(interval.count()));
        *last = now;
        if (*tokens < 1 - 1e-9)
            return false;
        *tokens -= 1;
        return true;
    };
}

} // namespace

// 20 in any 20 s: 20 at 0, 20, 40 and 60 s, so 80 by 62 s; a minute would have let 40 through.
void AutoWindowTest::learnsAShortWindow()
{
    Stage stage(window(20, 20s, 5s));
    stage.arrive(0ms, 100);
    stage.runTo(63s);
    QCOMPARE(stage.opened.size(), std::size_t(80));
    const CeilingEstimate estimate = stage.pacer->estimate(at(stage.now));
    QCOMPARE(estimate.shape, CeilingShape::Window);
    QCOMPARE(estimate.perMinute, 60.0);
}

// 40 in any 30 s, but a rejection closes the door for 20 s, and so hides that it could have opened
// after 30 s: 40 in 60 s is adopted first. In 240 s that would be 160; 320 are possible.
void AutoWindowTest::findsAShorterWindowByATrial()
{
    Stage stage(window(40, 30s, 20s));
    for (int i = 0; i < 24; ++i)
        stage.arrive(i * 10s, i == 0 ? 60 : 15);
    stage.runTo(240s);
    QVERIFY(stage.opened.size() > 200);
}

// 20 in any 90 s: the second 20 pass at 90 s, as 13.3 a minute.
void AutoWindowTest::learnsALongWindow()
{
    Stage stage(window(20, 90s, 0s));
    stage.arrive(0ms, 40);
    stage.runTo(96s);
    QCOMPARE(stage.opened.size(), std::size_t(40));
    const CeilingEstimate estimate = stage.pacer->estimate(at(stage.now));
    QCOMPARE(estimate.shape, CeilingShape::Window);
    QVERIFY(std::abs(estimate.perMinute - 20 * 60.0 / 90.0) < 0.01);
}

// Ten a minute after a burst of 20: the burst is gone from every short window when it opens again.
void AutoWindowTest::aRateIsNoShortWindow()
{
    Stage stage(rate(6s, 20));
    stage.arrive(0ms, 40);
    stage.runTo(100s);
    QCOMPARE(stage.pacer->estimate(at(stage.now)).shape, CeilingShape::Rate);
    QVERIFY(stage.opened.size() >= 32); // of 20 + 100 / 6
}

// Five at once, then one every 2 s, but every rejection states 5 s: two or three pass each time.
// A window of 5, 10 or 15 s would fit, and would be too narrow.
void AutoWindowTest::aStatedTimeIsNoLength()
{
    Stage stage(rate(2s, 5));
    stage.retryAfter = 5'000ms;
    stage.arrive(0ms, 60);
    stage.runTo(55s);
    QVERIFY(stage.opened.size() >= 24); // of 5 + 55 / 2
}

// 20 a minute, and a rejection closes the door for 75 s: it opens 15 s late, and N is 20 still.
void AutoWindowTest::aLongBlockLowersNothing()
{
    Stage stage(window(20, 60s, 75s));
    stage.arrive(0ms, 40);
    stage.runTo(85s);
    QCOMPARE(stage.opened.size(), std::size_t(40));
    QCOMPARE(stage.pacer->estimate(at(stage.now)).perMinute, 20.0);
}

// A trial closes the door of this window for 45 s. The first one shows that, the next ones are only
// made when it costs nothing: ten minutes of 20 each, less one block.
void AutoWindowTest::aTrialOfALongBlockIsMadeOnce()
{
    Stage stage(window(20, 60s, 45s));
    for (int i = 0; i < 60; ++i)
        stage.arrive(i * 10s, i == 0 ? 20 : 4);
    stage.runTo(600s);
    QVERIFY(stage.opened.size() >= 180);
}

// N is 20 in 60 s. Then three dials are rejected within half a second, with 15 in the minute: no
// reason to let fewer through from then on.
void AutoWindowTest::aShortThrottleLowersNothing()
{
    const auto real = window(20, 60s, 0s);
    Stage stage([=](Nanoseconds now, std::size_t sockets) {
        return !(now >= 80s && now < 80'500ms) && real(now, sockets);
    });
    stage.arrive(0ms, 35); // 20, and 15 at 60 s
    stage.arrive(80s, 1);
    stage.runTo(119s);
    QCOMPARE(stage.opened.size(), std::size_t(36));
    QCOMPARE(stage.pacer->estimate(at(stage.now)).perMinute, 20.0);
}

void AutoWindowTest::aCapOutlivesNoise()
{
    auto dials = std::make_shared<int>(0);
    Stage stage([=](Nanoseconds now, std::size_t sockets) {
        const bool isNoise = now > 20s && ++*dials % 10 == 0;
        return sockets < 15 && !isNoise;
    });
    stage.arrive(0ms, 15);
    for (int i = 0; i < 40; ++i)
        stage.arrive(10s + i * 1s, 2);
    stage.runTo(60s);
    const CeilingEstimate estimate = stage.pacer->estimate(at(stage.now));
    QCOMPARE(estimate.shape, CeilingShape::Cap);
    QCOMPARE(estimate.socketCap, std::size_t(15));
    // Eight are noise, and one dial in 64 is a trial: more would be the cap forgotten.
    QVERIFY(stage.rejections.size() <= 8 + 8);
}

// What looked like a cap of 15 rejects with ten open as well, twice in a row and again soon.
void AutoWindowTest::aCapThatRejectsBelowItEnds()
{
    auto dials = std::make_shared<int>(0);
    Stage stage([=](Nanoseconds now, std::size_t sockets) {
        if (now < 30s)
            return sockets < 15;
        return ++*dials % 10 > 2; // two in a row, then eight pass
    });
    stage.arrive(0ms, 15);
    stage.arrive(10s, 10);
    stage.runTo(29s);
    QCOMPARE(stage.pacer->estimate(at(stage.now)).shape, CeilingShape::Cap);
    stage.sockets = 5; // most were closed
    stage.pacer->socketsChanged({5, 5}, at(29s));
    for (int i = 0; i < 10; ++i)
        stage.arrive(30s + i * 2s, 1);
    stage.runTo(52s);
    QVERIFY(stage.pacer->estimate(at(stage.now)).shape != CeilingShape::Cap);
}

// One every 2 s, none saved up. Those refused after two minutes hold tickets; openings go on.
void AutoWindowTest::ticketsDoNotStopARateWithoutABurst()
{
    Stage stage(rate(2s, 1));
    stage.arrive(0ms, 110);
    stage.runTo(117s);
    QVERIFY(stage.refused.size() >= 40);
    const std::size_t before = stage.opened.size();
    stage.arrive(117s, 40);
    stage.runTo(141s);
    QVERIFY(stage.opened.size() >= before + 9); // of twelve
}

QTEST_APPLESS_MAIN(AutoWindowTest)
#include "tst_autowindow.moc"
