// SPDX-License-Identifier: GPL-3.0-or-later
// Tickets of policy `auto`, spec/pacing.md section 7.
#include "proxy/core/pacing/tickets.h"
#include "tests/core/pacing/timeline.h"

#include <QTest>

using namespace headway::pacing;
using namespace headway::pacing::test;
using headway::base::Seconds;

class TicketsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theSlotIsTheHintFromNow();
    void hintsStayInWhatClientsHonour();
    void theSlotIsHeldFromAFifthOfASecondBefore();
    void itLapsesAThirdOfTheHintAndTwoSecondsLate();
    void aTurnThatIsBackHoldsNothing();
    void aChargedSlotIsGone();
    void aSecondRefusalKeepsTheEarlierSlot();
    void aLapsedSlotIsReplacedAndSeniorityKept();
    void aTurnThatLeftTheQueueKeepsItsSlot();
    void withoutAKeyNothingIsReserved();
    void seniorityIsForgottenAfterTenMinutes();
    void itIsToldOnceWhoseSlotPassedUnused();
    void aSlotThatPassesBetweenTwoLooksIsToldToo();
};

namespace {

auto steady(Nanoseconds time)
{
    return at(time).steady;
}

std::size_t heldAt(Tickets &tickets, Nanoseconds time)
{
    tickets.advance(steady(time));
    return tickets.held();
}

} // namespace

