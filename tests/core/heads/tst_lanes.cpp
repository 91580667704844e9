// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/heads/timeline.h"

#include <set>

using namespace headway::heads;
using namespace std::chrono_literals;
using headway::base::ConnectionId;

// spec/heads.md section 6, as far as the pool decides it.
class LanesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void offDialsWithoutALane();
    void aRefusedNameIsTheLastOfItsConnection();
    void theNamesBeforeARefusedOneAreUsedAgain();
    void aLaneThatNeverDrainsFreesItsPlaceAndLosesItsName();
    void theFirstConnectionOfAnUnknownEndpointIsTheProbe();
    void othersWaitForTheProbeUpToTwoSecondsOfTheirBound_data();
    void othersWaitForTheProbeUpToTwoSecondsOfTheirBound();
    void anEchoOpensTheConnectionForFifteenMore();
    void aConnectionBeingDialledCountsAsOpen();
    void noEchoIsRemembered();
    void aLostProbeLeavesTheQuestionOpen();
    void oneOfTwoLostProbesDoesNot();
    void onAsksNobodyButTakesNoForAnAnswer();
    void verdictsBelongToTheirEndpoint();
    void connectionsOfAnotherAccountAreNotShared();
    void fiftyAgentsNeedFourConnectionsAndAHundredSeven();
    void thirtyTwoNamesAConnectionAndNoMore();
    void aLaneWhoseHeadIsGoneIsUsedAgain();
    void theFullestConnectionComesFirst();
    void anOldConnectionTakesNobodyNew();
    void eachLaneContinuesItsOwnHead();
    void laneNamesAreWhatTheProviderAccepts();
};

namespace {

struct Lanes : Timeline
{
    explicit Lanes(LaneMode mode = LaneMode::Auto)
        : Timeline({.nurseryCap = 4'096, .establishedCap = 4'096, .lanes = mode})
    {
    }

    ScanRequest ask(const Items &input, std::string_view agent, headway::base::Nanoseconds bound)
    {
        ScanRequest scanRequest = request(input, agent);
        scanRequest.route = route;
        scanRequest.waitBound = bound;
        return scanRequest;
    }

    Placement place(headway::base::Nanoseconds bound = 0ns)
    {
        const auto input = items("U1");
        return pool.place(ask(input, "x", bound), now);
    }

    // Starts a turn of a new agent wherever the pool puts it.
    HeadId start(std::string_view agent, std::string_view words = "U1")
    {
        const auto input = items(words);
        const auto scanRequest = ask(input, agent, 0ns);
        const Placement placement = pool.place(scanRequest, now);
        if (const auto *on = std::get_if<OnSocket>(&placement))
            return pool.open(scanRequest, Decision::NewPartitionHead, on->connection, now, on->lane)
                .head;
        const auto *dial = std::get_if<DialNew>(&placement);
        if (dial == nullptr)
            qFatal("it waits");
        return pool.open(scanRequest, Decision::NewPartitionHead, nextConnection(), now, dial->lane)
            .head;
    }

    ConnectionId last() const { return ConnectionId{lastConnection}; }

    Route route{.endpoint = "wss://a", .account = "me"};
};

const Placement dialOnALane = DialNew{"lane-1"};
const Placement dialWithoutLane = DialNew{};

} // namespace

void LanesTest::offDialsWithoutALane()
{
    Lanes t(LaneMode::Off);
    (void)t.start("a");
    QVERIFY(t.place(5s) == dialWithoutLane);
    COMPARE_WORD(t.pool.laneVerdict("wss://a"), LaneVerdict::Off);
}

void LanesTest::aRefusedNameIsTheLastOfItsConnection()
{
    Lanes t(LaneMode::On);
    (void)t.start("a");
    (void)t.start("b");
    const HeadId refused = t.start("c"); // lane 3
    t.pool.limitLanes(t.last(), "lane-3");
    QVERIFY(t.pool.remove(refused, EvictionReason::FailedTurn).has_value());
    QVERIFY(t.place(0ns) == dialOnALane);
}

void LanesTest::theNamesBeforeARefusedOneAreUsedAgain()
{
    Lanes t(LaneMode::On);
    (void)t.start("a");
    const HeadId second = t.start("b");
    (void)t.start("c");
    t.pool.limitLanes(t.last(), "lane-3");
    t.pool.limitLanes(t.last(), "lane-9"); // a later answer to an earlier create
    QVERIFY(t.place(0ns) == dialOnALane);
    QVERIFY(t.pool.remove(second, EvictionReason::FailedTurn).has_value());
    const Placement again = OnSocket{Place::Lane, t.last(), "lane-2"};
    QVERIFY(t.place(0ns) == again);
}

