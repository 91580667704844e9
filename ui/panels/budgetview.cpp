// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/budgetview.h"

#include "ui/format/appearance.h"
#include "ui/format/figures.h"
#include "ui/format/palette.h"

#include <QEvent>
#include <QFormLayout>
#include <QLabel>

namespace headway::ui {

BudgetView::BudgetView(const QString &prefix, QWidget *parent)
    : QFrame(parent)
    , m_name(new QLabel(tr("Wait bound"), this))
    , m_bound(new QLabel(this))
    , m_formulaText(new QLabel(this))
    , m_advice(new QLabel(this))
{
    setFrameShape(QFrame::NoFrame);
    m_bound->setObjectName(prefix + QStringLiteral("wait_bound"));
    m_bound->setAlignment(Qt::AlignRight);
    m_formulaText->setObjectName(prefix + QStringLiteral("ladder_formula"));
    m_advice->setObjectName(prefix + QStringLiteral("ladder_advice"));
    for (QLabel *label : {m_formulaText, m_advice}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_formulaText->setFont(smaller(font()));
    m_formulaText->setToolTip(
        tr("(retries + 1) × wait bound + retry ladder < idle deadline, in milliseconds.\n"
           "While it holds, a turn that has to wait and retry still ends inside its deadline."));
    auto *layout = new QFormLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addRow(m_name, m_bound);
    layout->addRow(m_formulaText);
    layout->addRow(m_advice);
    m_advice->hide();
    setBudget({});
}

void BudgetView::setBudget(const pacing::BudgetSettings &asked)
{
    const pacing::RequestBudget budget = pacing::resolveBudget(asked);
    const LadderFormula formula = ladderFormula(budget, asked);
    if (m_budget == budget && m_formula == formula)
        return;
    m_formula = formula;
    m_budget = budget;
    showBudget();
}

void BudgetView::setWithoutEffect(const QString &reason)
{
    if (m_reason == reason)
        return;
    m_reason = reason;
    showBudget();
}

void BudgetView::showBudget()
{
    const bool counts = m_reason.isEmpty();
    const QString tip = counts
        ? tr("Longest wait for an admission in one attempt; derived, never set.")
        : m_reason;
    for (QLabel *label : {m_name, m_bound}) {
        label->setEnabled(counts);
        label->setToolTip(tip);
        label->setAccessibleDescription(tip);
    }
    if (!counts)
        m_bound->setText(tr("not used"));
    else if (m_budget->bound.count() == 0)
        m_bound->setText(tr("no room"));
    else
        m_bound->setText(tr("%1 ms").arg(m_budget->bound.count()));
    m_formulaText->setText(m_formula.text);
    m_formulaText->setVisible(counts);
    m_advice->setText(m_formula.advice.isEmpty()
                          ? QString()
                          : QString(QChar(warningGlyph)) + u' ' + m_formula.advice);
    m_advice->setVisible(counts && !m_formula.advice.isEmpty());
    recolor();
}

void BudgetView::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        recolor();
    else if (event->type() == QEvent::FontChange)
        m_formulaText->setFont(smaller(font()));
}

void BudgetView::recolor()
{
    QPalette tinted = palette();
    if (m_formula.state != LadderFormula::State::Holds) {
        const bool isBroken = m_formula.state == LadderFormula::State::Broken;
        tinted = inked(tinted, color(isBroken ? Meaning::Failed : Meaning::Waiting, palette()));
    }
    if (m_formulaText->palette() != tinted)
        m_formulaText->setPalette(tinted);
}

} // namespace headway::ui
