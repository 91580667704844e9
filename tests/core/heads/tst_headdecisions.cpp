// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/heads/timeline.h"

using namespace headway::heads;

// spec/heads.md section 4: one test for each decision and for what surrounds it.
class HeadDecisionsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutAKeyATurnIsUnpartitionedAndLeavesNothing();
    void theFirstTurnOfAnAgentOpensANewPartitionHead();
    void anIdleHeadThatMatchesIsContinued();
    void anotherAgentNeverSeesTheHead();
    void aRequestThatMatchesNoneOpensANewHeadAndKeepsTheOthers();
    void aBusyHeadWithTheSameInputIsolates();
    void aBusyHeadGeneratingForAPrefixIsolates();
    void aBusyHeadWhoseFinishedHistoryMatchesIsolates();
    void anUnrelatedBusySiblingIsolatesNobody();
    void aBusyHeadGeneratingForALongerInputIsolatesNobody();
    void anIdleMatchWinsOverABusyPossibleParent();
    void aFreedParentIsContinuedBySecondScan();
    void isolationIsOverWhenTheParentIsGone();
    void changedPromptFieldsAreToldAndTheChainGoesOn();
    void aForgottenResponseIsNotContinuedUntilTheTurnCompletes();
    void aReplacedTurnGoesOnAsANewHeadOfItsGeneration();
    void aHeadWithoutAResponseIdIsDropped();
};

void HeadDecisionsTest::withoutAKeyATurnIsUnpartitionedAndLeavesNothing()
{
    Timeline t;
    const auto input = Timeline::items("U1");
    ScanRequest request = t.request(input);
    request.key = std::nullopt;
    COMPARE_WORD(t.pool.scan(request, t.now).decision, Decision::Unpartitioned);
    const auto opened = t.pool.open(request, Decision::Unpartitioned, t.nextConnection(), t.now);
    QCOMPARE(t.pool.size(), std::size_t{1});
    t.end(opened.head, "A1");
    QCOMPARE(Timeline::told(t.evictions), QStringList{QStringLiteral("isolated_done 1")});
    QCOMPARE(t.pool.size(), std::size_t{0});
}

void HeadDecisionsTest::theFirstTurnOfAnAgentOpensANewPartitionHead()
{
    Timeline t;
    const ScanResult result = t.scan("U1");
    COMPARE_WORD(result.decision, Decision::NewPartitionHead);
    QCOMPARE(result.candidates, std::size_t{0});
    QVERIFY(result.head == HeadId{});
}

void HeadDecisionsTest::anIdleHeadThatMatchesIsContinued()
{
    Timeline t;
    const HeadId head = t.turn("S1 U1", "A1");
    const ScanResult result = t.scan("S1 U1 A1 U2");
    COMPARE_WORD(result.decision, Decision::Continuation);
    COMPARE_WORD(result.mode, MatchMode::Exact);
    QVERIFY(result.head == head);
    QCOMPARE(result.connection.value(), std::uint64_t{101});
    QCOMPARE(result.previousResponseId, std::string("resp_1"));
    QCOMPARE(result.deltaFrom, std::size_t{3});
    QCOMPARE(result.candidates, std::size_t{1});
    QCOMPARE(result.idle, std::size_t{1});
    QCOMPARE(result.matching, std::size_t{1});
}

void HeadDecisionsTest::anotherAgentNeverSeesTheHead()
{
    Timeline t;
    (void)t.turn("U1", "A1", "main");
    COMPARE_WORD(t.scan("U1 A1 U2", "sub").decision, Decision::NewPartitionHead);
}

void HeadDecisionsTest::aRequestThatMatchesNoneOpensANewHeadAndKeepsTheOthers()
{
    Timeline t;
    const HeadId first = t.turn("U1", "A1");
    const ScanResult result = t.scan("U9");
    COMPARE_WORD(result.decision, Decision::HistoryMismatchNewHead);
    QCOMPARE(result.candidates, std::size_t{1});
    QCOMPARE(result.matching, std::size_t{0});
    (void)t.turn("U9", "A9");
    QCOMPARE(t.pool.size(), std::size_t{2});
    QVERIFY(t.scan("U1 A1 U2").head == first);
}

void HeadDecisionsTest::aBusyHeadWithTheSameInputIsolates()
{
    Timeline t;
    const HeadId busy = t.begin("U1");
    const ScanResult result = t.scan("U1");
    COMPARE_WORD(result.decision, Decision::ParallelIsolated);
    QVERIFY(result.isolatedBy == busy);
    QCOMPARE(result.idle, std::size_t{0});
}

void HeadDecisionsTest::aBusyHeadGeneratingForAPrefixIsolates()
{
    Timeline t;
    const HeadId busy = t.begin("U1");
    const ScanResult result = t.scan("U1 A1 U2");
    COMPARE_WORD(result.decision, Decision::ParallelIsolated);
    QVERIFY(result.isolatedBy == busy);
}

void HeadDecisionsTest::aBusyHeadWhoseFinishedHistoryMatchesIsolates()
{
    Timeline t;
    const HeadId head = t.turn("U1", "A1");
    QVERIFY(t.begin("U1 A1 U2") == head);
    const ScanResult result = t.scan("U1 A1 U3");
    COMPARE_WORD(result.decision, Decision::ParallelIsolated);
    QVERIFY(result.isolatedBy == head);
}