void LanesTest::aLaneThatNeverDrainsFreesItsPlaceAndLosesItsName()
{
    Lanes t(LaneMode::On);
    (void)t.start("stays");
    const HeadId leaves = t.start("leaves"); // lane 2
    for (int i = 0; i < 14; ++i)
        (void)t.start("agent" + std::to_string(i));
    QVERIFY(t.pool.abandon(leaves).has_value());
    QVERIFY(t.place(0ns) == dialOnALane); // sixteen in flight
    t.pool.drainFailed(t.last(), "lane-2");
    const Placement free = OnSocket{Place::Lane, t.last(), "lane-17"};
    QVERIFY(t.place(0ns) == free);
    (void)t.start("next");
    QVERIFY(t.place(0ns) == dialOnALane);
}

void LanesTest::theFirstConnectionOfAnUnknownEndpointIsTheProbe()
{
    Lanes t;
    COMPARE_WORD(t.pool.laneVerdict("wss://a"), LaneVerdict::Unknown);
    QVERIFY(t.place(5s) == dialOnALane);
    (void)t.start("a");
    COMPARE_WORD(t.pool.laneVerdict("wss://a"), LaneVerdict::Probing);
}

void LanesTest::othersWaitForTheProbeUpToTwoSecondsOfTheirBound_data()
{
    QTest::addColumn<int>("bound");
    QTest::addColumn<int>("wait"); // 0: dials
    QTest::newRow("long bound") << 4833 << 2000;
    QTest::newRow("two seconds") << 2000 << 2000;
    QTest::newRow("short bound") << 666 << 666;
    QTest::newRow("no bound left") << 0 << 0;
}

void LanesTest::othersWaitForTheProbeUpToTwoSecondsOfTheirBound()
{
    QFETCH(const int, bound);
    QFETCH(const int, wait);
    Lanes t;
    (void)t.start("a");
    const Placement expected
        = wait == 0 ? dialOnALane : Placement{AwaitProbe{headway::base::Milliseconds{wait}}};
    QVERIFY(t.place(headway::base::Milliseconds{bound}) == expected);
}

void LanesTest::anEchoOpensTheConnectionForFifteenMore()
{
    Lanes t;
    (void)t.start("a");
    t.pool.laneEchoed(t.last());
    COMPARE_WORD(t.pool.laneVerdict("wss://a"), LaneVerdict::On);
    for (int i = 2; i <= 16; ++i) {
        const Placement next = OnSocket{Place::Lane, t.last(), "lane-" + std::to_string(i)};
        QVERIFY(t.place() == next);
        (void)t.start("agent" + std::to_string(i));
    }
    QVERIFY(t.place() == dialOnALane);
}

void LanesTest::aConnectionBeingDialledCountsAsOpen()
{
    Lanes t;
    (void)t.start("a");
    t.pool.laneEchoed(t.last());
    for (int i = 0; i < 15; ++i)
        (void)t.start("first" + std::to_string(i));
    (void)t.start("dialling"); // not open yet, its endpoint is known
    QCOMPARE(t.pool.connections(), std::size_t{2});
    const Placement beside = OnSocket{Place::Lane, t.last(), "lane-2"};
    QVERIFY(t.place() == beside);
}

void LanesTest::noEchoIsRemembered()
{
    Lanes t;
    const HeadId head = t.start("a");
    t.pool.laneRefused(t.last());
    COMPARE_WORD(t.pool.laneVerdict("wss://a"), LaneVerdict::Off);
    QVERIFY(t.place(5s) == dialWithoutLane);
    t.end(head, "A1");
    // It goes on where it is, on the default lane.
    const ScanResult scan = t.scan("U1 A1 U2", "a");
    COMPARE_WORD(scan.decision, Decision::Continuation);
    QCOMPARE(scan.lane, std::string{});
}

void LanesTest::aLostProbeLeavesTheQuestionOpen()
{
    Lanes t;
    (void)t.start("a");
    (void)t.pool.removeConnection(t.last(), EvictionReason::PeerClosed);
    COMPARE_WORD(t.pool.laneVerdict("wss://a"), LaneVerdict::Unknown);
    QVERIFY(t.place(5s) == dialOnALane);
}

void LanesTest::oneOfTwoLostProbesDoesNot()
{
    Lanes t;
    (void)t.start("a");
    const ConnectionId first = t.last();
    (void)t.start("b");
    (void)t.pool.removeConnection(first, EvictionReason::PeerClosed);
    COMPARE_WORD(t.pool.laneVerdict("wss://a"), LaneVerdict::Probing);
    (void)t.pool.removeConnection(t.last(), EvictionReason::PeerClosed);
    COMPARE_WORD(t.pool.laneVerdict("wss://a"), LaneVerdict::Unknown);
}

void LanesTest::onAsksNobodyButTakesNoForAnAnswer()
{
    Lanes t(LaneMode::On);
    (void)t.start("a");
    const Placement beside = OnSocket{Place::Lane, t.last(), "lane-2"};
    QVERIFY(t.place() == beside);
    t.pool.laneRefused(t.last());
    QVERIFY(t.place() == dialWithoutLane);
}

