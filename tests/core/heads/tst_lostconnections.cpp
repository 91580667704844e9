// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/heads/timeline.h"

using namespace headway::heads;
using namespace std::chrono_literals;
using headway::base::ConnectionId;

// Connections that take nobody new, and what a refused lane leaves behind (spec/heads.md sections
// 2, 6 and 8).
class LostConnectionsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void idleHeadsGoAtOnceAndTheOthersWithTheirTurns();
    void nobodyNewIsPutThere();
    void nobodyForksThere();
    void aLostSpareIsNoSpare();
    void whatIsNotKnownIsNotLost();
    void allOfTheConnectionThatRefusedLoseTheirLanes();
    void othersThatShareAConnectionKeepTheirs();
    void aLoneOneElsewhereLosesItsOwn();
    void theFirstTurnOfAConnectionNamesALaneUnlessThereAreNone();
};

namespace {

const ConnectionId one{1};
const ConnectionId two{2};

struct Shared : Timeline
{
    Shared()
        : Timeline({.lanes = LaneMode::On})
    {
    }

    HeadId openOn(ConnectionId connection, std::string_view agent, std::string lane)
    {
        const auto input = items("U1");
        return pool
            .open(ask(input, agent), Decision::NewPartitionHead, connection, now, std::move(lane))
            .head;
    }
    HeadId idleOn(ConnectionId connection, std::string_view agent, std::string lane)
    {
        const HeadId head = openOn(connection, agent, std::move(lane));
        end(head, "A1");
        return head;
    }
    ScanRequest ask(const Items &input, std::string_view agent) const
    {
        ScanRequest scanRequest = request(input, agent);
        scanRequest.route = {.endpoint = "wss://a", .account = "me"};
        return scanRequest;
    }
    Placement place() const
    {
        const auto input = items("U1");
        return pool.place(ask(input, "x"), now);
    }
    QStringList lanes() const
    {
        QStringList names;
        for (const HeadView &view : pool.views(now))
            names.append(QString::fromStdString(view.lane));
        return names;
    }
};

QStringList lines(std::initializer_list<const char *> words)
{
    QStringList list;
    for (const char *word : words)
        list << QString::fromLatin1(word);
    return list;
}

} // namespace

void LostConnectionsTest::idleHeadsGoAtOnceAndTheOthersWithTheirTurns()
{
    Shared t;
    (void)t.idleOn(one, "a", "lane-1");
    const HeadId busy = t.openOn(one, "b", "lane-2");
    (void)t.idleOn(two, "c", "lane-1");
    const auto evicted = t.pool.retire(one, EvictionReason::PeerClosed);
    QCOMPARE(Timeline::told(evicted), lines({"peer_closed 1"}));
    QCOMPARE(evicted.front().lane, std::string("lane-1"));
    QVERIFY(!evicted.front().closes);
    t.end(busy, "A1");
    QCOMPARE(Timeline::told(t.evictions), lines({"peer_closed 2"}));
    QVERIFY(t.evictions.front().closes);
    QCOMPARE(t.pool.size(), std::size_t{1});
}

void LostConnectionsTest::nobodyNewIsPutThere()
{
    Shared t;
    (void)t.openOn(one, "a", "lane-1");
    QVERIFY(std::holds_alternative<OnSocket>(t.place()));
    (void)t.pool.retire(one, EvictionReason::HardTtl);
    QVERIFY(std::holds_alternative<DialNew>(t.place()));
}

void LostConnectionsTest::nobodyForksThere()
{
    Shared t;
    (void)t.idleOn(one, "a", "lane-1");
    const auto left = Timeline::items("U1 A1 U2");
    const ScanResult found = t.pool.scan(t.ask(left, "a"), t.now);
    (void)t.pool.claim(found.head, t.ask(left, "a"), t.now);
    const auto right = Timeline::items("U1 A1 U3");
    COMPARE_WORD(t.pool.scan(t.ask(right, "a"), t.now).decision, Decision::Fork);
    (void)t.pool.retire(one, EvictionReason::PeerClosed);
    COMPARE_WORD(t.pool.scan(t.ask(right, "a"), t.now).decision, Decision::ParallelIsolated);
}

void LostConnectionsTest::aLostSpareIsNoSpare()
{
    Shared t;
    (void)t.pool.addSpare(one, {.endpoint = "wss://a", .account = "me"}, t.now);
    QCOMPARE(Timeline::told(t.pool.retire(one, EvictionReason::FailedTurn)),
             lines({"failed_turn 0"}));
    QCOMPARE(t.pool.spares("wss://a"), std::size_t{0});
}

void LostConnectionsTest::whatIsNotKnownIsNotLost()
{
    Shared t;
    QVERIFY(t.pool.retire(two, EvictionReason::PeerClosed).empty());
}

void LostConnectionsTest::allOfTheConnectionThatRefusedLoseTheirLanes()
{
    Shared t;
    (void)t.openOn(one, "a", "lane-1");
    (void)t.openOn(one, "b", "lane-2"); // held back until the first is answered
    t.pool.laneRefused(one);
    QCOMPARE(t.lanes(), lines({"", ""}));
}

void LostConnectionsTest::othersThatShareAConnectionKeepTheirs()
{
    Shared t;
    (void)t.openOn(one, "a", "lane-1");
    (void)t.idleOn(two, "b", "lane-1");
    (void)t.openOn(two, "c", "lane-2");
    t.pool.laneRefused(one);
    QCOMPARE(t.lanes(), lines({"", "lane-1", "lane-2"}));
}

void LostConnectionsTest::aLoneOneElsewhereLosesItsOwn()
{
    Shared t;
    (void)t.openOn(one, "a", "lane-1");
    (void)t.idleOn(two, "b", "lane-1");
    t.pool.laneRefused(one);
    QCOMPARE(t.lanes(), lines({"", ""}));
}

void LostConnectionsTest::theFirstTurnOfAConnectionNamesALaneUnlessThereAreNone()
{
    Shared t;
    (void)t.openOn(one, "a", "lane-1");
    QCOMPARE(t.pool.firstLane("wss://a"), std::string("lane-1"));
    t.pool.laneRefused(one);
    QCOMPARE(t.pool.firstLane("wss://a"), std::string());
}

QTEST_APPLESS_MAIN(LostConnectionsTest)
#include "tst_lostconnections.moc"