void TicketsTest::theSlotIsTheHintFromNow()
{
    Tickets tickets;
    const auto issued = tickets.issue(1, Seconds(20), 5, steady(1'000ms));
    QCOMPARE(issued.hint, Seconds(20));
    QCOMPARE(sinceStart(issued.slot), Nanoseconds(21'000ms));
}

void TicketsTest::hintsStayInWhatClientsHonour()
{
    Tickets tickets;
    QCOMPARE(tickets.issue(1, Seconds(0), 0, steady(0ms)).hint, Seconds(1));
    QCOMPARE(tickets.issue(2, Seconds(61), 0, steady(0ms)).hint, Seconds(60));
}

void TicketsTest::theSlotIsHeldFromAFifthOfASecondBefore()
{
    Tickets tickets;
    (void)tickets.issue(1, Seconds(20), 0, steady(0ms));
    QCOMPARE(sinceStart(*tickets.nextChange()), Nanoseconds(19'800ms));
    QCOMPARE(heldAt(tickets, 19'799ms), std::size_t(0));
    QCOMPARE(heldAt(tickets, 19'800ms), std::size_t(1));
    QVERIFY(tickets.back(1, steady(19'800ms))->inTime);
}

// 20 s + 30 % of 20 s + 2 s.
void TicketsTest::itLapsesAThirdOfTheHintAndTwoSecondsLate()
{
    Tickets tickets;
    (void)tickets.issue(1, Seconds(20), 0, steady(0ms));
    QCOMPARE(heldAt(tickets, 27'999ms), std::size_t(1));
    QCOMPARE(sinceStart(*tickets.nextChange()), Nanoseconds(28'000ms));
    QCOMPARE(heldAt(tickets, 28'000ms), std::size_t(0));
    QVERIFY(!tickets.back(1, steady(28'000ms))->inTime);
}

void TicketsTest::aTurnThatIsBackHoldsNothing()
{
    Tickets tickets;
    (void)tickets.issue(1, Seconds(20), 7, steady(0ms));
    const auto early = tickets.back(1, steady(5'000ms));
    QVERIFY(early);
    QVERIFY(!early->inTime);
    QCOMPARE(early->order, std::uint64_t(7));
    QCOMPARE(heldAt(tickets, 20'000ms), std::size_t(0));
    QVERIFY(!tickets.back(2, steady(5'000ms)));
}

void TicketsTest::aChargedSlotIsGone()
{
    Tickets tickets;
    (void)tickets.issue(1, Seconds(20), 7, steady(0ms));
    tickets.charge(1);
    tickets.charge(1);
    QVERIFY(!tickets.nextChange());
    QVERIFY(!tickets.back(1, steady(20'000ms)));
}

void TicketsTest::aSecondRefusalKeepsTheEarlierSlot()
{
    Tickets tickets;
    (void)tickets.issue(1, Seconds(20), 7, steady(0ms));
    (void)tickets.back(1, steady(5'000ms));
    const auto again = tickets.issue(1, Seconds(40), 9, steady(6'000ms));
    QCOMPARE(sinceStart(again.slot), Nanoseconds(20'000ms));
    QCOMPARE(again.hint, Seconds(14));
    QCOMPARE(heldAt(tickets, 20'000ms), std::size_t(1));
    // Its time has come and it is refused again: at once, while the slot is held.
    (void)tickets.back(1, steady(21'000ms));
    QCOMPARE(tickets.issue(1, Seconds(40), 9, steady(22'000ms)).hint, Seconds(1));
}

void TicketsTest::aLapsedSlotIsReplacedAndSeniorityKept()
{
    Tickets tickets;
    (void)tickets.issue(1, Seconds(20), 7, steady(0ms));
    const auto again = tickets.issue(1, Seconds(10), 90, steady(28'000ms));
    QCOMPARE(sinceStart(again.slot), Nanoseconds(38'000ms));
    QCOMPARE(tickets.back(1, steady(38'000ms))->order, std::uint64_t(7));
}

void TicketsTest::aTurnThatLeftTheQueueKeepsItsSlot()
{
    Tickets tickets;
    (void)tickets.issue(1, Seconds(20), 7, steady(0ms));
    (void)tickets.back(1, steady(5'000ms));
    tickets.gone(1);
    tickets.gone(1);
    QCOMPARE(heldAt(tickets, 20'000ms), std::size_t(1));
    QCOMPARE(heldAt(tickets, 28'000ms), std::size_t(0));
}

void TicketsTest::withoutAKeyNothingIsReserved()
{
    Tickets tickets;
    QCOMPARE(tickets.issue(0, Seconds(20), 7, steady(0ms)).hint, Seconds(20));
    QVERIFY(!tickets.nextChange());
    QVERIFY(!tickets.back(0, steady(20'000ms)));
}

void TicketsTest::seniorityIsForgottenAfterTenMinutes()
{
    Tickets tickets;
    (void)tickets.issue(1, Seconds(20), 7, steady(0ms));
    tickets.advance(steady(627'999ms));
    QVERIFY(tickets.back(1, steady(627'999ms)));
    tickets.gone(1);
    QVERIFY(!tickets.back(1, steady(628'000ms)));
}

void TicketsTest::itIsToldOnceWhoseSlotPassedUnused()
{
    Tickets tickets;
    (void)tickets.issue(1, Seconds(20), 0, steady(0ms));
    (void)tickets.issue(2, Seconds(10), 1, steady(0ms));
    (void)tickets.issue(3, Seconds(20), 2, steady(0ms));
    tickets.advance(steady(20'000ms));
    QVERIFY(tickets.takeLapsed() == std::vector<std::uint64_t>{2}); // 10 s + 3 s + 2 s
    QVERIFY(tickets.back(3, steady(21'000ms))->inTime);
    QVERIFY(tickets.charge(3));
    QVERIFY(!tickets.charge(3));
    tickets.advance(steady(29'000ms));
    QVERIFY(tickets.takeLapsed() == std::vector<std::uint64_t>{1});
    tickets.advance(steady(60'000ms));
    QVERIFY(tickets.takeLapsed().empty());
}

void TicketsTest::aSlotThatPassesBetweenTwoLooksIsToldToo()
{
    Tickets tickets;
    (void)tickets.issue(1, Seconds(20), 0, steady(0ms));
    tickets.advance(steady(60'000ms));
    QCOMPARE(tickets.held(), std::size_t(0));
    QVERIFY(tickets.takeLapsed() == std::vector<std::uint64_t>{1});
}

QTEST_APPLESS_MAIN(TicketsTest)
#include "tst_tickets.moc"
