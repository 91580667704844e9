// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/heads/timeline.h"

using namespace headway::heads;
using namespace std::chrono_literals;

// spec/heads.md section 2: caps, least recently used, promotion, shedding, removal.
class HeadCapsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void promotionComesWithTheFirstContinuation();
    void aNewHeadEvictsTheLeastRecentlyUsedNurseryHead();
    void headsInFlightCountButAreNeverEvicted();
    void allBusyHeadsMayExceedTheCap();
    void promotionEvictsForTheEstablishedCapAndNeverNurseryHeads();
    void aNewHeadNeverEvictsEstablishedOnes();
    void isolatedHeadsTakeNoPlace();
    void agentsSeenInTheLastFiveMinutesGoLast();
    void anAgentSeenFiveMinutesAgoIsLikeAnyOther();
    void sheddingTakesTheOldestIdleHeadsOfBothGenerations();
    void loweredCapsActAtOnce();
    void loweredLimitsActAtOnce();
    void aLoweredRotationAgeActsAtOnce();
    void removalTellsItsReason_data();
    void removalTellsItsReason();
    void allHeadsOfAConnectionGoTogether();
    void claimingAContinuedHeadAgainEvictsNothing();
};

namespace {

const Generation &generationOf(const std::vector<HeadView> &views, HeadId head)
{
    for (const HeadView &view : views) {
        if (view.head == head)
            return view.generation;
    }
    qFatal("no such head");
}

// Idle limits out of the way, so that recency can be told over longer times.
PoolSettings capped(std::size_t nursery, std::size_t established)
{
    return {.nurseryCap = nursery,
            .establishedCap = established,
            .nurseryIdle = 24h,
            .establishedIdle = 24h,
            .rotateAfter = 48h};
}

} // namespace

void HeadCapsTest::promotionComesWithTheFirstContinuation()
{
    Timeline t;
    const HeadId head = t.turn("U1", "A1");
    COMPARE_WORD(generationOf(t.pool.views(t.now), head), Generation::Nursery);
    COMPARE_WORD(t.scan("U1 A1 U2").generation, Generation::Nursery);
    (void)t.begin("U1 A1 U2");
    COMPARE_WORD(generationOf(t.pool.views(t.now), head), Generation::Established);
    QCOMPARE(t.pool.views(t.now).front().turns, std::size_t{2});
    t.end(head, "A2");
    COMPARE_WORD(t.scan("U1 A1 U2 A2 U3").generation, Generation::Established);
}

void HeadCapsTest::aNewHeadEvictsTheLeastRecentlyUsedNurseryHead()
{
    Timeline t(capped(2, 9));
    const HeadId first = t.begin("U1", "a");
    (void)t.turn("U1", "A1", "b");
    t.pass(1s);
    t.end(first, "A1"); // registered first, used last
    (void)t.begin("U1", "c");
    QCOMPARE(Timeline::told(t.evictions), QStringList{QStringLiteral("nursery_lru_cap 2")});
}

void HeadCapsTest::headsInFlightCountButAreNeverEvicted()
{
    Timeline t(capped(2, 9));
    (void)t.begin("U1", "a");
    t.pass(1s);
    (void)t.turn("U1", "A1", "b");
    (void)t.begin("U1", "c");
    QCOMPARE(Timeline::told(t.evictions), QStringList{QStringLiteral("nursery_lru_cap 2")});
}

void HeadCapsTest::allBusyHeadsMayExceedTheCap()
{
    Timeline t(capped(2, 9));
    const HeadId first = t.begin("U1", "a");
    (void)t.begin("U1", "b");
    (void)t.begin("U1", "c");
    QVERIFY(t.evictions.empty());
    QCOMPARE(t.pool.size(), std::size_t{3});
    t.end(first, "A1");
    QVERIFY(t.evictions.empty()); // completion is no time for the cap
    (void)t.begin("U1", "d");
    QCOMPARE(Timeline::told(t.evictions), QStringList{QStringLiteral("nursery_lru_cap 1")});
    QCOMPARE(t.pool.size(), std::size_t{3});
}

