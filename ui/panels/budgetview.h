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
    // prefix: of the object names.
    explicit BudgetView(const QString &prefix, QWidget *parent = nullptr);

    // Why no wait is bounded at present; empty: the bound counts.
    void setWithoutEffect(const QString &reason);
    void setBudget(const pacing::BudgetSettings &asked);
    [[nodiscard]] const LadderFormula &formula() const { return m_formula; }

protected:
    void changeEvent(QEvent *event) override;

private:
    void showBudget();
    void recolor();

    QLabel *m_name;
    QLabel *m_bound;
    QLabel *m_formulaText;
    QLabel *m_advice;
    std::optional<pacing::RequestBudget> m_budget;
    LadderFormula m_formula;
    QString m_reason;
};

} // namespace headway::ui
