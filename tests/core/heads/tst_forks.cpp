// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/heads/timeline.h"

using namespace headway::heads;
using namespace std::chrono_literals;
using headway::base::ConnectionId;

// spec/heads.md section 4, `fork`, with its timing rule.
class ForksTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aBusyMatchIsForkedFrom();
    void anIdleMatchIsContinuedNotForked();
    void theLongestBusyMatchIsForkedFrom();
    void withoutLanesABusyMatchIsolates();
    void aParentThatIsNotCachedAnyMoreIsNotForked();
    void aBusyHeadThatOnlyCouldBeTheParentIsNotForked();
    void aFullConnectionIsNotForkedOn();
    void anOldConnectionIsNotForkedOn();
    void aConnectionWithARejectedTokenIsNotForkedOn();
    void theForkIsAHeadOfItsOwn();
    void theSourceDoesNotAdvanceBeforeTheForkHasStarted();
    void theLastOfTwoForksReleasesTheSource();
    void aForkThatIsGoneReleasesTheSource();
    void aForkThatCompletesReleasesTheSource();
    void aSourceThatIsGoneIsNobodysConcern();
};

namespace {

// One head of agent "main" on connection 1: U1 A1, and its lanes are known to work.
struct Forks : Timeline
{
    explicit Forks(LaneMode mode = LaneMode::On)
        : Timeline({.lanes = mode})
    {
        const auto input = items("U1");
        parent = pool.open(route(input), Decision::NewPartitionHead, ConnectionId{1}, now, "lane-1")
                     .head;
        end(parent, "A1");
    }

    ScanRequest route(const Items &input) const
    {
        ScanRequest scanRequest = request(input);
        scanRequest.route = {.endpoint = "wss://a", .account = "me", .credential = token};
        return scanRequest;
    }

    ScanResult look(std::string_view words) const
    {
        const auto input = items(words);
        return pool.scan(route(input), now);
    }

    HeadId fork(std::string_view words)
    {
        const auto input = items(words);
        const auto scanned = pool.scan(route(input), now);
        if (scanned.decision != Decision::Fork)
            qFatal("no fork");
        return pool.fork(scanned, route(input), now).head;
    }

    void claim(std::string_view words)
    {
        const auto input = items(words);
        (void)pool.claim(parent, route(input), now);
    }

    HeadId parent;
    headway::base::Fingerprint token{.high = 1, .low = 1};
};

} // namespace

void ForksTest::aBusyMatchIsForkedFrom()
{
    Forks t;
    t.claim("U1 A1 U2");
    const ScanResult scan = t.look("U1 A1 U3");
    COMPARE_WORD(scan.decision, Decision::Fork);
    QVERIFY(scan.head == t.parent);
    QVERIFY(scan.connection == ConnectionId{1});
    QCOMPARE(scan.lane, std::string("lane-2"));
    QCOMPARE(scan.previousResponseId, std::string("resp_1"));
    QCOMPARE(scan.deltaFrom, std::size_t{2});
    COMPARE_WORD(scan.mode, MatchMode::Exact);
    QVERIFY(scan.isolatedBy == HeadId{});
}

void ForksTest::anIdleMatchIsContinuedNotForked()
{
    Forks t;
    COMPARE_WORD(t.look("U1 A1 U3").decision, Decision::Continuation);
}

void ForksTest::theLongestBusyMatchIsForkedFrom()
{
    Forks t;
    const auto longer = Timeline::items("U1 A1 U2");
    const auto second = t.pool.open(t.route(longer), Decision::HistoryMismatchNewHead,
                                    ConnectionId{2}, t.now, "lane-1");
    t.end(second.head, "A2");
    t.claim("U1 A1 U2 A2 U3");
    const auto input = Timeline::items("U1 A1 U2 A2 U4");
    (void)t.pool.claim(second.head, t.route(input), t.now);
    const ScanResult scan = t.look("U1 A1 U2 A2 U5");
    QVERIFY(scan.head == second.head);
    QCOMPARE(scan.deltaFrom, std::size_t{4});
}

void ForksTest::withoutLanesABusyMatchIsolates()
{
    for (const LaneMode mode : {LaneMode::Off, LaneMode::Auto}) {
        Forks t(mode); // automatic, and not proven yet
        t.claim("U1 A1 U2");
        const ScanResult scan = t.look("U1 A1 U3");
        COMPARE_WORD(scan.decision, Decision::ParallelIsolated);
        QVERIFY(scan.isolatedBy == t.parent);
    }
}

void ForksTest::aParentThatIsNotCachedAnyMoreIsNotForked()
{
    Forks t;
    t.claim("U1 A1 U2");
    t.pool.forgetResponse(t.parent);
    COMPARE_WORD(t.look("U1 A1 U3").decision, Decision::HistoryMismatchNewHead);
    t.end(t.parent, "A2"); // the lane has advanced past the first response
    COMPARE_WORD(t.look("U1 A1 U3").decision, Decision::HistoryMismatchNewHead);
}

