// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/ladderformula.h"

#include "ui/format/figures.h"

#include <QCoreApplication>

namespace headway::ui {

namespace {

struct Formula
{
    Q_DECLARE_TR_FUNCTIONS(LadderFormula)
};

QString adviceFor(const pacing::RequestBudget &budget, const pacing::BudgetSettings &asked,
                  base::Milliseconds used)
{
    if (used >= budget.idle)
        return Formula::tr("The retries can outlast the idle deadline. Raise the deadline or lower "
                           "the retries.");
    if (budget.bound.count() == 0)
        return Formula::tr("No room to queue: new connections are not paced. Raise the idle "
                           "deadline or lower the retries.");
    if (asked.retries && *asked.retries > budget.retries)
        return Formula::tr("Only %1 of %2 retries fit into %3. Raise the idle deadline to use them "
                           "all.")
            .arg(budget.retries)
            .arg(*asked.retries)
            .arg(duration(budget.idle));
    if (used * 10 >= budget.idle * 9)
        return Formula::tr("Little is left for the provider's first byte. Raise the idle deadline "
                           "or lower the retries.");
    return {};
}

} // namespace

LadderFormula ladderFormula(const pacing::RequestBudget &budget,
                            const pacing::BudgetSettings &asked)
{
    const base::Milliseconds rungs = pacing::ladder(budget.retries);
    const base::Milliseconds used = budget.bound * (budget.retries + 1) + rungs;
    LadderFormula formula;
    formula.advice = adviceFor(budget, asked, used);
    const bool holds = used < budget.idle;
    if (!holds)
        formula.state = LadderFormula::State::Broken;
    else if (!formula.advice.isEmpty())
        formula.state = LadderFormula::State::Tight;
    const QChar end = !holds ? u'✕' : formula.advice.isEmpty() ? u'✓' : u'▲';
    formula.text = QStringLiteral("%1 × %2 + %3 = %4 %5 %6 %7")
                       .arg(budget.retries + 1)
                       .arg(budget.bound.count())
                       .arg(rungs.count())
                       .arg(used.count())
                       .arg(holds ? QChar(u'<') : QChar(u'≥'))
                       .arg(budget.idle.count())
                       .arg(end);
    return formula;
}

} // namespace headway::ui
