// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/heads/timeline.h"

using namespace headway::heads;
using namespace std::chrono_literals;
using headway::base::ConnectionId;

// spec/heads.md sections 2, 6 and 7 where several heads, or none, live on one connection: caps,
// expiry, clients that leave, spares, tokens that are rejected.
class SharedConnectionsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void capsCountConnections();
    void aConnectionWithATurnInFlightIsNotEvicted();
    void oneEstablishedHeadMakesTheConnectionEstablished();
    void promotionOnAnEstablishedConnectionEvictsNobody();
    void anIdleHeadExpiresAloneOnABusyConnection();
    void theLastHeadClosesTheConnection();
    void anOldConnectionLosesItsIdleHeadsAtOnceAndTheOthersAtTheirEnd();
    void sheddingCountsConnections();
    void aFailedTurnDropsOnlyItsLane();
    void aClientThatLeavesAloneClosesTheConnection();
    void aClientThatLeavesASharedConnectionLeavesItsLaneToDrain();
    void aDrainingLaneCountsAsInFlight();
    void aDrainedLaneIsFree();
    void aConnectionThatOnlyDrainsCloses();
    void sparesAreUsedBeforeDialling();
    void sparesAreOnlyForTheirRoute();
    void sparesObeyCapIdleLimitAndRotation();
    void aLostSpareIsForgotten();
    void aRejectedTokenTakesItsIdleHeads();
    void aTurnInFlightWithARejectedTokenEndsInPeace();
    void nothingNewGoesOnAConnectionWithARejectedToken();
    void aRefreshedTokenChangesNothing();
    void aPinnedHeadIsSparedByLimitsAndCaps();
    void rotationTakesAPinnedHead();
};

namespace {

struct Shared : Timeline
{
    explicit Shared(PoolSettings settings = {})
        : Timeline([&settings] {
            settings.lanes = LaneMode::On;
            return settings;
        }())
    {
    }

    HeadId openOn(ConnectionId connection, std::string_view agent, std::string lane)
    {
        const auto input = items("U1");
        auto scanRequest = request(input, agent);
        scanRequest.route = route;
        const auto opened
            = pool.open(scanRequest, Decision::NewPartitionHead, connection, now, std::move(lane));
        evictions = opened.evictions;
        return opened.head;
    }

    HeadId idleOn(ConnectionId connection, std::string_view agent, std::string lane)
    {
        const HeadId head = openOn(connection, agent, std::move(lane));
        const auto atOpen = evictions;
        end(head, "A1");
        evictions = atOpen;
        return head;
    }

    bool isThere(std::string_view agent) const
    {
        return scan("U1 A1 U2", agent).decision == Decision::Continuation;
    }

    Route route{.endpoint = "wss://a", .account = "me"};
};

const ConnectionId one{1};
const ConnectionId two{2};
const ConnectionId three{3};

QStringList lines(std::initializer_list<const char *> words)
{
    QStringList list;
    for (const char *word : words)
        list << QString::fromLatin1(word);
    return list;
}

} // namespace

void SharedConnectionsTest::capsCountConnections()
{
    Shared t({.nurseryCap = 2});
    for (int i = 1; i <= 10; ++i)
        (void)t.idleOn(one, "a" + std::to_string(i), "lane-" + std::to_string(i));
    (void)t.idleOn(two, "b", "lane-1");
    QVERIFY(t.evictions.empty());
    QCOMPARE(t.pool.size(), std::size_t{11});
    t.pass(1s);
    (void)t.openOn(three, "c", "lane-1");
    QCOMPARE(
        Timeline::told(t.evictions),
        lines({"nursery_lru_cap 1", "nursery_lru_cap 2", "nursery_lru_cap 3", "nursery_lru_cap 4",
               "nursery_lru_cap 5", "nursery_lru_cap 6", "nursery_lru_cap 7", "nursery_lru_cap 8",
               "nursery_lru_cap 9", "nursery_lru_cap 10"}));
    for (const Eviction &eviction : t.evictions)
        QCOMPARE(eviction.closes, eviction.head.value() == 10); // the last one
    QCOMPARE(t.pool.connections(), std::size_t{2});
}

void SharedConnectionsTest::aConnectionWithATurnInFlightIsNotEvicted()
{
    Shared t({.nurseryCap = 2});
    (void)t.openOn(one, "a", "lane-1");
    (void)t.idleOn(one, "b", "lane-2");
    t.pass(1s);
    (void)t.idleOn(two, "c", "lane-1");
    (void)t.openOn(three, "d", "lane-1");
    QCOMPARE(Timeline::told(t.evictions), lines({"nursery_lru_cap 3"}));
    QVERIFY(t.isThere("b"));
}

