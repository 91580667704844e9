// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/replayrunner.h"
#include "ui/panels/pacingcontrols.h"

#include <QWidget>

class QButtonGroup;
class QProgressBar;
class QToolButton;

namespace headway::ui {

class ElidedLabel;
class EmptyState;
class ReplayStack;
class ReplaySummary;

// What other settings would have made of a span of the own ledger, or of a scenario. Replays only
// while it is visible; the replay itself runs on a thread of its own.
class WhatIfView final : public QWidget
{
    Q_OBJECT

public:
    explicit WhatIfView(QWidget *parent = nullptr);

    void setLedgerReader(LedgerReader reader); // before it is first shown
    void setWithoutLedger(const QString &why); // there is none to be read here: scenarios only
    // Both sides of the comparison, by key as in a snapshot.
    void compare(const SettingValues &inForce, const SettingValues &tried);
    // What policy auto knows; counts from the next replay on.
    void setEstimate(const pacing::CeilingEstimate &estimate) { m_estimate = estimate; }
    void openScenario(const QString &path); // instead of the ledger

    [[nodiscard]] ReplayStack *curves() const { return m_curves; }
    [[nodiscard]] bool isShowingMessage() const;
    [[nodiscard]] QString message() const; // title of what is shown instead; empty: curves are

protected:
    void showEvent(QShowEvent *event) override;

private:
    QWidget *buildBar();
    QWidget *buildPage();
    void chooseScenario();
    void choose(int id); // minutes of the ledger; 0: a scenario
    void readAgain();
    void ask();
    void showResult(const ReplayResultPointer &result);
    void showMessage(const ReplayResult &result);
    void showSource();
    [[nodiscard]] lab::PacingSetup setupOf(const SettingValues &settings) const;
    [[nodiscard]] QString caution() const;

    QButtonGroup *m_spans;
    QToolButton *m_again;
    ElidedLabel *m_about;
    QProgressBar *m_progress;
    ReplayStack *m_curves;
    ReplaySummary *m_summary;
    EmptyState *m_empty;
    ReplayRunner *m_runner;
    ReplaySource m_source;
    SettingValues m_inForce;
    SettingValues m_tried;
    pacing::CeilingEstimate m_estimate;
    bool m_isDue = true; // something changed since the last request
    bool m_withoutLedger = false;
};

} // namespace headway::ui
