// SPDX-License-Identifier: GPL-3.0-or-later
// What policy `auto` concludes about a rate, rateceiling.h. Every value is worked out by hand from
// the law that is written down there.
#include "proxy/core/pacing/rateceiling.h"

#include <QTest>

#include <chrono>

using namespace std::chrono_literals;
using headway::base::Nanoseconds;
using headway::base::SteadyTime;
using headway::pacing::RateCeiling;

class RateCeilingTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void goesOnFromTheLastOpening();
    void whatCameTooSoonBoundsItFromBelow();
    void anAccountThatRejectsForNothingProvesLittle();
    void oneMissLengthensItByHalfAtMost();
    void whatFollowsAMissBoundsItFromAbove();
    void aSearchHasToPay_data();
    void aSearchHasToPay();
    void aRejectedSearchIsTheNewLowerBound();
    void aSearchThatPassesShortensIt();
    void soonAfterAMissASearchProvesNothing();
    void whatCameTooSoonPutsTheTrialOff();
};

namespace {

SteadyTime at(Nanoseconds sinceStart)
{
    return SteadyTime(sinceStart);
}

// Adopted at 0 s, right after an opening.
RateCeiling ofInterval(Nanoseconds interval, Nanoseconds tooShort)
{
    RateCeiling rate;
    rate.adopt({.interval = interval, .tooShort = tooShort, .burst = 1, .lastOpening = at(0s)},
               at(0s));
    return rate;
}

void open(RateCeiling &rate, Nanoseconds dial, std::size_t waiting)
{
    rate.dialled(at(dial), false);
    rate.passed(at(dial), waiting);
}

void miss(RateCeiling &rate, Nanoseconds dial, bool proves)
{
    rate.dialled(at(dial), false);
    rate.missed(at(dial), proves, at(dial + 100ms));
}

void failTrial(RateCeiling &rate, Nanoseconds dial)
{
    rate.dialled(at(dial), true);
    rate.trialEnded(false, at(dial), at(dial + 100ms));
}

// One opening at 10 s with so many waiting, and the trial after it. L fades to 9 s * 0.9995.
RateCeiling tenSeconds(std::size_t waiting)
{
    RateCeiling rate = ofInterval(10s, 9s);
    open(rate, 10s, waiting);
    failTrial(rate, 10'100ms);
    return rate;
}

} // namespace

// What was counted before it was adopted is not waited for again: 2 s of the 8 s are over.
void RateCeilingTest::goesOnFromTheLastOpening()
{
    RateCeiling rate;
    rate.adopt({.interval = 8s, .lastOpening = at(0s)}, at(2s));
    QCOMPARE(rate.next(at(2s)), at(8s));
    // Rejected just now, so that less than an opening is left: 0.3 I to go.
    rate.adopt({.interval = 1s, .lastOpening = at(0s)}, at(2s));
    QCOMPARE(rate.next(at(2s)), at(2'300ms));
}

// 8 s after an opening was too soon: I = 1.1 * 8 s, from that opening on.
void RateCeilingTest::whatCameTooSoonBoundsItFromBelow()
{
    RateCeiling rate = ofInterval(8s, 0s);
    open(rate, 8s, 0);
    miss(rate, 16s, true);
    QCOMPARE(rate.interval(), Nanoseconds(8'800ms));
    QVERIFY(rate.next(at(16'100ms)) - at(16'800ms) < 1us);
    QVERIFY(at(16'800ms) - rate.next(at(16'100ms)) < 1us);
}

// I = 1.03 * 8 s, and 0.3 of that to go.
void RateCeilingTest::anAccountThatRejectsForNothingProvesLittle()
{
    RateCeiling rate = ofInterval(8s, 0s);
    open(rate, 8s, 0);
    miss(rate, 16s, false);
    QCOMPARE(rate.interval(), Nanoseconds(8'240ms));
    QCOMPARE(rate.next(at(16'100ms)), at(16'100ms + 2'472ms));
}

// A minute after an opening: e = 1.5 * 1.03 s, I = 1.1 e.
void RateCeilingTest::oneMissLengthensItByHalfAtMost()
{
    RateCeiling rate = ofInterval(1s, 0s);
    open(rate, 1s, 0);
    miss(rate, 61s, true);
    QCOMPARE(rate.interval(), Nanoseconds(1'699'500us));
}

// Two openings up to 8 s after a miss: less than one interval before the first, so I < 8 s.
void RateCeilingTest::whatFollowsAMissBoundsItFromAbove()
{
    RateCeiling rate = ofInterval(8s, 0s);
    open(rate, 8s, 0);
    miss(rate, 16s, true);
    open(rate, 16'800ms, 0);
    QCOMPARE(rate.interval(), Nanoseconds(8'800ms));
    open(rate, 24s, 0);
    QCOMPARE(rate.interval(), Nanoseconds(8s));
}

// I - L = 1.0045 s: for three that wait 12 s < 16 s, for four 20 s. The middle is 9.49775 s.
void RateCeilingTest::aSearchHasToPay_data()
{
    QTest::addColumn<int>("waiting");
    QTest::addColumn<bool>("searches");
    QTest::newRow("three") << 3 << false;
    QTest::newRow("four") << 4 << true;
}

void RateCeilingTest::aSearchHasToPay()
{
    QFETCH(int, waiting);
    QFETCH(bool, searches);
    const RateCeiling rate = tenSeconds(static_cast<std::size_t>(waiting));
    const auto trial = rate.trialAt(at(10'200ms));
    QCOMPARE(trial.has_value(), searches);
    if (searches)
        QCOMPARE(*trial, at(10s + 9'497'750us));
}

// Then I - L = 0.50225 s is searched as well: between 9.49775 and 10 s.
void RateCeilingTest::aRejectedSearchIsTheNewLowerBound()
{
    RateCeiling rate = tenSeconds(10);
    failTrial(rate, 10s + 9'497'750us);
    QCOMPARE(rate.trialAt(at(19'600ms)).value_or(at(0s)), at(10s + 9'748'875us));
    QCOMPARE(rate.interval(), Nanoseconds(10s));
}

void RateCeilingTest::aSearchThatPassesShortensIt()
{
    RateCeiling rate = ofInterval(10s, 0s);
    QCOMPARE(rate.trialAt(at(0s)).value_or(at(0s)), at(2'500ms)); // I / 4
    rate.dialled(at(2'500ms), true);
    rate.passed(at(2'500ms), 1);
    rate.trialEnded(true, at(2'500ms), at(2'600ms));
    QCOMPARE(rate.interval(), Nanoseconds(2'500ms));
}

void RateCeilingTest::soonAfterAMissASearchProvesNothing()
{
    RateCeiling rate = tenSeconds(4);
    const Nanoseconds dial = 10s + 9'497'750us;
    rate.dialled(at(dial), true);
    rate.passed(at(dial), 4);
    rate.trialEnded(true, at(dial), at(dial + 100ms));
    QCOMPARE(rate.interval(), Nanoseconds(10s));
}

// The trial after one opening is put off until four have followed.
void RateCeilingTest::whatCameTooSoonPutsTheTrialOff()
{
    RateCeiling rate = ofInterval(8s, 0s);
    miss(rate, 8s, true); // I = 8.8 s, L = 8 s: no search for one that waits
    for (int i = 1; i <= 3; ++i) {
        open(rate, i * 8'800ms, 1);
        QVERIFY(!rate.trialAt(at(i * 8'800ms)));
    }
    open(rate, 4 * 8'800ms, 1);
    QVERIFY(rate.trialAt(at(4 * 8'800ms)));
}

QTEST_APPLESS_MAIN(RateCeilingTest)
#include "tst_rateceiling.moc"
