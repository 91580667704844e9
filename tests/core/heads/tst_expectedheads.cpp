// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/durations.h"
#include "tests/core/heads/timeline.h"

using namespace headway::heads;
using namespace std::chrono_literals;

// spec/heads.md section 4, `expected_head`: whether a request waits for its busy parent, how long.
class ExpectedHeadsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aParentThatIsAboutToFinishIsWaitedFor();
    void theWaitIsTheThirdQuartileOfWhatRemains_data();
    void theWaitIsTheThirdQuartileOfWhatRemains();
    void withoutABoundNobodyWaits();
    void aParentThatWillTakeLongerIsNotWaitedFor();
    void aBusyHeadAtSomethingElseIsNotWaitedFor_data();
    void aBusyHeadAtSomethingElseIsNotWaitedFor();
    void anIdleMatchIsContinuedAtOnce();
    void waitingComesBeforeForking();
    void theLongestLineageIsWaitedFor();
    void theSavingIsThePromptOfTheParent();
    void afterTheWaitTheFreedHeadIsContinued();
    void fewTurnsTellNothing();
    void anAgentsOwnTurnsCountBeforeThoseOfItsModel();
    void oldTurnsAreForgotten();
    void quantilesAreNearestRanks();
};

namespace {

struct Expecting : Timeline
{
    using Timeline::Timeline;

    ScanRequest ask(const Items &input, headway::base::Nanoseconds bound) const
    {
        ScanRequest scanRequest = request(input);
        scanRequest.model = "m";
        scanRequest.waitBound = bound;
        scanRequest.promptTokens = input.size() * 1'000;
        return scanRequest;
    }

    ScanResult look(std::string_view words, headway::base::Nanoseconds bound = 5s) const
    {
        const auto input = items(words);
        return pool.scan(ask(input, bound), now);
    }

    HeadId start(std::string_view words)
    {
        const auto input = items(words);
        const auto opened
            = pool.open(ask(input, 0ns), Decision::NewPartitionHead, nextConnection(), now);
        return opened.head;
    }

