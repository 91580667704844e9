// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/conservationstate.h"
#include "ui/models/linkstate.h"
#include "ui/models/setuptexts.h"
#include "ui/models/trouble.h"
#include "ui/views/places.h"

#include <QMainWindow>

#include <cstdint>
#include <memory>
#include <optional>

namespace headway::ui {

class Banners;
class CancelQuestion;
class ClosingQuestion;
class ControlPanel;
class EvidenceDesk;
class ExportDesk;
class ProxyCommands;
class ProxyMenu;
class SetupDesk;
class SignInDesk;
class StatusStrip;
class TopStrip;
class TrialPanel;
class WhyPane;
class WindowDocks;
class WindowState;

// The window: shows what the snapshots say and says what the user wants. It decides nothing; a
// control follows the snapshots.
class MainWindow final : public QMainWindow
{
    Q_OBJECT

public:
    using View = Places::View;

    explicit MainWindow(QWidget *parent = nullptr);
    ~MainWindow() override;

    void showView(View view) { m_places->showView(view); }
    bool showView(const QString &name) { return m_places->showView(name); }
    [[nodiscard]] View currentView() const { return m_places->currentView(); }

    // There is another way back to the window once it is closed (a tray icon).
    void setStaysInBackground(bool canStay);
    // Where the window keeps its own presets and layout; without it, until exit.
    void setState(std::unique_ptr<WindowState> state);
    // What keeps the proxy from running, or from serving; nothing: it runs.
    void setTrouble(const std::optional<Trouble> &trouble);
    // Copy-ready client setup for the address in force.
    void setSetup(const SetupTexts &texts);

    [[nodiscard]] Places *places() const { return m_places; }
    // What a person asks of the proxy, and what the program does for the window.
    [[nodiscard]] ProxyCommands *commands() const { return m_commands; }
    [[nodiscard]] ExportDesk *exportDesk() const { return m_export; }
    [[nodiscard]] EvidenceDesk *evidenceDesk() const { return m_evidence; }
    [[nodiscard]] SignInDesk *signInDesk() const { return m_signIn; }
    [[nodiscard]] bool wantsNotifications() const;
    [[nodiscard]] bool isAttached() const; // to a proxy elsewhere
    [[nodiscard]] std::uint64_t snapshotsApplied() const { return m_applied; }
    [[nodiscard]] const live::SnapshotPointer &newest() const { return m_newest; } // may be null

public Q_SLOTS:
    // Ten times a second; only what is visible is redrawn. Null is ignored. GUI thread.
    void apply(const headway::live::SnapshotPointer &snapshot);
    void showConservation(const headway::ui::ConservationState &state);
    // How the window stands with a proxy elsewhere; the first one makes it a window on that proxy:
    // closing it ends nothing there, and the ledger's file is out of reach.
    void setLink(const headway::ui::LinkState &link);
    void showRefusal(const QString &reason); // of something the user asked for
    void quit(); // asks nothing; says quitRequested once

Q_SIGNALS:
    void notificationsChanged(bool areWanted);
    void quitRequested();
    // The button of a trouble that the window cannot remedy by itself.
    void remedyRequested(headway::ui::Trouble::Kind kind);

protected:
    void closeEvent(QCloseEvent *event) override;

private:
    void buildStrips();
    void buildMenus();
    void buildViewMenu();
    void connectPanels();
    void connectPresets();
    void connectCommands();
    void adaptToView();
    void followTrial();
    void followLink();
    void followRemedy(Trouble::Kind kind);
    void showSetting(const QString &key);
    void resetLayout();
    void showShortcuts();

    std::unique_ptr<WindowState> m_state;
    SecondRing m_ring;
    TopStrip *m_strip;
    Banners *m_banners;
    Places *m_places;
    ControlPanel *m_control;
    TrialPanel *m_trial;
    WhyPane *m_why;
    StatusStrip *m_status;
    ProxyCommands *m_commands;
    ExportDesk *m_export;
    EvidenceDesk *m_evidence;
    SetupDesk *m_setup;
    SignInDesk *m_signIn;
    ClosingQuestion *m_closing;
    CancelQuestion *m_cancelling;
    WindowDocks *m_docks = nullptr;
    ProxyMenu *m_proxyMenu = nullptr;
    QAction *m_notify = nullptr;
    live::SnapshotPointer m_newest;
    std::uint64_t m_applied = 0;
    bool m_isQuitting = false;
};

} // namespace headway::ui
