// SPDX-License-Identifier: GPL-3.0-or-later
// Who is told of what inside the main window.
#include "ui/models/windowstate.h"
#include "ui/panels/controlpanel.h"
#include "ui/panels/statusstrip.h"
#include "ui/panels/topstrip.h"
#include "ui/panels/trialpanel.h"
#include "ui/panels/whypane.h"
#include "ui/views/banners.h"
#include "ui/views/cancelquestion.h"
#include "ui/views/closingquestion.h"
#include "ui/views/evidencedesk.h"
#include "ui/views/exportdesk.h"
#include "ui/views/headactions.h"
#include "ui/views/headsview.h"
#include "ui/views/ledgerview.h"
#include "ui/views/liveview.h"
#include "ui/views/mainwindow.h"
#include "ui/views/proxycommands.h"
#include "ui/views/proxymenu.h"
#include "ui/views/setupdesk.h"
#include "ui/views/setupview.h"
#include "ui/views/signindesk.h"
#include "ui/views/turnactions.h"
#include "ui/views/turnspanel.h"
#include "ui/views/whatifview.h"
#include "ui/views/windowdocks.h"

namespace headway::ui {

void MainWindow::connectPanels()
{
    connectPresets();
    connectCommands();
    connect(m_places, &Places::currentChanged, this, &MainWindow::adaptToView);
    connect(m_banners, &Banners::linkChanged, this, &MainWindow::followLink);
    connect(m_banners, &Banners::freshChanged, m_strip, &QWidget::setEnabled); // else greyed
    connect(m_banners, &Banners::remedyRequested, this, &MainWindow::followRemedy);
    connect(m_control, &ControlPanel::settingEdited, m_commands, &ProxyCommands::settingEdited);
    connect(m_control, &ControlPanel::historyChanged, this,
            [this] { m_status->setUndoPossible(m_control->history().canUndo()); });
    connect(m_status, &StatusStrip::undoRequested, m_control, &ControlPanel::undo);
    connect(m_strip, &TopStrip::copyRequested, m_setup, &SetupDesk::copyFirst);
    const TurnsPanel *turns = m_places->live()->turns();
    connect(turns, &TurnsPanel::copyRequested, m_setup, &SetupDesk::copyFirst);
    connect(m_setup, &SetupDesk::hintChanged, turns, &TurnsPanel::setSetupHint);
    connect(turns, &TurnsPanel::selected, m_why, &WhyPane::select);
    connect(m_places->setup(), &SetupView::copyRequested, m_setup, &SetupDesk::copy);
    connect(m_places->setup(), &SetupView::signInRequested, m_signIn, &SignInDesk::ask);
    connect(m_places->ledger(), &LedgerView::exportRequested, this,
            [this] { m_export->ask(m_banners->link().address()); });
    connect(m_places->ledger(), &LedgerView::evidenceRequested, this,
            [this] { m_evidence->open(m_banners->link().address()); });
    connect(m_trial, &TrialPanel::changed, this,
            [this] { m_places->whatIf()->compare(m_trial->inForce(), m_trial->tried()); });
    // The one way by which settings change, so that they are undone by it too.
    connect(m_trial, &TrialPanel::applyRequested, m_control, &ControlPanel::change);
}

void MainWindow::connectPresets()
{
    connect(m_control, &ControlPanel::presetSaveRequested, this, [this](const Preset &preset) {
        m_state->savePreset(preset);
        m_control->setSavedPresets(m_state->presets());
        m_status->showMessage(true, tr("Saved as the preset %1.").arg(preset.name));
    });
    connect(m_control, &ControlPanel::presetRemoveRequested, this, [this](const QString &name) {
        m_state->removePreset(name);
        m_control->setSavedPresets(m_state->presets());
        m_status->showMessage(true, tr("The preset %1 is removed.").arg(name));
    });
    connect(m_control, &ControlPanel::presetApplied, this,
            [this](const QString &name, const QString &changes) {
                m_status->showMessage(true,
                                      changes.isEmpty() ? tr("%1 is in force already.").arg(name)
                                                        : tr("%1 applied: %2").arg(name, changes));
            });
}

void MainWindow::connectCommands()
{
    connect(m_proxyMenu, &ProxyMenu::pauseRequested, m_commands, &ProxyCommands::pauseRequested);
    connect(m_proxyMenu, &ProxyMenu::passThroughRequested, m_commands,
            &ProxyCommands::passThroughRequested);
    connect(m_banners, &Banners::resumeRequested, m_commands,
            [this] { Q_EMIT m_commands->pauseRequested(false); });
    connect(m_banners, &Banners::passThroughEnded, m_commands,
            [this] { Q_EMIT m_commands->passThroughRequested(false); });
    connect(m_banners, &Banners::releaseRequested, m_commands,
            [this](const QString &session) { Q_EMIT m_commands->holdRequested(session, false); });
    const TurnActions *turn = m_places->live()->turns()->actions();
    connect(turn, &TurnActions::holdRequested, m_commands, &ProxyCommands::holdRequested);
    connect(turn, &TurnActions::moveToFrontRequested, m_commands,
            &ProxyCommands::moveToFrontRequested);
    connect(turn, &TurnActions::cancelRequested, m_cancelling, &CancelQuestion::ask);
    connect(m_cancelling, &CancelQuestion::confirmed, this, [this](quint64 cancelled) {
        Q_EMIT m_commands->cancelRequested(cancelled);
        m_status->showMessage(true, tr("The waiting turn is cancelled; its client is told."));
    });
    connect(m_cancelling, &CancelQuestion::overtaken, this, [this] {
        m_status->showMessage(true, tr("The turn no longer waits; nothing was cancelled."));
    });
    const HeadActions *head = m_places->heads()->actions();
    connect(head, &HeadActions::evictRequested, m_commands, &ProxyCommands::evictRequested);
    connect(head, &HeadActions::pinRequested, m_commands, &ProxyCommands::pinRequested);
    connect(m_closing, &ClosingQuestion::stayChosen, this, &QWidget::hide);
    connect(m_closing, &ClosingQuestion::quitChosen, this, [this] {
        m_status->showMessage(true, tr("Waiting for the turns in flight; then Headway quits."));
        quit();
    });
}

void MainWindow::followRemedy(Trouble::Kind kind)
{
    using Kind = Trouble::Kind;
    switch (kind) {
    case Kind::NoUpstream:
    case Kind::CredentialMissing:
    case Kind::CredentialRejected:
        showView(View::Setup);
        break;
    case Kind::NotSignedIn:
        m_signIn->ask();
        break;
    case Kind::StarvedByPolicy:
        m_control->change({{QStringLiteral("policy"), QStringLiteral("auto")}});
        break;
    case Kind::StarvedByRate:
        showSetting(QStringLiteral("rate_per_min"));
        break;
    case Kind::StarvedByAccount:
    case Kind::Unpaced:
        showSetting(QStringLiteral("idle_ms"));
        break;
    default:
        Q_EMIT remedyRequested(kind);
    }
}

// Under the hand, wherever the person was.
void MainWindow::showSetting(const QString &key)
{
    showView(View::Live);
    m_docks->showControl(m_control->entryOf(key));
}

} // namespace headway::ui