void HeadCapsTest::promotionEvictsForTheEstablishedCapAndNeverNurseryHeads()
{
    Timeline t(capped(9, 1));
    (void)t.turn("U1", "A1", "a");
    (void)t.turn("U1", "A1", "b");
    (void)t.turn("U1", "A1", "c");
    t.pass(1s);
    (void)t.turn("U1 A1 U2", "A2", "a");
    QVERIFY(t.evictions.empty());
    (void)t.begin("U1 A1 U2", "b");
    QCOMPARE(Timeline::told(t.evictions), QStringList{QStringLiteral("established_lru_cap 1")});
    (void)t.begin("U1 A1 U2", "c"); // the only established head is busy
    QVERIFY(t.evictions.empty());
}

void HeadCapsTest::aNewHeadNeverEvictsEstablishedOnes()
{
    Timeline t(capped(1, 9));
    (void)t.turn("U1", "A1", "a");
    (void)t.turn("U1 A1 U2", "A2", "a");
    (void)t.turn("U1", "A1", "b");
    QVERIFY(t.evictions.empty());
    (void)t.begin("U1", "c");
    QCOMPARE(Timeline::told(t.evictions), QStringList{QStringLiteral("nursery_lru_cap 2")});
}

void HeadCapsTest::isolatedHeadsTakeNoPlace()
{
    Timeline t(capped(2, 9));
    (void)t.turn("U1", "A1", "a");
    (void)t.begin("U1", "b");
    (void)t.begin("U1", "b"); // isolated
    QVERIFY(t.evictions.empty());
    QCOMPARE(t.pool.size(), std::size_t{3});
}

void HeadCapsTest::agentsSeenInTheLastFiveMinutesGoLast()
{
    Timeline t(capped(3, 9));
    (void)t.turn("U1", "A1", "active"); // 1: the least recently used
    t.pass(1min);
    (void)t.turn("U1", "A1", "quiet"); // 2
    t.pass(10min);
    (void)t.begin("U2", "active"); // 3: its agent is seen now
    (void)t.begin("U1", "new");
    QCOMPARE(Timeline::told(t.evictions), QStringList{QStringLiteral("nursery_lru_cap 2")});
    (void)t.begin("U1", "newer"); // only those of agents seen lately are left
    QCOMPARE(Timeline::told(t.evictions), QStringList{QStringLiteral("nursery_lru_cap 1")});
}

void HeadCapsTest::anAgentSeenFiveMinutesAgoIsLikeAnyOther()
{
    for (const auto sinceSeen : {5min - 1ns, 5min + 0ns}) {
        Timeline t(capped(3, 9));
        (void)t.turn("U1", "A1", "active"); // 1
        (void)t.turn("U1", "A1", "quiet"); // 2
        t.pass(10min);
        (void)t.begin("U2", "active"); // 3
        t.pass(sinceSeen);
        (void)t.begin("U1", "new");
        QCOMPARE(Timeline::told(t.evictions).front(),
                 sinceSeen < 5min ? QStringLiteral("nursery_lru_cap 2")
                                  : QStringLiteral("nursery_lru_cap 1"));
    }
}

void HeadCapsTest::sheddingTakesTheOldestIdleHeadsOfBothGenerations()
{
    Timeline t;
    (void)t.begin("U1", "busy"); // 1
    (void)t.turn("U1", "A1", "a"); // 2
    (void)t.turn("U1 A1 U2", "A2", "a");
    t.pass(1s);
    (void)t.turn("U1", "A1", "b"); // 3
    t.pass(1s);
    (void)t.turn("U1", "A1", "c"); // 4
    QCOMPARE(Timeline::told(t.pool.shed(2)),
             (QStringList{QStringLiteral("socket_cap 2"), QStringLiteral("socket_cap 3")}));
    QCOMPARE(Timeline::told(t.pool.shed(9)), QStringList{QStringLiteral("socket_cap 4")});
    QCOMPARE(t.pool.size(), std::size_t{1});
}

