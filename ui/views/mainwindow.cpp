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
#include "ui/views/exportdesk.h"
#include "ui/views/ledgerview.h"
#include "ui/views/liveview.h"
#include "ui/views/proxymenu.h"
#include "ui/views/setupview.h"
#include "ui/views/signindesk.h"
#include "ui/views/turnspanel.h"
#include "ui/views/whatifview.h"
#include "ui/views/windowdocks.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QIcon>
#include <QStatusBar>
#include <QToolBar>
#include <QVBoxLayout>

namespace headway::ui {

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
    , m_export(new ExportDesk(m_ring, m_places->live(), m_status, this))
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

void MainWindow::setLedgerReader(LedgerReader reader)
{
    m_places->whatIf()->setLedgerReader(std::move(reader));
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
    if (m_listening != text(snapshot->listening)) {
        m_listening = text(snapshot->listening);
        m_places->live()->turns()->setSetupHint(setupHint());
    }
    m_newest = snapshot;
    m_banners->hear(snapshot);
    m_strip->apply(*snapshot, m_ring);
    m_proxyMenu->apply(*snapshot);
    m_control->apply(*snapshot);
    m_status->apply(*snapshot);
    m_places->apply(snapshot);
    m_export->follow(snapshot);
    m_cancelling->follow(*snapshot);
    followTrial();
    if (!m_places->live()->isPaused())
        m_why->apply(*snapshot);
    settleLayouts();
}

// A layout that changes asks the one around it to look again, by an event each. Left to the event
// loop, every level of that would come after a paint of its own; so they are all done before the
// one paint of this snapshot.
void MainWindow::settleLayouts()
{
    constexpr int levels = 8; // there are fewer
    for (int level = 0; level < levels; ++level)
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
}

void MainWindow::setSetup(const SetupTexts &texts)
{
    m_texts = texts;
    m_places->setup()->setTexts(texts);
}

QString MainWindow::setupHint() const
{
    if (isAttached())
        return tr("The turns of the clients at %1 appear here.").arg(m_banners->link().address());
    if (m_listening.isEmpty())
        return tr("The proxy is not listening yet.");
    return tr("Set ANTHROPIC_BASE_URL=http://%1 for Claude Code; the lines for Codex and curl are "
              "under Setup (Ctrl+5).")
        .arg(m_listening);
}

void MainWindow::copySetup()
{
    if (!m_texts.clients.empty())
        copy(m_texts.clients.front().text);
    else
        copy(QStringLiteral("export ANTHROPIC_BASE_URL=http://%1\n").arg(m_listening));
}

void MainWindow::copy(const QString &text)
{
    QApplication::clipboard()->setText(text);
    m_status->showMessage(true, tr("Copied. Paste it into the shell that starts the client."));
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

void MainWindow::showExportProgress(quint64 records, double share)
{
    m_export->showProgress(records, share);
}

void MainWindow::showExportResult(bool ok, const QString &text)
{
    m_export->showResult(ok, text);
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
