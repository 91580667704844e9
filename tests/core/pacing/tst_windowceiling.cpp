// SPDX-License-Identifier: GPL-3.0-or-later
// Policy `auto`: which length of window a door that opens again speaks for. Expected values by hand
// from the law at `WindowCeiling`.
#include "proxy/core/pacing/passlog.h"
#include "proxy/core/pacing/windowceiling.h"

#include <QTest>

using namespace headway::pacing;
using headway::base::SteadyTime;
using std::chrono_literals::operator""s;

class WindowCeilingTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void takesTheLongestLengthThatWasForgotten();
    void aStatedTimeIsNoLength();
    void aHeadThatWasShedIsNoLength();
    void fewLookLikeARateAndNotLikeAShortWindow();
    void fewAreAWindowOfAMinute();
    void longerThanAMinuteNeedsProbesThatFailed();
};

namespace {

SteadyTime at(std::chrono::seconds time)
{
    return SteadyTime(1'000s + time);
}

// `count` openings at once, a rejection a second later, and an opening again at `reopening.at`.
WindowCeiling seen(int count, const WindowCeiling::Reopening &reopening)
{
    PassLog log;
    WindowCeiling window;
    for (int i = 0; i < count; ++i) {
        log.add(at(0s));
        window.passed(log, at(0s));
    }
    window.throttled(log, at(1s));
    log.add(reopening.at);
    window.reopened(log, reopening);
    return window;
}

} // namespace

// 16 s later the 20 have left every window of up to 15 s, and are in those of 20 s and more.
void WindowCeilingTest::takesTheLongestLengthThatWasForgotten()
{
    const WindowCeiling window = seen(20, {.at = at(16s), .lastFailure = at(14s)});
    QCOMPARE(window.ceiling(), std::optional<std::size_t>(20));
    QCOMPARE(window.length(), 15s);
    QVERIFY(!window.isKnown()); // shorter than a minute, and seen once
}

void WindowCeilingTest::aStatedTimeIsNoLength()
{
    const WindowCeiling window = seen(20, {.at = at(16s), .lastFailure = at(1s), .stated = true});
    QVERIFY(!window.ceiling());
}

void WindowCeilingTest::aHeadThatWasShedIsNoLength()
{
    const WindowCeiling window
        = seen(20, {.at = at(16s), .lastFailure = at(14s), .forOtherReasons = true});
    QVERIFY(!window.ceiling());
}

void WindowCeilingTest::fewLookLikeARateAndNotLikeAShortWindow()
{
    QVERIFY(!seen(3, {.at = at(16s), .lastFailure = at(14s)}).ceiling());
    QVERIFY(seen(4, {.at = at(16s), .lastFailure = at(14s)}).ceiling());
}

void WindowCeilingTest::fewAreAWindowOfAMinute()
{
    const WindowCeiling window = seen(3, {.at = at(61s), .lastFailure = at(59s)});
    QCOMPARE(window.ceiling(), std::optional<std::size_t>(3));
    QCOMPARE(window.length(), 60s);
}

// Open again after 91 s: a window of 90 s, but only if probes failed up to its end.
void WindowCeilingTest::longerThanAMinuteNeedsProbesThatFailed()
{
    const WindowCeiling probed
        = seen(20, {.at = at(91s), .lastFailure = at(89s), .longClosed = true});
    QCOMPARE(probed.length(), 90s);
    const WindowCeiling idle = seen(20, {.at = at(91s), .lastFailure = at(2s)});
    QCOMPARE(idle.length(), 60s);
}

QTEST_APPLESS_MAIN(WindowCeilingTest)
#include "tst_windowceiling.moc"
