// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/base/random.h"
#include "proxy/core/pacing/budget.h"

#include <QTest>

#include <cmath>
#include <string>

using namespace headway::pacing;
using headway::base::Milliseconds;
using headway::base::Random;

class BudgetTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void resolvesTheTableOfTheSpecification_data();
    void resolvesTheTableOfTheSpecification();
    void sumsTheLadder();
    void raisesTotalWhenOnlyIdleWasSet();
    void lowersIdleOtherwise();
    void leavesAnEqualPairAlone();
    void capsRetriesStrictlyBelowTheDeadline();
    void mentionsCappedRetriesOnlyWhenTheUserSetThem();
    void clampsEachValueWithANotice();
    void derivesTheHintCapInWholeSeconds();
    void keepsEveryAttemptInsideTheDeadline();
};

void BudgetTest::resolvesTheTableOfTheSpecification_data()
{
    QTest::addColumn<int>("idle"); // -1: not set
    QTest::addColumn<int>("total");
    QTest::addColumn<int>("retries");
    QTest::addColumn<int>("resolvedIdle");
    QTest::addColumn<int>("resolvedRetries");
    QTest::addColumn<int>("bound");
    QTest::newRow("nothing set") << -1 << -1 << -1 << 120000 << 5 << 4833;
    QTest::newRow("idle 30000") << 30000 << -1 << -1 << 30000 << 3 << 2000;
    QTest::newRow("idle 10000") << 10000 << -1 << -1 << 10000 << 2 << 666;
    QTest::newRow("idle 3600000") << 3600000 << -1 << -1 << 3600000 << 5 << 15000;
    QTest::newRow("idle 600000, total 60000") << 600000 << 60000 << -1 << 60000 << 4 << 3000;
    QTest::newRow("idle 14001") << 14001 << -1 << -1 << 14001 << 3 << 0;
    QTest::newRow("retries 0") << -1 << -1 << 0 << 120000 << 0 << 15000;
    QTest::newRow("idle 3600000, retries 99") << 3600000 << -1 << 99 << 3600000 << 10 << 15000;
}

void BudgetTest::resolvesTheTableOfTheSpecification()
{
    QFETCH(const int, idle);
    QFETCH(const int, total);
    QFETCH(const int, retries);
    BudgetSettings settings;
    if (idle >= 0)
        settings.idle = Milliseconds(idle);
    if (total >= 0)
        settings.total = Milliseconds(total);
    if (retries >= 0)
        settings.retries = retries;
    const RequestBudget budget = resolveBudget(settings);
    QTEST(int(budget.idle.count()), "resolvedIdle");
    QTEST(budget.retries, "resolvedRetries");
    QTEST(int(budget.bound.count()), "bound");
}

void BudgetTest::sumsTheLadder()
{
    const int sums[]
        = {0, 2000, 6000, 14000, 30000, 62000, 126000, 254000, 510000, 1022000, 2046000};
    for (int n = 0; n <= 10; ++n)
        QCOMPARE(int(ladder(n).count()), sums[n]);
    QCOMPARE(int(ladder(-1).count()), 0);
    QVERIFY(ladder(1'000'000) > ladder(10));
}

void BudgetTest::raisesTotalWhenOnlyIdleWasSet()
{
    const RequestBudget budget = resolveBudget({Milliseconds(3'600'000), {}, {}});
    QCOMPARE(budget.total, Milliseconds(3'600'000));
    QCOMPARE(budget.idle, Milliseconds(3'600'000));
    QCOMPARE(budget.notices.size(), std::size_t(1));
    QVERIFY(budget.notices.front().key.starts_with("pacing.total_raised:"));
}