void LanesTest::verdictsBelongToTheirEndpoint()
{
    Lanes t;
    (void)t.start("a");
    t.pool.laneEchoed(t.last());
    t.route.endpoint = "wss://b";
    COMPARE_WORD(t.pool.laneVerdict("wss://b"), LaneVerdict::Unknown);
    QVERIFY(t.place() == dialOnALane);
    (void)t.start("b");
    t.pool.laneRefused(t.last());
    COMPARE_WORD(t.pool.laneVerdict("wss://a"), LaneVerdict::On);
    COMPARE_WORD(t.pool.laneVerdict("wss://b"), LaneVerdict::Off);
}

void LanesTest::connectionsOfAnotherAccountAreNotShared()
{
    Lanes t;
    (void)t.start("a");
    t.pool.laneEchoed(t.last());
    t.route.account = "you";
    QVERIFY(t.place() == dialOnALane);
}

void LanesTest::fiftyAgentsNeedFourConnectionsAndAHundredSeven()
{
    Lanes t;
    (void)t.start("agent0");
    t.pool.laneEchoed(t.last());
    for (int i = 1; i < 50; ++i)
        (void)t.start("agent" + std::to_string(i));
    QCOMPARE(t.pool.connections(), std::size_t{4});
    for (int i = 50; i < 100; ++i)
        (void)t.start("agent" + std::to_string(i));
    QCOMPARE(t.pool.connections(), std::size_t{7});
}

void LanesTest::thirtyTwoNamesAConnectionAndNoMore()
{
    Lanes t;
    (void)t.start("a");
    t.pool.laneEchoed(t.last());
    for (int i = 2; i <= 32; ++i)
        t.end(t.start("agent" + std::to_string(i)), "A1");
    QCOMPARE(t.pool.connections(), std::size_t{1});
    QVERIFY(t.place() == dialOnALane);
    std::set<std::string> names;
    for (const HeadView &view : t.pool.views(t.now))
        names.insert(view.lane);
    QCOMPARE(names.size(), std::size_t{32});
}

void LanesTest::aLaneWhoseHeadIsGoneIsUsedAgain()
{
    Lanes t;
    (void)t.start("a");
    t.pool.laneEchoed(t.last());
    const HeadId second = t.start("b");
    (void)t.start("c");
    const auto eviction = t.pool.remove(second, EvictionReason::FailedTurn);
    QVERIFY(eviction && !eviction->closes);
    const Placement again = OnSocket{Place::Lane, t.last(), "lane-2"};
    QVERIFY(t.place() == again);
}

void LanesTest::theFullestConnectionComesFirst()
{
    Lanes t;
    (void)t.start("a");
    t.pool.laneEchoed(t.last());
    std::vector<HeadId> first;
    for (int i = 0; i < 15; ++i)
        first.push_back(t.start("first" + std::to_string(i)));
    (void)t.start("second"); // on another connection
    (void)t.start("third"); // beside it
    for (std::size_t i = 0; i < 2; ++i)
        (void)t.pool.remove(first[i], EvictionReason::FailedTurn);
    const Placement older = OnSocket{Place::Lane, ConnectionId{t.last().value() - 1}, "lane-2"};
    QVERIFY(t.place() == older); // 14 against 2
    for (std::size_t i = 2; i < first.size(); ++i)
        (void)t.pool.remove(first[i], EvictionReason::FailedTurn);
    const Placement younger = OnSocket{Place::Lane, t.last(), "lane-3"};
    QVERIFY(t.place() == younger); // 1 against 2
}

void LanesTest::anOldConnectionTakesNobodyNew()
{
    Lanes t;
    (void)t.start("a");
    t.pool.laneEchoed(t.last());
    t.suspend(50min - 1ms);
    QVERIFY(std::holds_alternative<OnSocket>(t.place()));
    t.suspend(5min + 1ms);
    QVERIFY(t.place() == dialOnALane);
}

void LanesTest::eachLaneContinuesItsOwnHead()
{
    Lanes t;
    const HeadId a = t.start("a");
    t.pool.laneEchoed(t.last());
    const HeadId b = t.start("b");
    t.end(a, "A1");
    t.end(b, "A1");
    const ScanResult forA = t.scan("U1 A1 U2", "a");
    const ScanResult forB = t.scan("U1 A1 U2", "b");
    QVERIFY(forA.head == a && forB.head == b);
    QVERIFY(forA.connection == forB.connection);
    QCOMPARE(forA.lane, std::string("lane-1"));
    QCOMPARE(forB.lane, std::string("lane-2"));
    QCOMPARE(forB.previousResponseId, std::string("resp_2"));
}

void LanesTest::laneNamesAreWhatTheProviderAccepts()
{
    Lanes t;
    (void)t.start("a");
    t.pool.laneEchoed(t.last());
    for (int i = 0; i < 31; ++i)
        t.end(t.start("agent" + std::to_string(i)), "A1");
    constexpr std::string_view accepted
        = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
    for (const HeadView &view : t.pool.views(t.now)) {
        QVERIFY(!view.lane.empty() && view.lane.size() <= 256);
        QVERIFY(view.lane.find_first_not_of(accepted) == std::string::npos);
    }
}

QTEST_APPLESS_MAIN(LanesTest)
#include "tst_lanes.moc"
