// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/pacing/budget.h"
#include "ui/format/ladderformula.h"

#include <QFrame>

#include <optional>

class QLabel;

namespace headway::ui {

// The derived wait bound and the whole ladder inequality, live.
class BudgetView final : public QFrame
{
    Q_OBJECT

public:
    explicit BudgetView(QWidget *parent = nullptr);

    void setBudget(const pacing::BudgetSettings &asked);
    [[nodiscard]] const LadderFormula &formula() const { return m_formula; }

protected:
    void changeEvent(QEvent *event) override;

private:
    void showBudget(const pacing::RequestBudget &budget);
    void recolor();

    QLabel *m_bound;
    QLabel *m_formulaText;
    QLabel *m_advice;
    std::optional<pacing::RequestBudget> m_budget;
    LadderFormula m_formula;
};

} // namespace headway::ui
