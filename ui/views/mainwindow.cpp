// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/mainwindow.h"

#include "ui/format/figures.h"
#include "ui/models/windowstate.h"
#include "ui/panels/controlpanel.h"
#include "ui/panels/linkbar.h"
#include "ui/panels/overridebar.h"
#include "ui/panels/panelscroll.h"
#include "ui/panels/statusstrip.h"
#include "ui/panels/topstrip.h"
#include "ui/panels/trialpanel.h"
#include "ui/panels/troublebar.h"
#include "ui/panels/whypane.h"
#include "ui/views/headsview.h"
#include "ui/views/ledgerview.h"
#include "ui/views/liveview.h"
#include "ui/views/setupview.h"
#include "ui/views/turnspanel.h"
#include "ui/views/whatifview.h"

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QIcon>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QToolBar>
#include <QVBoxLayout>

namespace headway::ui {

MainWindow::MainWindow(QWidget *parent)
    : QMainWindow(parent)
    , m_state(std::make_unique<WindowState>())
    , m_strip(new TopStrip(this))
    , m_link(new LinkBar(this))
    , m_overrides(new OverrideBar(this))
    , m_troubles(new TroubleBar(this))
    , m_pages(new QTabWidget(this))
    , m_live(new LiveView(m_ring, this))
    , m_heads(new HeadsView(this))
    , m_ledger(new LedgerView(this))
    , m_whatIf(new WhatIfView(this))
    , m_setup(new SetupView(this))
    , m_control(new ControlPanel(this))
    , m_trial(new TrialPanel(this))
    , m_why(new WhyPane(this))
    , m_status(new StatusStrip(this))
{
    setWindowTitle(tr("Headway"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/headway.svg")));
    resize(1440, 900);
    buildStrips();
    buildPages();
    buildDocks();
    buildActions();
    connectPanels();
    rememberDocks();
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
}

void MainWindow::buildPages()
{
    m_pages->setDocumentMode(true);
    m_pages->setObjectName(QStringLiteral("pages"));
    m_pages->setAccessibleName(tr("Places"));
    m_pages->tabBar()->setAccessibleName(tr("Places"));
    m_pages->addTab(m_live, tr("Live"));
    m_pages->addTab(m_heads, tr("Heads"));
    m_pages->addTab(m_ledger, tr("Ledger"));
    m_pages->addTab(m_whatIf, tr("What-if"));
    m_pages->addTab(m_setup, tr("Setup"));
    auto *center = new QWidget(this);
    auto *layout = new QVBoxLayout(center);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_link);
    layout->addWidget(m_troubles);
    layout->addWidget(m_overrides);
    layout->addWidget(m_pages, 1);
    setCentralWidget(center);
    connect(m_pages, &QTabWidget::currentChanged, this, &MainWindow::adaptToView);
}

QDockWidget *MainWindow::addDock(const QString &title, const QString &name, QWidget *content,
                                 Qt::DockWidgetArea area, int characters)
{
    auto *scroll = new PanelScroll(title, content, this);
    auto *dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWidget(scroll);
    dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable);
    addDockWidget(area, dock);
    const int width = fontMetrics().averageCharWidth() * characters;
    resizeDocks({dock}, {width}, Qt::Horizontal);
    return dock;
}

void MainWindow::buildDocks()
{
    m_controls = new QStackedWidget(this);
    m_controls->addWidget(m_control);
    m_controls->addWidget(m_trial);
    m_controlDock = addDock(tr("Control"), QStringLiteral("control_dock"), m_controls,
                            Qt::LeftDockWidgetArea, 42);
    m_whyDock = addDock(tr("Why"), QStringLiteral("why_dock"), m_why, Qt::RightDockWidgetArea, 36);
}

void MainWindow::connectPanels()
{
    connectPresets();
    connectCommands();
    connectTroubles();
    connect(m_link, &LinkBar::changed, this, &MainWindow::followLink);
    connect(m_control, &ControlPanel::settingEdited, this, &MainWindow::settingEdited);
    connect(m_control, &ControlPanel::historyChanged, this,
            [this] { m_status->setUndoPossible(m_control->history().canUndo()); });
    connect(m_status, &StatusStrip::exportCancelled, this, &MainWindow::exportCancelled);
    connect(m_status, &StatusStrip::undoRequested, m_control, &ControlPanel::undo);
    connect(m_strip, &TopStrip::copyRequested, this, &MainWindow::copySetup);
    connect(m_live->turns(), &TurnsPanel::copyRequested, this, &MainWindow::copySetup);
    connect(m_live->turns(), &TurnsPanel::selected, m_why, &WhyPane::select);
    connect(m_live, &LiveView::pausedChanged, m_ledger, &LedgerView::setPaused);
    connect(m_setup, &SetupView::copyRequested, this, &MainWindow::copy);
    connect(m_ledger, &LedgerView::exportRequested, this, &MainWindow::askForExport);
    connect(m_ledger, &LedgerView::evidenceRequested, this, &MainWindow::openEvidence);
    connect(m_trial, &TrialPanel::changed, this,
            [this] { m_whatIf->compare(m_trial->inForce(), m_trial->tried()); });
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

void MainWindow::setLedgerReader(LedgerReader reader)
{
    m_whatIf->setLedgerReader(std::move(reader));
}

void MainWindow::apply(const live::SnapshotPointer &snapshot)
{
    if (!snapshot)
        return;
    ++m_applied;
    if (isAttached())
        m_link->heard(*snapshot);
    for (const live::SecondStats &second : snapshot->seconds)
        m_ring.put(second);
    if (m_listening != text(snapshot->listening)) {
        m_listening = text(snapshot->listening);
        m_live->turns()->setSetupHint(setupHint());
    }
    m_strip->apply(*snapshot, m_ring);
    m_overrides->apply(*snapshot);
    m_pauseAll->setChecked(snapshot->overrides.pauseAll);
    m_passThrough->setChecked(snapshot->overrides.passThrough);
    m_control->apply(*snapshot);
    m_status->apply(*snapshot);
    m_live->apply(snapshot);
    m_heads->apply(snapshot);
    m_ledger->apply(snapshot);
    m_newest = snapshot;
    heard();
    followTroubles();
    followCancelling();
    followTrial();
    if (!m_live->isPaused())
        m_why->apply(*snapshot);
}

void MainWindow::setSetup(const SetupTexts &texts)
{
    m_texts = texts;
    m_setup->setTexts(texts);
}

QString MainWindow::setupHint() const
{
    if (isAttached())
        return tr("The turns of the clients at %1 appear here.").arg(m_link->address());
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

void MainWindow::showView(View view)
{
    m_pages->setCurrentIndex(static_cast<int>(view));
}

bool MainWindow::showView(const QString &name)
{
    const QStringList names{QStringLiteral("live"), QStringLiteral("heads"),
                            QStringLiteral("ledger"), QStringLiteral("what-if"),
                            QStringLiteral("setup")};
    const qsizetype index = names.indexOf(name.toLower());
    if (index < 0)
        return false;
    showView(static_cast<View>(index));
    return true;
}

MainWindow::View MainWindow::currentView() const
{
    return static_cast<View>(m_pages->currentIndex());
}

// The panels belong to Live and What-if; the other places have the width for themselves. What-if
// has the same controls at the same place, but they only try.
void MainWindow::adaptToView()
{
    const bool isLive = currentView() == View::Live;
    const bool tries = currentView() == View::WhatIf;
    m_controls->setCurrentWidget(tries ? static_cast<QWidget *>(m_trial) : m_control);
    m_controlDock->setWindowTitle(tries ? tr("Settings to try") : tr("Control"));
    m_controlDock->setVisible((isLive || tries) && m_wantsControl);
    m_whyDock->setVisible(isLive && m_wantsWhy);
    followTrial();
}

void MainWindow::followTrial()
{
    if (!m_newest || currentView() != View::WhatIf)
        return;
    m_whatIf->setEstimate(m_newest->estimate);
    m_trial->follow(m_newest->settings, m_newest->at);
}

void MainWindow::togglePause()
{
    // A shortcut comes before the key reaches a button; the button's own meaning wins.
    if (auto *button = qobject_cast<QAbstractButton *>(QApplication::focusWidget()))
        button->click();
    else
        m_live->setPaused(!m_live->isPaused());
}

void MainWindow::focusFilter()
{
    if (currentView() == View::Heads)
        m_heads->focusFilter();
    else if (currentView() == View::Ledger)
        m_ledger->focusFilter();
    else if (currentView() == View::Live)
        m_live->turns()->focusFilter();
}

} // namespace headway::ui
