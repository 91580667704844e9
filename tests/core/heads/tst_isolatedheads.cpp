// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/heads/timeline.h"

using namespace headway::heads;
using namespace std::chrono_literals;

// spec/heads.md section 4, last paragraph: which isolated heads are kept.
class IsolatedHeadsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void goesWhileItsPartitionIsBusy();
    void goesWhenTheParentHoldsTheSameLineage();
    void goesWhenTheParentHoldsTheSameLineageWithOtherReasoning();
    void staysWhenTheParentIsGone();
    void staysWhenTheParentWentAnotherWay();
    void aBusyHeadOfAnotherAgentDoesNotMatter();
    void onceKeptItIsContinuedAndPromotedLikeAnyOther();
    void onceKeptItCountsForTheNurseryCap();
    void isolatesOthersWhileItIsBusy();
};

namespace {

Generation generationOf(const Timeline &t, HeadId head)
{
    for (const HeadView &view : t.pool.views(t.now)) {
        if (view.head == head)
            return view.generation;
    }
    return Generation::Isolated;
}

} // namespace

void IsolatedHeadsTest::goesWhileItsPartitionIsBusy()
{
    Timeline t;
    (void)t.begin("U1");
    const HeadId isolated = t.begin("U1");
    COMPARE_WORD(generationOf(t, isolated), Generation::Isolated);
    t.end(isolated, "A1");
    QCOMPARE(Timeline::told(t.evictions), QStringList{QStringLiteral("isolated_done 2")});
    QCOMPARE(t.pool.size(), std::size_t{1});
}

void IsolatedHeadsTest::goesWhenTheParentHoldsTheSameLineage()
{
    Timeline t;
    const HeadId parent = t.begin("U1");
    const HeadId isolated = t.begin("U1");
    t.end(parent, "A1");
    t.end(isolated, "A1b");
    QCOMPARE(Timeline::told(t.evictions), QStringList{QStringLiteral("isolated_done 2")});
}

void IsolatedHeadsTest::goesWhenTheParentHoldsTheSameLineageWithOtherReasoning()
{
    Timeline t;
    const HeadId parent = t.begin("U1 R1 F1 O1");
    const auto input = Timeline::items("U1 F1 O1");
    const auto isolated
        = t.pool.open(t.request(input), Decision::ParallelIsolated, t.nextConnection(), t.now);
    t.end(parent, "A1");
    t.end(isolated.head, "A1b");
    QCOMPARE(Timeline::told(t.evictions), QStringList{QStringLiteral("isolated_done 2")});
}

void IsolatedHeadsTest::staysWhenTheParentIsGone()
{
    Timeline t;
    const HeadId parent = t.begin("U1");
    const HeadId isolated = t.begin("U1");
    QVERIFY(t.pool.remove(parent, EvictionReason::FailedTurn).has_value());
    t.end(isolated, "A1");
    QVERIFY(t.evictions.empty());
    COMPARE_WORD(generationOf(t, isolated), Generation::Nursery);
    QVERIFY(t.scan("U1 A1 U2").head == isolated);
}

void IsolatedHeadsTest::staysWhenTheParentWentAnotherWay()
{
    Timeline t;
    const HeadId parent = t.turn("U1", "A1");
    QVERIFY(t.begin("U1 A1 U2") == parent);
    const HeadId isolated = t.begin("U1 A1 U3"); // the parent's finished history matches
    COMPARE_WORD(generationOf(t, isolated), Generation::Isolated);
    t.end(parent, "A2");
    t.end(isolated, "A3");
    QVERIFY(t.evictions.empty());
    QVERIFY(t.scan("U1 A1 U3 A3 U4").head == isolated);
    QVERIFY(t.scan("U1 A1 U2 A2 U4").head == parent);
}

void IsolatedHeadsTest::aBusyHeadOfAnotherAgentDoesNotMatter()
{
    Timeline t;
    const HeadId parent = t.begin("U1");
    const HeadId isolated = t.begin("U1");
    (void)t.begin("U1", "sub");
    QVERIFY(t.pool.remove(parent, EvictionReason::FailedTurn).has_value());
    t.end(isolated, "A1");
    QVERIFY(t.evictions.empty());
}

void IsolatedHeadsTest::onceKeptItIsContinuedAndPromotedLikeAnyOther()
{
    Timeline t;
    const HeadId parent = t.begin("U1");
    const HeadId isolated = t.begin("U1");
    QVERIFY(t.pool.remove(parent, EvictionReason::FailedTurn).has_value());
    t.end(isolated, "A1");
    QVERIFY(t.turn("U1 A1 U2", "A2") == isolated);
    COMPARE_WORD(generationOf(t, isolated), Generation::Established);
    t.pass(5min);
    QCOMPARE(t.sweep(), QStringList{});
}

void IsolatedHeadsTest::onceKeptItCountsForTheNurseryCap()
{
    Timeline t(PoolSettings{.nurseryCap = 2});
    (void)t.turn("U1", "A1", "other"); // 1
    const HeadId parent = t.begin("U1"); // 2
    const HeadId isolated = t.begin("U1"); // 3
    QVERIFY(t.pool.remove(parent, EvictionReason::FailedTurn).has_value());
    (void)t.turn("U1", "A1", "third"); // 4
    t.end(isolated, "A1");
    QCOMPARE(Timeline::told(t.evictions), QStringList{QStringLiteral("nursery_lru_cap 1")});
    COMPARE_WORD(generationOf(t, isolated), Generation::Nursery);
}

void IsolatedHeadsTest::isolatesOthersWhileItIsBusy()
{
    Timeline t;
    const HeadId parent = t.begin("U1");
    const HeadId isolated = t.begin("U1");
    QVERIFY(t.pool.remove(parent, EvictionReason::FailedTurn).has_value());
    const ScanResult result = t.scan("U1");
    COMPARE_WORD(result.decision, Decision::ParallelIsolated);
    QVERIFY(result.isolatedBy == isolated);
}

QTEST_APPLESS_MAIN(IsolatedHeadsTest)
#include "tst_isolatedheads.moc"