void HeadCapsTest::loweredCapsActAtOnce()
{
    Timeline t(capped(9, 9));
    for (const char *agent : {"a", "b", "c"})
        (void)t.turn("U1", "A1", agent);
    (void)t.turn("U1 A1 U2", "A2", "b"); // established
    QCOMPARE(Timeline::told(t.pool.applySettings(capped(1, 1), t.now)),
             QStringList{QStringLiteral("settings 1")});
    QCOMPARE(t.pool.size(), std::size_t{2});
}

void HeadCapsTest::loweredLimitsActAtOnce()
{
    Timeline t(capped(9, 9));
    (void)t.turn("U1", "A1");
    t.pass(10min);
    QCOMPARE(t.sweep(), QStringList{});
    QCOMPARE(Timeline::told(t.pool.applySettings(PoolSettings{}, t.now)),
             QStringList{QStringLiteral("nursery_idle_ttl 1")});
}

void HeadCapsTest::aLoweredRotationAgeActsAtOnce()
{
    Timeline t(capped(9, 9));
    (void)t.turn("U1", "A1");
    t.pass(14min);
    PoolSettings settings = capped(9, 9);
    settings.rotateAfter = 13min;
    QCOMPARE(Timeline::told(t.pool.applySettings(settings, t.now)),
             QStringList{QStringLiteral("hard_ttl 1")});
    QVERIFY(!t.pool.nextExpiry(t.now).has_value()); // nothing of the old age is left behind
}

void HeadCapsTest::removalTellsItsReason_data()
{
    QTest::addColumn<int>("reason");
    using enum EvictionReason;
    for (const EvictionReason reason :
         {SocketCap, PeerClosed, ProbeFailed, FailedTurn, CredentialRejected, Settings, User})
        QTest::newRow(std::string(name(reason)).c_str()) << static_cast<int>(reason);
}

void HeadCapsTest::removalTellsItsReason()
{
    QFETCH(const int, reason);
    const auto why = static_cast<EvictionReason>(reason);
    Timeline t;
    const HeadId head = t.turn("U1", "A1");
    const auto eviction = t.pool.remove(head, why);
    QVERIFY(eviction.has_value());
    QVERIFY(eviction->head == head && eviction->reason == why);
    QCOMPARE(eviction->connection.value(), std::uint64_t{101});
    QVERIFY(!t.pool.remove(head, why).has_value());
    COMPARE_WORD(t.scan("U1 A1 U2").decision, Decision::NewPartitionHead);
    QVERIFY(!t.pool.nextExpiry(t.now).has_value());
}

void HeadCapsTest::allHeadsOfAConnectionGoTogether()
{
    Timeline t;
    const auto input = Timeline::items("U1");
    const auto connection = t.nextConnection();
    (void)t.pool.open(t.request(input, "a"), Decision::NewPartitionHead, connection, t.now);
    (void)t.turn("U1", "A1", "b");
    (void)t.pool.open(t.request(input, "c"), Decision::NewPartitionHead, connection, t.now);
    QCOMPARE(Timeline::told(t.pool.removeConnection(connection, EvictionReason::PeerClosed)),
             (QStringList{QStringLiteral("peer_closed 1"), QStringLiteral("peer_closed 3")}));
    QCOMPARE(t.pool.size(), std::size_t{1});
    QVERIFY(t.pool.removeConnection(connection, EvictionReason::PeerClosed).empty());
}

void HeadCapsTest::claimingAContinuedHeadAgainEvictsNothing()
{
    Timeline t(capped(9, 1));
    (void)t.turn("U1", "A1");
    (void)t.turn("U1 A1 U2", "A2");
    (void)t.turn("U1 A1 U2 A2 U3", "A3");
    QVERIFY(t.evictions.empty());
    QCOMPARE(t.pool.views(t.now).front().turns, std::size_t{3});
}

QTEST_APPLESS_MAIN(HeadCapsTest)
#include "tst_headcaps.moc"