void HeadDecisionsTest::anUnrelatedBusySiblingIsolatesNobody()
{
    Timeline t;
    (void)t.begin("S1 U1");
    (void)t.begin("S1 U2");
    COMPARE_WORD(t.scan("S1 U3").decision, Decision::HistoryMismatchNewHead);
}

void HeadDecisionsTest::aBusyHeadGeneratingForALongerInputIsolatesNobody()
{
    Timeline t;
    (void)t.begin("U1 A1 U2");
    COMPARE_WORD(t.scan("U1").decision, Decision::HistoryMismatchNewHead);
}

void HeadDecisionsTest::anIdleMatchWinsOverABusyPossibleParent()
{
    Timeline t;
    const HeadId idle = t.turn("U1", "A1");
    const HeadId busy = t.begin("U1");
    QVERIFY(busy != idle);
    const ScanResult result = t.scan("U1 A1 U2");
    COMPARE_WORD(result.decision, Decision::Continuation);
    QVERIFY(result.head == idle);
    QVERIFY(result.isolatedBy == HeadId{});
}

// Section 5: the identical scan after a wait adopts the head that was freed meanwhile.
void HeadDecisionsTest::aFreedParentIsContinuedBySecondScan()
{
    Timeline t;
    const HeadId parent = t.begin("U1");
    COMPARE_WORD(t.scan("U1 A1 U2").decision, Decision::ParallelIsolated);
    t.pass(std::chrono::seconds{3});
    t.end(parent, "A1");
    const ScanResult again = t.scan("U1 A1 U2");
    COMPARE_WORD(again.decision, Decision::Continuation);
    QVERIFY(again.head == parent);
}

void HeadDecisionsTest::isolationIsOverWhenTheParentIsGone()
{
    Timeline t;
    (void)t.turn("U5", "A5");
    const HeadId parent = t.begin("U1");
    COMPARE_WORD(t.scan("U1 A1 U2").decision, Decision::ParallelIsolated);
    QVERIFY(t.pool.remove(parent, EvictionReason::FailedTurn).has_value());
    COMPARE_WORD(t.scan("U1 A1 U2").decision, Decision::HistoryMismatchNewHead);
}

void HeadDecisionsTest::changedPromptFieldsAreToldAndTheChainGoesOn()
{
    Timeline t;
    (void)t.turn("U1", "A1");
    QVERIFY(t.scan("U1 A1 U2").promptChanges.empty());
    t.prompt.tools.low = 1;
    t.prompt.effort.high = 1;
    const ScanResult changed = t.scan("U1 A1 U2");
    COMPARE_WORD(changed.decision, Decision::Continuation);
    QCOMPARE(changed.promptChanges, (std::vector<std::string>{"tools", "effort"}));
    (void)t.turn("U1 A1 U2", "A2");
    t.prompt.instructions.low = 1;
    QCOMPARE(t.scan("U1 A1 U2 A2 U3").promptChanges, (std::vector<std::string>{"instructions"}));
}

void HeadDecisionsTest::aForgottenResponseIsNotContinuedUntilTheTurnCompletes()
{
    Timeline t;
    const HeadId head = t.turn("U1", "A1");
    QVERIFY(t.begin("U1 A1 U2") == head);
    t.pool.forgetResponse(head);
    // No longer a parent of another branch: its finished history is gone upstream.
    COMPARE_WORD(t.scan("U1 A1 U3").decision, Decision::HistoryMismatchNewHead);
    t.end(head, "A2");
    const ScanResult result = t.scan("U1 A1 U2 A2 U3");
    COMPARE_WORD(result.decision, Decision::Continuation);
    QVERIFY(result.head == head);
    QCOMPARE(result.deltaFrom, std::size_t{4});
}

void HeadDecisionsTest::aReplacedTurnGoesOnAsANewHeadOfItsGeneration()
{
    Timeline t;
    const HeadId first = t.begin("U1");
    const HeadId isolated = t.begin("U1");
    const auto input = Timeline::items("U1");
    const auto nursery = t.pool.replace(first, t.request(input), t.nextConnection(), t.now);
    const auto second = t.pool.replace(isolated, t.request(input), t.nextConnection(), t.now);
    const auto views = t.pool.views(t.now);
    QCOMPARE(views.size(), std::size_t{2});
    QVERIFY(views[0].head == nursery.head && nursery.head != first);
    COMPARE_WORD(views[0].generation, Generation::Nursery);
    COMPARE_WORD(views[1].generation, Generation::Isolated);
    QVERIFY(views[1].head == second.head);
    t.end(nursery.head, "A1");
    const ScanResult result = t.scan("U1 A1 U2");
    COMPARE_WORD(result.decision, Decision::Continuation);
    QCOMPARE(result.connection.value(), std::uint64_t{103});
}

void HeadDecisionsTest::aHeadWithoutAResponseIdIsDropped()
{
    Timeline t;
    const HeadId head = t.begin("U1");
    const auto evictions = t.pool.complete(head, {.responseId = {}, .echoed = {}}, t.now);
    QCOMPARE(Timeline::told(evictions), QStringList{QStringLiteral("failed_turn 1")});
    COMPARE_WORD(t.scan("U1 A1 U2").decision, Decision::NewPartitionHead);
}

QTEST_APPLESS_MAIN(HeadDecisionsTest)
#include "tst_headdecisions.moc"
