// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/ladderformula.h"

#include <QTest>

using namespace headway;
using base::Milliseconds;
using ui::LadderFormula;

class LadderFormulaTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesTheInequalityOfTheSpecifiedBudgets_data();
    void writesTheInequalityOfTheSpecifiedBudgets();
    void breaksWhenTheLadderReachesTheDeadline();
    void saysHowManyRetriesFit();
    void warnsFromNineTenthsOn();
};

void LadderFormulaTest::writesTheInequalityOfTheSpecifiedBudgets_data()
{
    // spec/pacing.md section 1, "Resolved budgets that must come out exactly"; sums by hand.
    QTest::addColumn<int>("idle");
    QTest::addColumn<int>("total");
    QTest::addColumn<int>("retries");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<LadderFormula::State>("state");
    using enum LadderFormula::State;
    QTest::newRow("nothing set") << -1 << -1 << -1
                                 << QStringLiteral("6 × 4833 + 62000 = 90998 < 120000 ✓") << Holds;
    QTest::newRow("idle 30000") << 30'000 << -1 << -1
                                << QStringLiteral("4 × 2000 + 14000 = 22000 < 30000 ✓") << Holds;
    QTest::newRow("idle 10000") << 10'000 << -1 << -1
                                << QStringLiteral("3 × 666 + 6000 = 7998 < 10000 ✓") << Holds;
    QTest::newRow("idle 3600000") << 3'600'000 << -1 << -1
                                  << QStringLiteral("6 × 15000 + 62000 = 152000 < 3600000 ✓")
                                  << Holds;
    QTest::newRow("idle 600000, total 60000")
        << 600'000 << 60'000 << -1 << QStringLiteral("5 × 3000 + 30000 = 45000 < 60000 ✓") << Holds;
    QTest::newRow("idle 14001") << 14'001 << -1 << -1
                                << QStringLiteral("4 × 0 + 14000 = 14000 < 14001 ▲") << Tight;
    QTest::newRow("retries 0") << -1 << -1 << 0
                               << QStringLiteral("1 × 15000 + 0 = 15000 < 120000 ✓") << Holds;
    QTest::newRow("idle 3600000, retries 99")
        << 3'600'000 << -1 << 99 << QStringLiteral("11 × 15000 + 2046000 = 2211000 < 3600000 ▲")
        << Tight; // 99 were asked for
}

void LadderFormulaTest::writesTheInequalityOfTheSpecifiedBudgets()
{
    QFETCH(const int, idle);
    QFETCH(const int, total);
    QFETCH(const int, retries);
    QFETCH(const QString, expected);
    QFETCH(const LadderFormula::State, state);
    pacing::BudgetSettings asked;
    if (idle >= 0)
        asked.idle = Milliseconds(idle);
    if (total >= 0)
        asked.total = Milliseconds(total);
    if (retries >= 0)
        asked.retries = retries;
    const LadderFormula formula = ui::ladderFormula(pacing::resolveBudget(asked), asked);
    QCOMPARE(formula.text, expected);
    QCOMPARE(formula.state, state);
    QCOMPARE(formula.advice.isEmpty(), state == LadderFormula::State::Holds);
}

void LadderFormulaTest::breaksWhenTheLadderReachesTheDeadline()
{
    // Not what resolveBudget gives: what the window would have to show if it ever did.
    pacing::RequestBudget budget;
    budget.idle = Milliseconds(90'998);
    const LadderFormula formula = ui::ladderFormula(budget, {});
    QCOMPARE(formula.text, QStringLiteral("6 × 4833 + 62000 = 90998 ≥ 90998 ✕"));
    QCOMPARE(formula.state, LadderFormula::State::Broken);
    QVERIFY(!formula.advice.isEmpty());
}

void LadderFormulaTest::saysHowManyRetriesFit()
{
    pacing::BudgetSettings asked;
    asked.retries = 10;
    const LadderFormula formula = ui::ladderFormula(pacing::resolveBudget(asked), asked);
    QVERIFY(formula.advice.contains(QLatin1String("Only 5 of 10")));
}

void LadderFormulaTest::warnsFromNineTenthsOn()
{
    pacing::RequestBudget budget;
    budget.retries = 1; // ladder 2000
    budget.bound = Milliseconds(500);
    budget.idle = Milliseconds(3'334); // 3000 is 89.98 %
    QCOMPARE(ui::ladderFormula(budget, {}).state, LadderFormula::State::Holds);
    budget.idle = Milliseconds(3'333); // 90.01 %
    QCOMPARE(ui::ladderFormula(budget, {}).state, LadderFormula::State::Tight);
}

QTEST_APPLESS_MAIN(LadderFormulaTest)
#include "tst_ladderformula.moc"
