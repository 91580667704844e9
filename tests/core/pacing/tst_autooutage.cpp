// SPDX-License-Identifier: GPL-3.0-or-later
// Policy `auto`: what an outage lasted, or what a rejection stated, is not what lies between two
// openings (spec/pacing.md section 7), against doors that a few lines describe.
#include "tests/core/pacing/stage.h"

#include <QTest>

using namespace headway::pacing;
using namespace headway::pacing::test;
using std::chrono_literals::operator""h;
using std::chrono_literals::operator""s;

class AutoOutageTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anOutageIsNoInterval();
    void aStatedTimeIsNoInterval();
    void aRateIsFoundAfterAnOutage();
    void aDisprovedStatedTimeHoldsNobody();
    void aShortWindowIsNotTakenForAMinute();
};

namespace {

// One opening per interval, none saved up, and none before `opens`.
Stage::Door rate(Nanoseconds interval, Nanoseconds opens)
{
    auto last = std::make_shared<Nanoseconds>(-1h);
    return [=](Nanoseconds now, std::size_t) {
        if (now < opens || now - *last < interval)
            return false;
        *last = now;
        return true;
    };
}

} // namespace

// 10 a minute after 90 s: fifteen by the end of the third minute, less what it takes to learn.
void AutoOutageTest::anOutageIsNoInterval()
{
    Stage stage(rate(6s, 90s));
    stage.arrive(88s, 1);
    stage.arrive(89s, 29);
    stage.runTo(180s);
    QVERIFY(stage.opened.size() >= 11);
    QVERIFY(stage.refused.empty());
}

void AutoOutageTest::aRateIsFoundAfterAnOutage()
{
    Stage stage(rate(6s, 90s));
    stage.arrive(0s, 1);
    stage.arrive(88s, 30);
    stage.runTo(190s);
    const CeilingEstimate estimate = stage.pacer->estimate(at(stage.now));
    QCOMPARE(estimate.shape, CeilingShape::Rate);
    QVERIFY(estimate.spacing > Nanoseconds(5s) && estimate.spacing < Nanoseconds(8s));
}

// Two a second, and every rejection states 5 s: 80 in a minute, of 120.
void AutoOutageTest::aStatedTimeIsNoInterval()
{
    Stage stage(rate(500ms, 0s));
    stage.retryAfter = 5'000ms;
    stage.arrive(0s, 100);
    stage.runTo(60s);
    QVERIFY(stage.opened.size() >= 60);
}

// The first rejection states 45 s while others pass: from then on one is looked into like any
// other.
void AutoOutageTest::aDisprovedStatedTimeHoldsNobody()
{
    auto dials = std::make_shared<int>(0);
    Stage stage([=](Nanoseconds, std::size_t) {
        const int number = ++*dials;
        return number != 2 && number != 5;
    });
    stage.retryAfter = 45'000ms;
    for (int i = 0; i < 4; ++i) // the third and the fourth begin after the second
        stage.arrive(i * 10ms);
    stage.arrive(10s, 1);
    stage.runTo(11s);
    QCOMPARE(stage.rejections.size(), std::size_t(2));
    QCOMPARE(stage.opened.size(), std::size_t(5));
}

// After 20 openings the door stays closed for 20 s: 20 at 0, 20, 40 and 60 s.
void AutoOutageTest::aShortWindowIsNotTakenForAMinute()
{
    auto total = std::make_shared<int>(0);
    auto closedUntil = std::make_shared<Nanoseconds>(0);
    Stage stage([=](Nanoseconds now, std::size_t) {
        if (now < *closedUntil)
            return false;
        if (++*total % 20 == 0)
            *closedUntil = now + 20s;
        return true;
    });
    stage.arrive(0s, 80);
    stage.runTo(55s);
    QCOMPARE(stage.opened.size(), std::size_t(60));
}

QTEST_APPLESS_MAIN(AutoOutageTest)
#include "tst_autooutage.moc"
