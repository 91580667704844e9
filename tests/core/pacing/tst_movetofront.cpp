// SPDX-License-Identifier: GPL-3.0-or-later
// A person lets one waiter leave next (spec/window.md, view 1), under each policy.
#include "proxy/core/pacing/fairqueue.h"
#include "tests/core/pacing/timeline.h"

#include <QTest>

using namespace headway::pacing;
using namespace headway::pacing::test;

class MoveToFrontTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void underBucketItLeavesNextAndTheOthersKeepTheirOrder();
    void underBucketNothingIsOpenedMore();
    void underBucketWhoHasNoTimeLeftIsRefused();
    void underBucketADebtStaysWhereItWas();
    void underFixedItLeavesNextAndTheOthersKeepTheirOrder();
    void underAutoTheOneMovedLastLeavesFirst();
    void theFirstOneStaysFirst();
    void anUnknownOneIsIgnored();
};

// Section 3 at the defaults: of 14 at once, 11 to 14 wait 1, 2, 3, 4 s.
void MoveToFrontTest::underBucketItLeavesNextAndTheOthersKeepTheirOrder()
{
    Timeline line;
    line.arrive(0ms, 14);
    line.pacer->moveToFront(WaiterId(13), at(100ms));
    QCOMPARE(line.run(), std::string("13@1000 11@2000 12@3000 14@4000"));
}

void MoveToFrontTest::underBucketNothingIsOpenedMore()
{
    Timeline line;
    line.arrive(0ms, 14);
    line.pacer->moveToFront(WaiterId(14), at(0ms));
    QVERIFY(near(line.tokens(0ms), -4));
    QCOMPARE(line.leave(999ms), std::string());
}

// The bound is 4833 ms: the 14th would have to wait 5 s once another one is let in before it.
void MoveToFrontTest::underBucketWhoHasNoTimeLeftIsRefused()
{
    Timeline line;
    line.arrive(0ms, 14);
    QCOMPARE(line.arrive(900ms), std::string("queue")); // 15: at 5 s, after 4.1 s
    line.pacer->moveToFront(WaiterId(15), at(950ms));
    QCOMPARE(line.leave(950ms), std::string("!14"));
    QCOMPARE(line.run(), std::string("15@1000 11@2000 12@3000 13@4000"));
}

void MoveToFrontTest::underBucketADebtStaysWhereItWas()
{
    Timeline line;
    line.arrive(0ms, 12);
    line.pacer->debitRecovery(line.budget, at(0ms)); // stands behind 12: due once both have left
    line.pacer->moveToFront(WaiterId(12), at(0ms));
    QCOMPARE(line.arrive(0ms), std::string("queue")); // 13
    QCOMPARE(line.run(), std::string("12@1000 11@2000 13@4000"));
}

void MoveToFrontTest::underFixedItLeavesNextAndTheOthersKeepTheirOrder()
{
    Timeline line({Policy::Fixed, 60, 10, 0ms});
    line.arrive(0ms, 4);
    line.pacer->moveToFront(WaiterId(4), at(10ms));
    QCOMPARE(line.run(), std::string("4@1000 2@2000 3@3000"));
}

void MoveToFrontTest::underAutoTheOneMovedLastLeavesFirst()
{
    FairQueue queue;
    for (std::uint64_t id = 1; id <= 4; ++id) {
        Attempt attempt;
        attempt.id = WaiterId(id);
        attempt.session = id;
        queue.push(attempt, at(60'000ms).steady, queue.nextOrder());
    }
    queue.moveToFront(WaiterId(3));
    queue.moveToFront(WaiterId(4));
    QCOMPARE(queue.inOrder().size(), std::size_t{4});
    QCOMPARE(queue.pop().attempt.id.value(), std::uint64_t{4});
    QCOMPARE(queue.pop().attempt.id.value(), std::uint64_t{3});
    QCOMPARE(queue.pop().attempt.id.value(), std::uint64_t{1});
    QCOMPARE(queue.pop().attempt.id.value(), std::uint64_t{2});
    QVERIFY(queue.empty());
}

void MoveToFrontTest::theFirstOneStaysFirst()
{
    Timeline line;
    line.arrive(0ms, 12);
    line.pacer->moveToFront(WaiterId(11), at(0ms));
    QCOMPARE(line.run(), std::string("11@1000 12@2000"));
}

void MoveToFrontTest::anUnknownOneIsIgnored()
{
    for (const Policy policy :
         {Policy::Off, Policy::Fixed, Policy::Bucket, Policy::Adaptive, Policy::Auto})
    {
        Timeline line({policy, 60, 1, 0ms});
        line.arrive(0ms, 3);
        const std::size_t waiting = line.pacer->queue().size();
        line.pacer->moveToFront(WaiterId(1), at(0ms)); // has left
        line.pacer->moveToFront(WaiterId(99), at(0ms));
        QCOMPARE(line.pacer->queue().size(), waiting);
    }
}

QTEST_APPLESS_MAIN(MoveToFrontTest)
#include "tst_movetofront.moc"