void ForksTest::aBusyHeadThatOnlyCouldBeTheParentIsNotForked()
{
    Forks t;
    t.claim("U1 A1 U2");
    // It is generating for this very input: there is nothing yet to fork from but U1 A1.
    const ScanResult scan = t.look("U1 A1 U2");
    COMPARE_WORD(scan.decision, Decision::Fork);
    QCOMPARE(scan.deltaFrom, std::size_t{2});
    Timeline fresh({.lanes = LaneMode::On});
    (void)fresh.begin("U1");
    COMPARE_WORD(fresh.scan("U1").decision, Decision::ParallelIsolated);
}

void ForksTest::aFullConnectionIsNotForkedOn()
{
    Forks t;
    t.claim("U1 A1 U2");
    for (int i = 0; i < 15; ++i)
        (void)t.fork("U1 A1 U" + std::to_string(i + 3));
    COMPARE_WORD(t.look("U1 A1 U99").decision, Decision::ParallelIsolated);
}

void ForksTest::anOldConnectionIsNotForkedOn()
{
    Forks t;
    t.claim("U1 A1 U2");
    t.suspend(50min - 1ms);
    COMPARE_WORD(t.look("U1 A1 U3").decision, Decision::Fork);
    t.suspend(5min + 1ms);
    COMPARE_WORD(t.look("U1 A1 U3").decision, Decision::ParallelIsolated);
}

void ForksTest::aConnectionWithARejectedTokenIsNotForkedOn()
{
    Forks t;
    t.claim("U1 A1 U2");
    (void)t.pool.rejectCredential(t.token);
    QVERIFY(t.look("U1 A1 U3").decision != Decision::Fork);
}

void ForksTest::theForkIsAHeadOfItsOwn()
{
    Forks t;
    t.claim("U1 A1 U2");
    const HeadId fork = t.fork("U1 A1 U3");
    t.end(fork, "A3");
    t.end(t.parent, "A2");
    QVERIFY(t.look("U1 A1 U3 A3 U4").head == fork);
    QCOMPARE(t.look("U1 A1 U3 A3 U4").lane, std::string("lane-2"));
    QVERIFY(t.look("U1 A1 U2 A2 U4").head == t.parent);
    QCOMPARE(t.pool.connections(), std::size_t{1});
}

void ForksTest::theSourceDoesNotAdvanceBeforeTheForkHasStarted()
{
    Forks t;
    t.claim("U1 A1 U2");
    const HeadId fork = t.fork("U1 A1 U3");
    t.end(t.parent, "A2");
    t.claim("U1 A1 U2 A2 U4");
    QVERIFY(!t.pool.mayAdvance(t.parent));
    QVERIFY(t.pool.takeReleased().empty());
    t.pool.started(fork);
    QVERIFY(t.pool.mayAdvance(t.parent));
    QVERIFY(t.pool.takeReleased() == std::vector<HeadId>{t.parent});
    QVERIFY(t.pool.takeReleased().empty()); // once
    t.pool.started(fork); // later events change nothing
    QVERIFY(t.pool.takeReleased().empty());
}

void ForksTest::theLastOfTwoForksReleasesTheSource()
{
    Forks t;
    t.claim("U1 A1 U2");
    const HeadId first = t.fork("U1 A1 U3");
    const HeadId second = t.fork("U1 A1 U4");
    t.pool.started(first);
    QVERIFY(!t.pool.mayAdvance(t.parent));
    QVERIFY(t.pool.takeReleased().empty());
    t.pool.started(second);
    QVERIFY(t.pool.mayAdvance(t.parent));
    QVERIFY(t.pool.takeReleased() == std::vector<HeadId>{t.parent});
}

void ForksTest::aForkThatIsGoneReleasesTheSource()
{
    Forks t;
    t.claim("U1 A1 U2");
    const HeadId fork = t.fork("U1 A1 U3");
    (void)t.pool.remove(fork, EvictionReason::FailedTurn);
    QVERIFY(t.pool.mayAdvance(t.parent));
    QVERIFY(t.pool.takeReleased() == std::vector<HeadId>{t.parent});
}

void ForksTest::aForkThatCompletesReleasesTheSource()
{
    Forks t;
    t.claim("U1 A1 U2");
    t.end(t.fork("U1 A1 U3"), "A3");
    QVERIFY(t.pool.mayAdvance(t.parent));
}

void ForksTest::aSourceThatIsGoneIsNobodysConcern()
{
    Forks t;
    t.claim("U1 A1 U2");
    const HeadId fork = t.fork("U1 A1 U3");
    (void)t.pool.remove(t.parent, EvictionReason::FailedTurn);
    t.pool.started(fork);
    QVERIFY(t.pool.takeReleased().empty());
    QVERIFY(t.pool.mayAdvance(t.parent));
}

QTEST_APPLESS_MAIN(ForksTest)
#include "tst_forks.moc"