void SharedConnectionsTest::oneEstablishedHeadMakesTheConnectionEstablished()
{
    Shared t({.nurseryCap = 1, .establishedCap = 1});
    (void)t.idleOn(one, "a", "lane-1");
    (void)t.idleOn(one, "b", "lane-2");
    (void)t.turn("U1 A1 U2", "A2", "a"); // established now, so is the connection
    (void)t.turn("U1 A1 U2", "A2", "b"); // counted already
    QVERIFY(t.evictions.empty());
    (void)t.idleOn(two, "c", "lane-1");
    QVERIFY(t.evictions.empty()); // the nursery has room
    (void)t.begin("U1 A1 U2", "c");
    QCOMPARE(Timeline::told(t.evictions),
             lines({"established_lru_cap 1", "established_lru_cap 2"}));
}

void SharedConnectionsTest::promotionOnAnEstablishedConnectionEvictsNobody()
{
    Shared t({.establishedCap = 2});
    (void)t.idleOn(one, "a", "lane-1");
    (void)t.idleOn(one, "b", "lane-2");
    (void)t.idleOn(two, "c", "lane-1");
    (void)t.turn("U1 A1 U2", "A2", "c");
    (void)t.turn("U1 A1 U2", "A2", "a");
    (void)t.turn("U1 A1 U2", "A2", "b"); // two connections are established, before and after
    QVERIFY(t.evictions.empty());
}

void SharedConnectionsTest::anIdleHeadExpiresAloneOnABusyConnection()
{
    Shared t;
    (void)t.openOn(one, "a", "lane-1");
    (void)t.idleOn(one, "b", "lane-2");
    t.pass(5min);
    t.evictions = t.pool.sweep(t.now);
    QCOMPARE(Timeline::told(t.evictions), lines({"nursery_idle_ttl 2"}));
    QVERIFY(!t.evictions.front().closes);
    QCOMPARE(t.pool.connections(), std::size_t{1});
}

void SharedConnectionsTest::theLastHeadClosesTheConnection()
{
    Shared t;
    const HeadId a = t.idleOn(one, "a", "lane-1");
    const HeadId b = t.idleOn(one, "b", "lane-2");
    QVERIFY(!t.pool.remove(a, EvictionReason::User)->closes);
    QVERIFY(t.pool.remove(b, EvictionReason::User)->closes);
    QCOMPARE(t.pool.connections(), std::size_t{0});
}

void SharedConnectionsTest::anOldConnectionLosesItsIdleHeadsAtOnceAndTheOthersAtTheirEnd()
{
    Shared t;
    const HeadId busy = t.openOn(one, "a", "lane-1");
    (void)t.idleOn(one, "b", "lane-2");
    t.suspend(55min);
    QCOMPARE(t.sweep(), lines({"hard_ttl 2"}));
    QCOMPARE(t.sweep(), QStringList{});
    t.end(busy, "A1");
    QCOMPARE(Timeline::told(t.evictions), lines({"hard_ttl 1"}));
    QVERIFY(t.evictions.front().closes);
}

void SharedConnectionsTest::sheddingCountsConnections()
{
    Shared t;
    (void)t.idleOn(one, "a", "lane-1");
    (void)t.idleOn(one, "b", "lane-2");
    t.pass(1s);
    (void)t.idleOn(two, "c", "lane-1");
    QCOMPARE(Timeline::told(t.pool.shed(1)), lines({"socket_cap 1", "socket_cap 2"}));
    QVERIFY(t.isThere("c"));
}

void SharedConnectionsTest::aFailedTurnDropsOnlyItsLane()
{
    Shared t;
    const HeadId failing = t.openOn(one, "a", "lane-1");
    (void)t.idleOn(one, "b", "lane-2");
    const auto eviction = t.pool.remove(failing, EvictionReason::FailedTurn);
    QVERIFY(eviction && !eviction->closes);
    QVERIFY(t.isThere("b"));
}

void SharedConnectionsTest::aClientThatLeavesAloneClosesTheConnection()
{
    Shared t;
    const auto eviction = t.pool.abandon(t.openOn(one, "a", "lane-1"));
    QVERIFY(eviction && eviction->closes);
    COMPARE_WORD(eviction->reason, EvictionReason::FailedTurn);
    QCOMPARE(t.pool.connections(), std::size_t{0});
}