void BudgetTest::lowersIdleOtherwise()
{
    for (const auto &settings : {BudgetSettings{{}, Milliseconds(60'000), {}},
                                 BudgetSettings{Milliseconds(600'000), Milliseconds(60'000), {}}})
    {
        const RequestBudget budget = resolveBudget(settings);
        QCOMPARE(budget.idle, Milliseconds(60'000));
        QCOMPARE(budget.total, Milliseconds(60'000));
        QCOMPARE(budget.notices.size(), std::size_t(1));
        QVERIFY(budget.notices.front().key.starts_with("pacing.idle_lowered:"));
        QVERIFY(budget.notices.front().text.find("60000") != std::string::npos);
    }
}

void BudgetTest::leavesAnEqualPairAlone()
{
    const RequestBudget budget = resolveBudget({Milliseconds(60'000), Milliseconds(60'000), {}});
    QVERIFY(budget.notices.empty());
    QVERIFY(!resolveBudget({Milliseconds(60'001), Milliseconds(60'000), {}}).notices.empty());
    QVERIFY(resolveBudget({}).notices.empty());
}

void BudgetTest::capsRetriesStrictlyBelowTheDeadline()
{
    // The ladder of 3 retries is 14000 ms, of 5 it is 62000 ms.
    QCOMPARE(resolveBudget({Milliseconds(14'000), {}, {}}).retries, 2);
    QCOMPARE(resolveBudget({Milliseconds(14'001), {}, {}}).retries, 3);
    QCOMPARE(resolveBudget({Milliseconds(62'000), {}, {}}).retries, 4);
    QCOMPARE(resolveBudget({Milliseconds(62'001), {}, {}}).retries, 5);
}

void BudgetTest::mentionsCappedRetriesOnlyWhenTheUserSetThem()
{
    QVERIFY(resolveBudget({Milliseconds(10'000), {}, {}}).notices.empty());
    QVERIFY(resolveBudget({Milliseconds(10'000), {}, 2}).notices.empty());
    const RequestBudget capped = resolveBudget({Milliseconds(10'000), {}, 3});
    QCOMPARE(capped.retries, 2);
    QCOMPARE(capped.notices.size(), std::size_t(1));
    QVERIFY(capped.notices.front().key.starts_with("pacing.retries_capped:"));
}

void BudgetTest::clampsEachValueWithANotice()
{
    const RequestBudget low = resolveBudget({Milliseconds(9'999), Milliseconds(59'999), -1});
    QCOMPARE(low.idle, Milliseconds(10'000));
    QCOMPARE(low.total, Milliseconds(60'000));
    QCOMPARE(low.retries, 0);
    QCOMPARE(low.notices.size(), std::size_t(3));
    const RequestBudget high
        = resolveBudget({Milliseconds(3'600'001), Milliseconds(21'600'001), 11});
    QCOMPARE(high.idle, Milliseconds(3'600'000));
    QCOMPARE(high.total, Milliseconds(21'600'000));
    QCOMPARE(high.retries, 10);
    QCOMPARE(high.notices.size(), std::size_t(3));
}

void BudgetTest::derivesTheHintCapInWholeSeconds()
{
    QCOMPARE(resolveBudget({}).hintCap, Milliseconds(4'000)); // bound 4833
    QCOMPARE(resolveBudget({Milliseconds(30'000), {}, {}}).hintCap, Milliseconds(2'000)); // 2000
    QCOMPARE(resolveBudget({Milliseconds(10'000), {}, {}}).hintCap, Milliseconds(1'000)); // 666
    QCOMPARE(resolveBudget({Milliseconds(14'001), {}, {}}).hintCap, Milliseconds(1'000)); // 0
    QCOMPARE(resolveBudget({{}, {}, 0}).hintCap, Milliseconds(15'000));
}

// Section 2, the invariant, with bound, retries and hint cap computed here in another way.
void BudgetTest::keepsEveryAttemptInsideTheDeadline()
{
    Random random(20240611);
    int bounded = 0;
    for (int round = 0; round < 60'000; ++round) {
        BudgetSettings settings;
        const auto inRange = [&random](double low, double high) {
            return Milliseconds(static_cast<std::int64_t>(
                std::exp(random.uniform(std::log(low), std::log(high + 1)))));
        };
        if (random.next() % 4 != 0)
            settings.idle = inRange(10'000, 3'600'000);
        if (random.next() % 2 == 0)
            settings.total = inRange(60'000, 21'600'000);
        if (random.next() % 3 != 0)
            settings.retries = int(random.next() % 11);
        const RequestBudget budget = resolveBudget(settings);

        const qint64 idle = budget.idle.count();
        const int wanted = settings.retries.value_or(5);
        int retries = 0;
        qint64 sum = 0;
        for (qint64 rung = 2'000; retries < wanted && sum + rung < idle; rung *= 2) {
            sum += rung;
            ++retries;
        }
        QCOMPARE(budget.retries, retries);
        const qint64 bound = std::min(qint64(15'000), (idle - sum) / (2 * (retries + 1)));
        QCOMPARE(qint64(budget.bound.count()), bound);
        const qint64 hintCap = bound < 2'000 ? 1'000 : bound - bound % 1'000;
        QCOMPARE(qint64(budget.hintCap.count()), hintCap);
        if (bound == 0)
            continue;
        ++bounded;
        qint64 worst = (retries + 1) * bound;
        for (int i = 1; i <= retries; ++i)
            worst += std::max(hintCap, qint64(1'000) << i);
        QVERIFY2(worst < idle, qPrintable(QString::number(idle)));
        QVERIFY(budget.total >= budget.idle);
    }
    QVERIFY(bounded > 50'000);
}

QTEST_APPLESS_MAIN(BudgetTest)
#include "tst_budget.moc"
