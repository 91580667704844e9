// SPDX-License-Identifier: GPL-3.0-or-later
// Who is held back by a person, and in which order the held ones leave (spec/window.md, "Rules").
#include "proxy/core/pacing/holdgate.h"

#include <QTest>

using namespace headway;
using pacing::HoldGate;

class HoldGateTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nobodyIsHeldAtFirst();
    void pauseAllHoldsEverySessionAndNone();
    void oneSessionIsHeldAndTheOthersAreNot();
    void aTurnWithoutSessionIsNotHeldByAnEmptyName();
    void theyLeaveInOrderOfArrival();
    void aSessionStaysHeldWhenThePauseEnds();
    void theOneMovedToTheFrontLeavesFirst();
    void whoHasLeftIsNotReleased();
    void joiningTwiceKeepsThePlace();
};

namespace {

base::TurnId turn(std::uint64_t id)
{
    return base::TurnId{id};
}

} // namespace

void HoldGateTest::nobodyIsHeldAtFirst()
{
    const HoldGate gate;
    QVERIFY(!gate.holds("a"));
    QVERIFY(!gate.holds(""));
}

void HoldGateTest::pauseAllHoldsEverySessionAndNone()
{
    HoldGate gate;
    gate.holdAll(true);
    QVERIFY(gate.holds("a"));
    QVERIFY(gate.holds(""));
    gate.holdAll(false);
    QVERIFY(!gate.holds("a"));
}

void HoldGateTest::oneSessionIsHeldAndTheOthersAreNot()
{
    HoldGate gate;
    gate.holdSession("a", true);
    QVERIFY(gate.holds("a"));
    QVERIFY(!gate.holds("b"));
    QVERIFY(!gate.holds(""));
    gate.holdSession("a", false);
    QVERIFY(!gate.holds("a"));
    gate.holdSession("a", false); // once more does nothing
}

void HoldGateTest::aTurnWithoutSessionIsNotHeldByAnEmptyName()
{
    HoldGate gate;
    gate.holdSession("", true);
    QVERIFY(!gate.holds(""));
    QVERIFY(gate.sessions().empty());
}

void HoldGateTest::theyLeaveInOrderOfArrival()
{
    HoldGate gate;
    gate.holdAll(true);
    for (const std::uint64_t id : {7U, 3U, 5U})
        gate.join(turn(id), "a");
    QVERIFY(gate.release().empty());
    QCOMPARE(gate.placeOf(turn(5)), std::size_t{3});
    gate.holdAll(false);
    QCOMPARE(gate.release(), (std::vector{turn(7), turn(3), turn(5)}));
    QCOMPARE(gate.size(), std::size_t{0});
}

void HoldGateTest::aSessionStaysHeldWhenThePauseEnds()
{
    HoldGate gate;
    gate.holdAll(true);
    gate.holdSession("a", true);
    gate.join(turn(1), "a");
    gate.join(turn(2), "b");
    gate.join(turn(3), "a");
    gate.holdAll(false);
    QCOMPARE(gate.release(), std::vector{turn(2)});
    QCOMPARE(gate.placeOf(turn(3)), std::size_t{2});
    gate.holdSession("a", false);
    QCOMPARE(gate.release(), (std::vector{turn(1), turn(3)}));
}

void HoldGateTest::theOneMovedToTheFrontLeavesFirst()
{
    HoldGate gate;
    gate.holdAll(true);
    for (const std::uint64_t id : {1U, 2U, 3U})
        gate.join(turn(id), "a");
    QVERIFY(gate.moveToFront(turn(3)));
    QVERIFY(!gate.moveToFront(turn(9)));
    gate.holdAll(false);
    QCOMPARE(gate.release(), (std::vector{turn(3), turn(1), turn(2)}));
}

void HoldGateTest::whoHasLeftIsNotReleased()
{
    HoldGate gate;
    gate.holdAll(true);
    gate.join(turn(1), "a");
    gate.join(turn(2), "a");
    gate.leave(turn(1));
    gate.leave(turn(9));
    gate.holdAll(false);
    QCOMPARE(gate.release(), std::vector{turn(2)});
}

void HoldGateTest::joiningTwiceKeepsThePlace()
{
    HoldGate gate;
    gate.holdAll(true);
    gate.join(turn(1), "a");
    gate.join(turn(2), "a");
    gate.join(turn(1), "a");
    QCOMPARE(gate.size(), std::size_t{2});
    QCOMPARE(gate.placeOf(turn(1)), std::size_t{1});
}

QTEST_APPLESS_MAIN(HoldGateTest)
#include "tst_holdgate.moc"