void SharedConnectionsTest::aClientThatLeavesASharedConnectionLeavesItsLaneToDrain()
{
    Shared t;
    const HeadId leaving = t.openOn(one, "a", "lane-1");
    const HeadId other = t.openOn(one, "b", "lane-2");
    const auto eviction = t.pool.abandon(leaving);
    QVERIFY(eviction && !eviction->closes);
    // The lane is not given away while the provider is still writing to it.
    const auto input = Timeline::items("U1");
    auto scanRequest = t.request(input, "c");
    scanRequest.route = t.route;
    const Placement next = OnSocket{Place::Lane, one, "lane-3"};
    QVERIFY(t.pool.place(scanRequest, t.now) == next);
    t.end(other, "A1");
    QVERIFY(t.isThere("b"));
}

void SharedConnectionsTest::aDrainingLaneCountsAsInFlight()
{
    Shared t;
    std::vector<HeadId> heads;
    for (int i = 1; i <= 16; ++i)
        heads.push_back(t.openOn(one, "a" + std::to_string(i), "lane-" + std::to_string(i)));
    (void)t.pool.abandon(heads.front());
    const auto input = Timeline::items("U1");
    auto scanRequest = t.request(input, "c");
    scanRequest.route = t.route;
    QVERIFY(std::holds_alternative<DialNew>(t.pool.place(scanRequest, t.now)));
    t.pool.drained(one, "lane-1");
    QVERIFY(std::holds_alternative<OnSocket>(t.pool.place(scanRequest, t.now)));
}

void SharedConnectionsTest::aDrainedLaneIsFree()
{
    Shared t;
    const HeadId leaving = t.openOn(one, "a", "lane-1");
    (void)t.openOn(one, "b", "lane-2");
    (void)t.pool.abandon(leaving);
    t.pool.drained(one, "lane-1");
    const auto input = Timeline::items("U1");
    auto scanRequest = t.request(input, "c");
    scanRequest.route = t.route;
    const Placement next = OnSocket{Place::Lane, one, "lane-1"};
    QVERIFY(t.pool.place(scanRequest, t.now) == next);
    t.pool.drained(three, "lane-1"); // not ours: nothing happens
}

void SharedConnectionsTest::aConnectionThatOnlyDrainsCloses()
{
    Shared t;
    const HeadId leaving = t.openOn(one, "a", "lane-1");
    const HeadId other = t.openOn(one, "b", "lane-2");
    (void)t.pool.abandon(leaving);
    const auto eviction = t.pool.remove(other, EvictionReason::FailedTurn);
    QVERIFY(eviction && eviction->closes);
    QCOMPARE(t.pool.connections(), std::size_t{0});
}

void SharedConnectionsTest::sparesAreUsedBeforeDialling()
{
    Shared t;
    QVERIFY(t.pool.addSpare(one, t.route, t.now).empty());
    QCOMPARE(t.pool.spares("wss://a"), std::size_t{1});
    QCOMPARE(t.pool.spares("wss://b"), std::size_t{0});
    t.pass(3s);
    const auto shown = t.pool.views(t.now);
    QCOMPARE(shown.size(), std::size_t{1});
    QVERIFY(shown.front().spare && shown.front().connection == one && shown.front().age == 3s);
    const auto input = Timeline::items("U1");
    auto scanRequest = t.request(input, "a");
    scanRequest.route = t.route;
    const Placement spare = OnSocket{Place::Spare, one, "lane-1"};
    QVERIFY(t.pool.place(scanRequest, t.now) == spare);
    (void)t.openOn(one, "a", "lane-1");
    QCOMPARE(t.pool.spares("wss://a"), std::size_t{0});
    const Placement lane = OnSocket{Place::Lane, one, "lane-2"};
    QVERIFY(t.pool.place(scanRequest, t.now) == lane); // no longer a spare
    // A free lane comes before a spare.
    (void)t.pool.addSpare(two, t.route, t.now);
    QVERIFY(t.pool.place(scanRequest, t.now) == lane);
}

void SharedConnectionsTest::sparesAreOnlyForTheirRoute()
{
    Shared t;
    (void)t.pool.addSpare(one, t.route, t.now);
    const auto input = Timeline::items("U1");
    auto scanRequest = t.request(input, "a");
    scanRequest.route = {.endpoint = "wss://a", .account = "you"};
    QVERIFY(std::holds_alternative<DialNew>(t.pool.place(scanRequest, t.now)));
}

