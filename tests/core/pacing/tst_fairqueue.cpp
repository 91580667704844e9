// SPDX-License-Identifier: GPL-3.0-or-later
// Fair queueing of policy `auto`, spec/pacing.md section 7.
#include "proxy/core/base/random.h"
#include "proxy/core/pacing/fairqueue.h"
#include "tests/core/pacing/timeline.h"

#include <QTest>

#include <map>
#include <string>

using namespace headway::pacing;
using namespace headway::pacing::test;

class FairQueueTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isFirstInFirstOutInsideASession();
    void sessionsTakeTurns();
    void aPersonGoesBeforeTheAgentsOfTheSession();
    void aSessionWithAPersonMaySendTwoInARow();
    void whoComesBackKeepsItsOrder();
    void nobodyWaitsMoreThanFourTimesItsShare();
    void removesFromTheMiddle();
    void tellsWhoExpiresFirst();
    void aSessionThatEndsPassesTheTurnOn();
    void losesNobody();
};

namespace {

class Line
{
public:
    std::uint64_t join(std::uint64_t session, bool interactive = false, Milliseconds latest = 0ms)
    {
        Attempt attempt;
        attempt.id = WaiterId(++m_ids);
        attempt.session = session;
        attempt.interactive = interactive;
        queue.push(attempt, at(latest).steady, queue.nextOrder());
        return m_ids;
    }
    std::string leave(int count)
    {
        std::string all;
        for (int i = 0; i < count; ++i)
            all += (all.empty() ? "" : " ") + std::to_string(queue.pop().attempt.id.value());
        return all;
    }
    FairQueue queue;

private:
    std::uint64_t m_ids = 0;
};

} // namespace

void FairQueueTest::isFirstInFirstOutInsideASession()
{
    Line line;
    for (int i = 0; i < 5; ++i)
        line.join(7);
    QCOMPARE(line.queue.placeOf(WaiterId(3)), std::size_t(3));
    QCOMPARE(line.leave(5), std::string("1 2 3 4 5"));
    QVERIFY(line.queue.empty());
}

void FairQueueTest::sessionsTakeTurns()
{
    Line line;
    for (int i = 0; i < 4; ++i)
        line.join(1); // 1 to 4
    line.join(2); // 5
    line.join(3); // 6
    line.join(2); // 7
    QCOMPARE(line.leave(7), std::string("1 5 6 2 7 3 4"));
}

void FairQueueTest::aPersonGoesBeforeTheAgentsOfTheSession()
{
    Line line;
    line.join(1);
    line.join(1);
    line.join(1, true);
    line.join(1, true);
    QCOMPARE(line.queue.placeOf(WaiterId(1)), std::size_t(3));
    QCOMPARE(line.leave(4), std::string("3 4 1 2"));
}

void FairQueueTest::aSessionWithAPersonMaySendTwoInARow()
{
    Line line;
    for (int i = 0; i < 4; ++i)
        line.join(1, true); // 1 to 4
    for (int i = 0; i < 4; ++i)
        line.join(2); // 5 to 8
    QCOMPARE(line.leave(8), std::string("1 2 5 3 4 6 7 8"));
}

void FairQueueTest::whoComesBackKeepsItsOrder()
{
    Line line;
    line.join(1);
    line.join(1);
    const FairQueue::Waiter first = line.queue.pop();
    line.queue.push(first.attempt, first.latest, first.order);
    line.join(1);
    QCOMPARE(line.leave(3), std::string("1 2 3"));
}

// A person's turns never end; its agent joined when one waited, so its share is two departures.
void FairQueueTest::nobodyWaitsMoreThanFourTimesItsShare()
{
    Line line;
    line.join(1, true);
    const std::uint64_t agent = line.join(1);
    int departures = 0;
    for (;;) {
        line.join(1, true);
        ++departures;
        if (line.queue.pop().attempt.id.value() == agent)
            break;
        QVERIFY(departures < 100);
    }
    QCOMPARE(departures, 9); // eight others, then it
}

void FairQueueTest::removesFromTheMiddle()
{
    Line line;
    for (int i = 0; i < 3; ++i)
        line.join(1);
    line.queue.remove(WaiterId(2));
    line.queue.remove(WaiterId(2));
    line.queue.remove(WaiterId(99));
    QVERIFY(!line.queue.find(WaiterId(2)));
    QCOMPARE(line.queue.placeOf(WaiterId(2)), std::size_t(0));
    QCOMPARE(line.leave(2), std::string("1 3"));
}

void FairQueueTest::tellsWhoExpiresFirst()
{
    Line line;
    QVERIFY(!line.queue.firstToExpire());
    line.join(1, false, 300ms);
    line.join(2, false, 100ms);
    line.join(3, false, 200ms);
    QCOMPARE(line.queue.firstToExpire()->attempt.id, WaiterId(2));
    line.queue.remove(WaiterId(2));
    QCOMPARE(line.queue.firstToExpire()->attempt.id, WaiterId(3));
}

void FairQueueTest::aSessionThatEndsPassesTheTurnOn()
{
    Line line;
    line.join(1);
    line.join(2);
    line.join(2);
    line.join(3);
    QCOMPARE(line.leave(1), std::string("1"));
    line.join(1);
    QCOMPARE(line.leave(4), std::string("2 4 5 3"));
}

void FairQueueTest::losesNobody()
{
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        headway::base::Random random(seed);
        Line line;
        std::map<std::uint64_t, int> left;
        std::uint64_t joined = 0;
        for (int i = 0; i < 300; ++i) {
            if (random.next() % 3 != 0)
                joined = line.join(random.next() % 5, random.next() % 4 == 0);
            else if (!line.queue.empty())
                ++left[line.queue.pop().attempt.id.value()];
        }
        const auto rest = line.queue.inOrder();
        QCOMPARE(rest.size(), line.queue.size());
        for (const auto &waiter : rest) {
            QCOMPARE(line.queue.pop().attempt.id, waiter.attempt.id); // the promised order
            ++left[waiter.attempt.id.value()];
        }
        QCOMPARE(left.size(), std::size_t(joined));
        for (const auto &[id, times] : left)
            QCOMPARE(times, 1);
    }
}

QTEST_APPLESS_MAIN(FairQueueTest)
#include "tst_fairqueue.moc"
