// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/adaptivespacing.h"
#include "tests/core/pacing/timeline.h"

#include <QTest>

using namespace headway::pacing;
using namespace headway::pacing::test;

class AdaptiveSpacingTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void startsAtItsFloor();
    void widensFromOneSecondToEight();
    void halvesAfterTwentyInARow();
    void forgetsTheCountAtARejection();
    void becomesTheFloorUnderAnEighthOfASecond();
    void neverRelaxesBelowTheFloor();
    void neverCapsBelowTheFloor();
    void bringsTheFloorIntoItsRange();
};

namespace {

void succeed(AdaptiveSpacing &law, int times)
{
    for (int i = 0; i < times; ++i)
        law.succeeded();
}

} // namespace

void AdaptiveSpacingTest::startsAtItsFloor()
{
    AdaptiveSpacing law;
    QCOMPARE(law.spacing(), Nanoseconds(0));
    law.setFloor(250ms);
    QCOMPARE(law.spacing(), Nanoseconds(250ms));
}

void AdaptiveSpacingTest::widensFromOneSecondToEight()
{
    AdaptiveSpacing law;
    for (const Milliseconds expected : {1'000ms, 2'000ms, 4'000ms, 8'000ms, 8'000ms}) {
        law.rejected();
        QCOMPARE(law.spacing(), Nanoseconds(expected));
    }
}

void AdaptiveSpacingTest::halvesAfterTwentyInARow()
{
    AdaptiveSpacing law;
    law.rejected();
    law.rejected();
    succeed(law, 19);
    QCOMPARE(law.spacing(), Nanoseconds(2'000ms));
    succeed(law, 1);
    QCOMPARE(law.spacing(), Nanoseconds(1'000ms));
    succeed(law, 19); // the count restarts
    QCOMPARE(law.spacing(), Nanoseconds(1'000ms));
    succeed(law, 1);
    QCOMPARE(law.spacing(), Nanoseconds(500ms));
}

void AdaptiveSpacingTest::forgetsTheCountAtARejection()
{
    AdaptiveSpacing law;
    law.rejected();
    succeed(law, 19);
    law.rejected();
    QCOMPARE(law.spacing(), Nanoseconds(2'000ms));
    succeed(law, 19);
    QCOMPARE(law.spacing(), Nanoseconds(2'000ms));
}

void AdaptiveSpacingTest::becomesTheFloorUnderAnEighthOfASecond()
{
    AdaptiveSpacing law;
    law.rejected(); // 1 s: 500, 250, 125, then 62.5 ms, which is too little to matter
    succeed(law, 60);
    QCOMPARE(law.spacing(), Nanoseconds(125ms));
    succeed(law, 20);
    QCOMPARE(law.spacing(), Nanoseconds(0));
    law.rejected();
    QCOMPARE(law.spacing(), Nanoseconds(1'000ms));
}

void AdaptiveSpacingTest::neverRelaxesBelowTheFloor()
{
    AdaptiveSpacing law;
    law.setFloor(700ms);
    law.rejected();
    QCOMPARE(law.spacing(), Nanoseconds(1'000ms));
    succeed(law, 200);
    QCOMPARE(law.spacing(), Nanoseconds(700ms));
}

void AdaptiveSpacingTest::neverCapsBelowTheFloor()
{
    AdaptiveSpacing law;
    law.setFloor(10'000ms);
    for (int i = 0; i < 4; ++i) {
        law.rejected();
        QCOMPARE(law.spacing(), Nanoseconds(10'000ms));
    }
    law.setFloor(3'000ms);
    law.rejected();
    QCOMPARE(law.spacing(), Nanoseconds(8'000ms));
}

void AdaptiveSpacingTest::bringsTheFloorIntoItsRange()
{
    AdaptiveSpacing law;
    law.setFloor(-1ms);
    QCOMPARE(law.spacing(), Nanoseconds(0));
    law.setFloor(60'001ms);
    QCOMPARE(law.spacing(), Nanoseconds(60'000ms));
}

QTEST_APPLESS_MAIN(AdaptiveSpacingTest)
#include "tst_adaptivespacing.moc"