void SharedConnectionsTest::sparesObeyCapIdleLimitAndRotation()
{
    Shared t({.nurseryCap = 1, .establishedIdle = 24h});
    (void)t.pool.addSpare(one, t.route, t.now);
    (void)t.openOn(two, "a", "lane-1");
    QCOMPARE(Timeline::told(t.evictions), lines({"nursery_lru_cap 0"}));
    QVERIFY(t.evictions.front().connection == one && t.evictions.front().closes);
    (void)t.pool.removeConnection(two, EvictionReason::PeerClosed);
    (void)t.pool.addSpare(three, t.route, t.now);
    QVERIFY(t.pool.nextExpiry(t.now) == t.now.steady + 5min);
    t.pass(5min - 1ns);
    QCOMPARE(t.sweep(), QStringList{});
    t.pass(1ns);
    QCOMPARE(t.sweep(), lines({"nursery_idle_ttl 0"}));
    (void)t.pool.addSpare(one, t.route, t.now);
    t.suspend(55min);
    QCOMPARE(t.sweep(), lines({"hard_ttl 0"}));
    QVERIFY(!t.pool.nextExpiry(t.now).has_value());
}

void SharedConnectionsTest::aLostSpareIsForgotten()
{
    Shared t;
    (void)t.pool.addSpare(one, t.route, t.now);
    QCOMPARE(t.pool.removeConnection(one, EvictionReason::PeerClosed).size(), std::size_t{1});
    QCOMPARE(t.pool.spares("wss://a"), std::size_t{0});
    QVERIFY(!t.pool.nextExpiry(t.now).has_value());
}

void SharedConnectionsTest::aRejectedTokenTakesItsIdleHeads()
{
    Shared t;
    t.route.credential = {.high = 1, .low = 1};
    (void)t.idleOn(one, "a", "lane-1");
    (void)t.pool.addSpare(three, t.route, t.now);
    t.route.credential = {.high = 2, .low = 2};
    (void)t.idleOn(two, "b", "lane-1");
    QCOMPARE(Timeline::told(t.pool.rejectCredential({.high = 1, .low = 1})),
             lines({"credential_rejected 1", "credential_rejected 0"}));
    QVERIFY(!t.isThere("a"));
    QVERIFY(t.isThere("b"));
    QVERIFY(t.pool.rejectCredential({}).empty()); // no token: nobody's
}

void SharedConnectionsTest::aTurnInFlightWithARejectedTokenEndsInPeace()
{
    Shared t;
    t.route.credential = {.high = 1, .low = 1};
    const HeadId busy = t.openOn(one, "a", "lane-1");
    QVERIFY(t.pool.rejectCredential(t.route.credential).empty());
    QCOMPARE(t.pool.size(), std::size_t{1});
    t.end(busy, "A1");
    QCOMPARE(Timeline::told(t.evictions), lines({"credential_rejected 1"}));
    QVERIFY(t.evictions.front().closes);
}

void SharedConnectionsTest::nothingNewGoesOnAConnectionWithARejectedToken()
{
    Shared t;
    t.route.credential = {.high = 1, .low = 1};
    (void)t.openOn(one, "a", "lane-1");
    (void)t.pool.rejectCredential(t.route.credential);
    const auto input = Timeline::items("U1");
    auto scanRequest = t.request(input, "b");
    scanRequest.route = t.route;
    QVERIFY(std::holds_alternative<DialNew>(t.pool.place(scanRequest, t.now)));
}

void SharedConnectionsTest::aRefreshedTokenChangesNothing()
{
    Shared t;
    t.route.credential = {.high = 1, .low = 1};
    const HeadId head = t.idleOn(one, "a", "lane-1");
    t.route.credential = {.high = 2, .low = 2};
    const auto input = Timeline::items("U1 A1 U2");
    auto scanRequest = t.request(input, "a");
    scanRequest.route = t.route;
    QVERIFY(t.pool.scan(scanRequest, t.now).head == head);
}

void SharedConnectionsTest::aPinnedHeadIsSparedByLimitsAndCaps()
{
    Shared t({.nurseryCap = 1});
    const HeadId pinned = t.idleOn(one, "a", "lane-1");
    t.pool.pin(pinned, true);
    QVERIFY(t.pool.views(t.now).front().pinned);
    t.pass(10min);
    QCOMPARE(t.sweep(), QStringList{});
    (void)t.openOn(two, "b", "lane-1");
    QVERIFY(t.evictions.empty());
    QVERIFY(t.pool.shed(9).empty());
    QVERIFY(t.isThere("a"));
    t.pool.pin(pinned, false);
    QCOMPARE(t.sweep(), lines({"nursery_idle_ttl 1"}));
}

void SharedConnectionsTest::rotationTakesAPinnedHead()
{
    Shared t;
    t.pool.pin(t.idleOn(one, "a", "lane-1"), true);
    t.suspend(55min);
    QCOMPARE(t.sweep(), lines({"hard_ttl 1"}));
}

QTEST_APPLESS_MAIN(SharedConnectionsTest)
#include "tst_sharedconnections.moc"
