// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "ui/models/replayrequest.h"
#include "ui/models/secondring.h"
#include "ui/views/setuptexts.h"

#include <QMainWindow>
#include <QPointer>

#include <cstdint>

class QDockWidget;
class QMessageBox;
class QStackedWidget;
class QTabWidget;

namespace headway::ui {

class ControlPanel;
class ExportDialog;
class HeadsView;
class LedgerView;
class LiveView;
class SetupView;
class StatusStrip;
class TopStrip;
class TrialPanel;
class WhatIfView;
class WhyPane;

// The window: shows what the snapshots say and says what the user wants. It decides nothing; a
// control follows the snapshots.
class MainWindow final : public QMainWindow
{
    Q_OBJECT

public:
    enum class View { Live, Heads, Ledger, WhatIf, Setup };

    explicit MainWindow(QWidget *parent = nullptr);

    void showView(View view);
    // "live", "heads", "ledger", "what-if", "setup"; false: no such view.
    bool showView(const QString &name);
    [[nodiscard]] View currentView() const;

    // There is another way back to the window once it is closed (a tray icon).
    void setStaysInBackground(bool canStay);
    // Where What-if reads the own ledger; before that place is first shown.
    void setLedgerReader(LedgerReader reader);
    // Copy-ready client setup for the address in force.
    void setSetup(const SetupTexts &texts);

    [[nodiscard]] LiveView *liveView() const { return m_live; }
    [[nodiscard]] WhatIfView *whatIfView() const { return m_whatIf; }
    [[nodiscard]] std::uint64_t snapshotsApplied() const { return m_applied; }

public Q_SLOTS:
    // Ten times a second; only what is visible is redrawn. Null is ignored. GUI thread.
    void apply(const headway::live::SnapshotPointer &snapshot);
    void showExportResult(bool ok, const QString &text);
    void quit(); // asks nothing; says quitRequested once

Q_SIGNALS:
    void settingEdited(const QString &key, const QString &value);
    // format: "csv" or "jsonl"; sinceMsAgo 0: everything.
    void exportRequested(const QString &format, const QString &path, qint64 sinceMsAgo);
    void quitRequested();

protected:
    void closeEvent(QCloseEvent *event) override;

private:
    void buildStrips();
    void buildPages();
    void buildDocks();
    void buildActions();
    void buildViewMenu();
    void connectPanels();
    QDockWidget *addDock(const QString &title, const QString &name, QWidget *content,
                         Qt::DockWidgetArea area, int characters);
    void adaptToView();
    void followTrial();
    void togglePause();
    void focusFilter();
    void askForExport();
    void askAboutClosing();
    void showShortcuts();
    void copy(const QString &text);
    void copySetup();
    [[nodiscard]] QString setupHint() const;

    SecondRing m_ring;
    TopStrip *m_strip;
    QTabWidget *m_pages;
    LiveView *m_live;
    HeadsView *m_heads;
    LedgerView *m_ledger;
    WhatIfView *m_whatIf;
    SetupView *m_setup;
    ControlPanel *m_control;
    TrialPanel *m_trial;
    WhyPane *m_why;
    StatusStrip *m_status;
    QStackedWidget *m_controls = nullptr; // the control panel, or what What-if tries
    QDockWidget *m_controlDock = nullptr;
    QDockWidget *m_whyDock = nullptr;
    ExportDialog *m_export = nullptr;
    SetupTexts m_texts;
    QString m_listening;
    live::SnapshotPointer m_newest;
    std::uint64_t m_applied = 0;
    QPointer<QMessageBox> m_closing; // while it asks
    bool m_canStay = false;
    bool m_isQuitting = false;
};

} // namespace headway::ui