    // Past turns of this agent that took 1, 2, … `count` seconds.
    void remember(int count)
    {
        for (int i = 1; i <= count; ++i) {
            const HeadId head = start("U" + std::to_string(i + 1'000));
            pass(std::chrono::seconds{i});
            end(head, "A" + std::to_string(i));
            (void)pool.remove(head, EvictionReason::User);
        }
    }
};

} // namespace

void ExpectedHeadsTest::aParentThatIsAboutToFinishIsWaitedFor()
{
    Expecting t;
    t.remember(8);
    const HeadId parent = t.start("U1");
    const ScanResult scan = t.look("U1 A1 U2");
    COMPARE_WORD(scan.decision, Decision::ExpectedHead);
    QVERIFY(scan.head == parent);
    QVERIFY(scan.isolatedBy == HeadId{});
    QCOMPARE(scan.deltaFrom, std::size_t{0});
}

void ExpectedHeadsTest::theWaitIsTheThirdQuartileOfWhatRemains_data()
{
    QTest::addColumn<int>("elapsedMs");
    QTest::addColumn<int>("boundMs");
    QTest::addColumn<int>("waitMs"); // 0: does not wait
    // Turns took 1, 2, … 8 s.
    QTest::newRow("just begun") << 0 << 60'000 << 6'000;
    QTest::newRow("bound is shorter") << 0 << 5'000 << 5'000;
    QTest::newRow("median equals bound") << 0 << 4'000 << 4'000;
    QTest::newRow("median beyond bound") << 0 << 3'999 << 0;
    QTest::newRow("three seconds on") << 3'000 << 60'000 << 4'000; // of 1 2 3 4 5
    QTest::newRow("three and a half") << 3'500 << 60'000 << 3'500; // of .5 1.5 2.5 3.5 4.5
    QTest::newRow("nobody knows") << 4'000 << 60'000 << 0; // four are left
}

void ExpectedHeadsTest::theWaitIsTheThirdQuartileOfWhatRemains()
{
    QFETCH(const int, elapsedMs);
    QFETCH(const int, boundMs);
    QFETCH(const int, waitMs);
    Expecting t;
    t.remember(8);
    (void)t.start("U1");
    t.pass(std::chrono::milliseconds{elapsedMs});
    const ScanResult scan = t.look("U1 A1 U2", std::chrono::milliseconds{boundMs});
    COMPARE_WORD(scan.decision, waitMs == 0 ? Decision::ParallelIsolated : Decision::ExpectedHead);
    QCOMPARE(std::chrono::duration_cast<std::chrono::milliseconds>(scan.expectedWait).count(),
             static_cast<long>(waitMs));
}

void ExpectedHeadsTest::withoutABoundNobodyWaits()
{
    Expecting t;
    t.remember(8);
    (void)t.start("U1");
    COMPARE_WORD(t.look("U1 A1 U2", 0ns).decision, Decision::ParallelIsolated);
}

void ExpectedHeadsTest::aParentThatWillTakeLongerIsNotWaitedFor()
{
    Expecting t;
    t.remember(32);
    (void)t.start("U1");
    COMPARE_WORD(t.look("U1 A1 U2", 5s).decision, Decision::ParallelIsolated);
}

void ExpectedHeadsTest::aBusyHeadAtSomethingElseIsNotWaitedFor_data()
{
    QTest::addColumn<QByteArray>("request");
    QTest::newRow("the same input: a retry") << QByteArray("U1 A1 U2");
    QTest::newRow("a branch of what it has finished") << QByteArray("U1 A1 U3");
    QTest::newRow("no reply in between") << QByteArray("U1 A1 U2 U3");
}

void ExpectedHeadsTest::aBusyHeadAtSomethingElseIsNotWaitedFor()
{
    QFETCH(const QByteArray, request);
    Expecting t;
    t.remember(8);
    const HeadId head = t.start("U1");
    t.end(head, "A1");
    QVERIFY(t.begin("U1 A1 U2") == head);
    COMPARE_WORD(t.look(request.toStdString()).decision, Decision::ParallelIsolated);
    COMPARE_WORD(t.look("U1 A1 U2 A2 U3").decision, Decision::ExpectedHead);
}

void ExpectedHeadsTest::anIdleMatchIsContinuedAtOnce()
{
    Expecting t;
    t.remember(8);
    const HeadId idle = t.start("U1");
    t.end(idle, "A1");
    (void)t.start("U1");
    QVERIFY(t.look("U1 A1 U2").head == idle);
    COMPARE_WORD(t.look("U1 A1 U2").decision, Decision::Continuation);
}

void ExpectedHeadsTest::waitingComesBeforeForking()
{
    Expecting t(PoolSettings{.lanes = LaneMode::On});
    t.remember(8);
    const HeadId head = t.start("U1");
    t.end(head, "A1");
    (void)t.begin("U1 A1 U2");
    COMPARE_WORD(t.look("U1 A1 U2 A2 U3").decision, Decision::ExpectedHead);
    COMPARE_WORD(t.look("U1 A1 U2 A2 U3", 0ns).decision, Decision::Fork);
}

void ExpectedHeadsTest::theLongestLineageIsWaitedFor()
{
    Expecting t;
    t.remember(8);
    (void)t.start("U1");
    const HeadId longest = t.start("U1 A1 U2");
    (void)t.start("U1 A1");
    QVERIFY(t.look("U1 A1 U2 A2 U3").head == longest);
}

void ExpectedHeadsTest::theSavingIsThePromptOfTheParent()
{
    Expecting t;
    t.remember(8);
    (void)t.start("U1 A1 U2");
    QCOMPARE(t.look("U1 A1 U2 A2 U3").expectedTokens, std::uint64_t{3'000});
}

void ExpectedHeadsTest::afterTheWaitTheFreedHeadIsContinued()
{
    Expecting t;
    t.remember(8);
    const HeadId parent = t.start("U1");
    QVERIFY(t.look("U1 A1 U2").head == parent);
    t.pass(2s);
    t.end(parent, "A1");
    const ScanResult again = t.look("U1 A1 U2", 0ns);
    COMPARE_WORD(again.decision, Decision::Continuation);
    QVERIFY(again.head == parent);
}

void ExpectedHeadsTest::fewTurnsTellNothing()
{
    Durations durations;
    QVERIFY(!durations.remaining(1, "m", 0ns));
    for (int i = 0; i < 4; ++i)
        durations.add(1, "m", 1s);
    QVERIFY(!durations.remaining(1, "m", 0ns));
    durations.add(1, "m", 1s);
    QVERIFY(durations.remaining(1, "m", 0ns)->p75 == 1s);
    QVERIFY(!durations.remaining(1, "m", 1s)); // none took longer
}

void ExpectedHeadsTest::anAgentsOwnTurnsCountBeforeThoseOfItsModel()
{
    Durations durations;
    for (int i = 0; i < 5; ++i)
        durations.add(1, "m", 10s);
    QVERIFY(durations.remaining(2, "m", 0ns)->p50 == 10s); // another agent, the same model
    QVERIFY(!durations.remaining(2, "other", 0ns));
    for (int i = 0; i < 5; ++i)
        durations.add(2, "m", 1s);
    QVERIFY(durations.remaining(2, "m", 0ns)->p50 == 1s);
    QVERIFY(durations.remaining(2, "m", 1s)->p50 == 9s); // longer than any of its own
}

void ExpectedHeadsTest::oldTurnsAreForgotten()
{
    Durations durations;
    for (int i = 0; i < 32; ++i)
        durations.add(1, "m", 10s);
    for (int i = 0; i < 31; ++i)
        durations.add(1, "m", 1s);
    QVERIFY(durations.remaining(1, "m", 0ns)->p75 == 1s);
    for (std::size_t other = 2; other <= 1'025; ++other)
        durations.add(other, "n", 1s);
    QVERIFY(!durations.remaining(1, "other", 0ns)); // the agent itself, too
}

void ExpectedHeadsTest::quantilesAreNearestRanks()
{
    for (int count = 5; count <= 12; ++count) {
        Durations durations;
        for (int i = 1; i <= count; ++i)
            durations.add(1, "m", std::chrono::seconds{i});
        const auto remaining = durations.remaining(1, "m", 0ns);
        // The smallest value of which at least the share is not larger, by counting.
        const auto rank = [count](double share) {
            int value = 1;
            while (value < share * count)
                ++value;
            return std::chrono::seconds{value};
        };
        QVERIFY(remaining->p50 == rank(0.5));
        QVERIFY(remaining->p75 == rank(0.75));
    }
}

QTEST_APPLESS_MAIN(ExpectedHeadsTest)
#include "tst_expectedheads.moc"
