// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"

#include <QWidget>

#include <optional>

class QFormLayout;
class QLabel;

namespace headway::ui {

class TimingBar;

// Why the selected turn runs where it runs, in plain words, and its figures. A turn that has ended
// stays readable and says so.
class WhyPane final : public QWidget
{
    Q_OBJECT

public:
    explicit WhyPane(QWidget *parent = nullptr);

    // Nothing: no turn is selected.
    void select(const std::optional<live::TurnRow> &turn);
    // The selected turn as it is now, or how it ended.
    void apply(const live::Snapshot &snapshot);

    [[nodiscard]] std::optional<base::TurnId> selected() const;

private:
    void showTurn();
    void showWait();
    QLabel *addFact(const QString &name);

    std::optional<live::TurnRow> m_turn;
    QString m_end; // how it ended; empty: in flight
    QLabel *m_title;
    QLabel *m_reason;
    TimingBar *m_timing;
    QLabel *m_timingWords;
    QWidget *m_facts;
    QFormLayout *m_form;
    QLabel *m_phase;
    QLabel *m_who;
    QLabel *m_model;
    QLabel *m_dialect;
    QLabel *m_decision;
    QLabel *m_age;
    QLabel *m_wait;
    QLabel *m_attempt;
    QLabel *m_output;
};

} // namespace headway::ui
