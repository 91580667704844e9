// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/mainwindow.h"

#include "ui/format/figures.h"
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
#include "ui/views/ledgerview.h"
#include "ui/views/liveview.h"
#include "ui/views/proxycommands.h"
#include "ui/views/proxymenu.h"
#include "ui/views/setupdesk.h"
#include "ui/views/setupview.h"
#include "ui/views/signindesk.h"
#include "ui/views/whatifview.h"
#include "ui/views/windowdocks.h"

#include <QAction>
#include <QCloseEvent>
#include <QCoreApplication>
#include <QIcon>
#include <QStatusBar>
#include <QToolBar>
#include <QVBoxLayout>

namespace headway::ui {

namespace {

// A layout that changes asks the one around it to look again, by an event each. Left to the event
// loop, every level of that would come after a paint of its own; so they are all done before the
// one paint of this snapshot.
void settleLayouts()
{
    constexpr int levels = 8; // there are fewer
    for (int level = 0; level < levels; ++level)
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
}

} // namespace

MainWindow::MainWindow(QWidget *parent)
    : QMainWindow(parent)
    , m_state(std::make_unique<WindowState>())
    , m_strip(new TopStrip(this))
    , m_banners(new Banners(this))
    , m_places(new Places(m_ring, this))
    , m_control(new ControlPanel(this))
    , m_trial(new TrialPanel(this))
    , m_why(new WhyPane(this))
    , m_status(new StatusStrip(this))
    , m_commands(new ProxyCommands(this))
    , m_export(new ExportDesk(m_ring, m_places->live(), m_status, this))
    , m_evidence(new EvidenceDesk(this))
    , m_setup(new SetupDesk(m_status, this))
    , m_signIn(new SignInDesk(m_status, this))
    , m_closing(new ClosingQuestion(this))
    , m_cancelling(new CancelQuestion(this))
{
    setWindowTitle(tr("Headway"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/headway.svg")));
    resize(1440, 900);
    buildStrips();
    m_docks = new WindowDocks(this, m_control, m_trial, m_why);
    buildMenus();
    connectPanels();
    adaptToView();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildStrips()
{
    auto *bar = new QToolBar(tr("Overview"), this);
    bar->setObjectName(QStringLiteral("overview"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->addWidget(m_strip);
    addToolBar(Qt::TopToolBarArea, bar);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(m_status, 1);
    auto *center = new QWidget(this);
    auto *layout = new QVBoxLayout(center);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_banners);
    layout->addWidget(m_places, 1);
    setCentralWidget(center);
}

void MainWindow::setState(std::unique_ptr<WindowState> state)
{
    m_state = std::move(state);
    m_control->setSavedPresets(m_state->presets());
    m_notify->setChecked(m_state->flag(QStringLiteral("notify"), true));
    m_docks->restore(*m_state);
    adaptToView();
}

void MainWindow::resetLayout()
{
    m_docks->reset();
    adaptToView();
    m_status->showMessage(true, tr("The layout is as it came."));
}

void MainWindow::setTrouble(const std::optional<Trouble> &trouble)
{
    m_banners->setTrouble(trouble);
}

void MainWindow::apply(const live::SnapshotPointer &snapshot)
{
    if (!snapshot)
        return;
    ++m_applied;
    for (const live::SecondStats &second : snapshot->seconds)
        m_ring.put(second);
    m_setup->setListening(text(snapshot->listening));
    m_newest = snapshot;
    m_banners->hear(snapshot);
    m_strip->apply(*snapshot, m_ring);
    m_proxyMenu->apply(*snapshot);
    m_control->apply(*snapshot);
    m_status->apply(*snapshot);
    m_places->apply(snapshot);
    m_export->follow(snapshot);
    m_evidence->follow(snapshot);
    m_cancelling->follow(*snapshot);
    followTrial();
    if (!m_places->live()->isPaused())
        m_why->apply(*snapshot);
    settleLayouts();
}

void MainWindow::setSetup(const SetupTexts &texts)
{
    m_setup->setTexts(texts);
    m_places->setup()->setTexts(texts);
}

void MainWindow::adaptToView()
{
    m_docks->showFor(currentView());
    followTrial();
}

void MainWindow::followTrial()
{
    if (!m_newest || currentView() != View::WhatIf)
        return;
    m_places->whatIf()->setEstimate(m_newest->estimate);
    m_trial->follow(m_newest->settings, m_newest->at);
}

void MainWindow::showConservation(const ConservationState &state)
{
    m_status->showConservation(state);
}

void MainWindow::showRefusal(const QString &reason)
{
    m_status->showMessage(false, reason);
}

void MainWindow::setStaysInBackground(bool canStay)
{
    m_closing->setStaysInBackground(canStay);
}

void MainWindow::quit()
{
    if (m_isQuitting)
        return; // Qt closes every window once more when the program ends
    m_isQuitting = true;
    m_docks->save(*m_state);
    m_banners->setStopping();
    Q_EMIT quitRequested();
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (m_isQuitting || isAttached() || !m_newest || m_newest->turns.empty()) {
        QMainWindow::closeEvent(event);
        quit();
        return;
    }
    event->ignore();
    m_closing->ask(m_newest->turns.size());
}

} // namespace headway::ui
