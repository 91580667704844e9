// SPDX-License-Identifier: GPL-3.0-or-later
// spec/pacing.md section 1: one idle deadline for all attempts, reset by model events only; the
// total deadline counts until the first output.
#include "proxy/core/turn/deadline.h"
#include "proxy/core/turn/deadlineheap.h"

#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using turn::Deadline;
using turn::Expiry;

class DeadlineTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void idleComesAtItsInstantAndNotATickBefore();
    void aModelEventStartsTheIdleDeadlineAnew();
    void sendingDoesNotTouchTheIdleDeadline();
    void totalEndsATurnWithoutOutputEvenWhenEventsKeepComing();
    void afterTheFirstOutputOnlyTheIdleDeadlineCounts();
    void theFirstEventDeadlineIsApartFromIdleAndEndsWithTheFirstEvent();
    void remainingIsTheNearerOfIdleAndTotalAndNeverNegative();
    void theHeapHandsOutOwnersInOrderOfTime();
};

namespace {

constexpr base::SteadyTime start{100s};

pacing::RequestBudget budget(base::Milliseconds idle, base::Milliseconds total)
{
    pacing::RequestBudget budget;
    budget.idle = idle;
    budget.total = total;
    return budget;
}

} // namespace

void DeadlineTest::idleComesAtItsInstantAndNotATickBefore()
{
    const Deadline deadline(budget(120s, 600s), start);
    QVERIFY(!deadline.expired(start + 120s - 1ns));
    QVERIFY(deadline.expired(start + 120s) == Expiry::Idle);
    QVERIFY(deadline.next() == start + 120s);
}

void DeadlineTest::aModelEventStartsTheIdleDeadlineAnew()
{
    Deadline deadline(budget(120s, 600s), start);
    deadline.modelEvent(start + 100s);
    QVERIFY(!deadline.expired(start + 220s - 1ns));
    QVERIFY(deadline.expired(start + 220s) == Expiry::Idle);
}

void DeadlineTest::sendingDoesNotTouchTheIdleDeadline()
{
    Deadline deadline(budget(120s, 600s), start);
    deadline.sent(start + 100s, 60s);
    QVERIFY(deadline.expired(start + 120s) == Expiry::Idle);
}

void DeadlineTest::totalEndsATurnWithoutOutputEvenWhenEventsKeepComing()
{
    Deadline deadline(budget(120s, 300s), start);
    deadline.modelEvent(start + 100s);
    deadline.modelEvent(start + 200s);
    deadline.modelEvent(start + 299s);
    QVERIFY(!deadline.expired(start + 300s - 1ns));
    QVERIFY(deadline.expired(start + 300s) == Expiry::Total);
}

void DeadlineTest::afterTheFirstOutputOnlyTheIdleDeadlineCounts()
{
    Deadline deadline(budget(120s, 300s), start);
    deadline.modelEvent(start + 250s);
    deadline.output();
    QVERIFY(!deadline.expired(start + 300s));
    QVERIFY(deadline.expired(start + 370s) == Expiry::Idle);
}

void DeadlineTest::theFirstEventDeadlineIsApartFromIdleAndEndsWithTheFirstEvent()
{
    Deadline deadline(budget(120s, 600s), start);
    deadline.sent(start + 1s, 60s);
    QVERIFY(!deadline.expired(start + 61s - 1ns));
    QVERIFY(deadline.expired(start + 61s) == Expiry::FirstEvent);
    deadline.modelEvent(start + 60s);
    QVERIFY(!deadline.expired(start + 61s));
    deadline.sent(start + 70s, 60s);
    deadline.answered();
    QVERIFY(!deadline.expired(start + 130s));
}

void DeadlineTest::remainingIsTheNearerOfIdleAndTotalAndNeverNegative()
{
    Deadline deadline(budget(120s, 130s), start);
    QCOMPARE(deadline.remaining(start + 20s), base::Nanoseconds(100s));
    deadline.modelEvent(start + 20s);
    QCOMPARE(deadline.remaining(start + 20s), base::Nanoseconds(110s));
    QCOMPARE(deadline.remaining(start + 1000s), base::Nanoseconds(0));
}

void DeadlineTest::theHeapHandsOutOwnersInOrderOfTime()
{
    turn::DeadlineHeap heap;
    QVERIFY(!heap.next());
    heap.schedule(1, start + 3s);
    heap.schedule(2, start + 1s);
    heap.schedule(3, start + 2s);
    QVERIFY(heap.next() == start + 1s);
    QVERIFY(!heap.take(start + 1s - 1ns));
    QVERIFY(heap.take(start + 2s) == turn::DeadlineHeap::Owner{2});
    QVERIFY(heap.take(start + 2s) == turn::DeadlineHeap::Owner{3});
    QVERIFY(!heap.take(start + 2s));
    QVERIFY(heap.take(start + 3s) == turn::DeadlineHeap::Owner{1});
    QCOMPARE(heap.size(), std::size_t{0});
}

QTEST_APPLESS_MAIN(DeadlineTest)
#include "tst_deadline.moc"
