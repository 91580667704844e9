// SPDX-License-Identifier: GPL-3.0-or-later
// What the user asks of the proxy besides settings.
#include "ui/format/appearance.h"
#include "ui/format/figures.h"
#include "ui/panels/overridebar.h"
#include "ui/panels/statusstrip.h"
#include "ui/views/headactions.h"
#include "ui/views/headsview.h"
#include "ui/views/liveview.h"
#include "ui/views/mainwindow.h"
#include "ui/views/turnactions.h"
#include "ui/views/turnspanel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace headway::ui {

// The two switches stand beside the menus too: one click each, in every place.
void MainWindow::buildProxyMenu()
{
    QMenu *menu = menuBar()->addMenu(tr("&Proxy"));
    m_pauseAll = menu->addAction(tr("&Pause all"));
    m_pauseAll->setObjectName(QStringLiteral("action_pause_all"));
    m_pauseAll->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_P));
    m_pauseAll->setToolTip(tr("No turn gets a new connection until switched back; what runs goes "
                              "on and deadlines run on (Ctrl+P)"));
    m_passThrough = menu->addAction(tr("Pass &straight through"));
    m_passThrough->setObjectName(QStringLiteral("action_pass_through"));
    m_passThrough->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P));
    m_passThrough->setToolTip(tr("No pacing and no continuation until switched back, for when "
                                 "Headway itself is suspected (Ctrl+Shift+P)"));
    // The state in force is the proxy's; the click only asks for the other one.
    for (QAction *action : {m_pauseAll, m_passThrough})
        action->setCheckable(true);
    connect(m_pauseAll, &QAction::triggered, this, &MainWindow::pauseRequested);
    connect(m_passThrough, &QAction::triggered, this, &MainWindow::passThroughRequested);
    menu->addSeparator();
    menu->addActions(m_live->turns()->actions()->actions());
    menu->addSeparator();
    menu->addActions({m_heads->actions()->pin(), m_heads->actions()->evict()});
    auto *corner = new QWidget(this);
    corner->setStyleSheet(choiceButtonStyle());
    auto *layout = new QHBoxLayout(corner);
    layout->setContentsMargins(4, 2, 8, 2);
    layout->setSpacing(4);
    for (QAction *action : {m_pauseAll, m_passThrough}) {
        auto *button = new QToolButton(corner);
        button->setDefaultAction(action);
        button->setAccessibleName(action->iconText());
        button->setFocusPolicy(Qt::StrongFocus);
        layout->addWidget(button);
    }
    menuBar()->setCornerWidget(corner);
}

void MainWindow::connectCommands()
{
    connect(m_overrides, &OverrideBar::resumeRequested, this,
            [this] { Q_EMIT pauseRequested(false); });
    connect(m_overrides, &OverrideBar::passThroughEnded, this,
            [this] { Q_EMIT passThroughRequested(false); });
    connect(m_overrides, &OverrideBar::releaseRequested, this,
            [this](const QString &session) { Q_EMIT holdRequested(session, false); });
    const TurnActions *turn = m_live->turns()->actions();
    connect(turn, &TurnActions::holdRequested, this, &MainWindow::holdRequested);
    connect(turn, &TurnActions::moveToFrontRequested, this, &MainWindow::moveToFrontRequested);
    connect(turn, &TurnActions::cancelRequested, this, &MainWindow::askAboutCancelling);
    const HeadActions *head = m_heads->actions();
    connect(head, &HeadActions::evictRequested, this, &MainWindow::evictRequested);
    connect(head, &HeadActions::pinRequested, this, &MainWindow::pinRequested);
}

// It cannot be taken back: the client gets an error and has to ask again.
void MainWindow::askAboutCancelling(quint64 turn)
{
    if (m_cancelling)
        return;
    m_cancelled = turn;
    m_cancelling
        = new QMessageBox(QMessageBox::Question, tr("Cancel a waiting turn"),
                          tr("Cancel %1?").arg(requestId(turn)), QMessageBox::NoButton, this);
    m_cancelling->setObjectName(QStringLiteral("cancelling"));
    m_cancelling->setAttribute(Qt::WA_DeleteOnClose);
    m_cancelling->setInformativeText(
        tr("Its client is told that it was cancelled and does not get an answer. Nothing was sent "
           "to the provider yet. This cannot be undone."));
    QPushButton *keep = m_cancelling->addButton(tr("Let it wait"), QMessageBox::RejectRole);
    keep->setObjectName(QStringLiteral("cancelling_no"));
    QPushButton *cancel
        = m_cancelling->addButton(tr("Cancel the turn"), QMessageBox::DestructiveRole);
    cancel->setObjectName(QStringLiteral("cancelling_yes"));
    m_cancelling->setDefaultButton(keep);
    m_cancelling->setEscapeButton(keep);
    connect(cancel, &QPushButton::clicked, this, [this, turn] {
        Q_EMIT cancelRequested(turn);
        m_status->showMessage(true, tr("The waiting turn is cancelled; its client is told."));
    });
    m_cancelling->open(); // not exec(): no second event loop under the proxy
}

// A turn that has gone on meanwhile is no longer asked about.
void MainWindow::followCancelling()
{
    if (!m_cancelling || !m_cancelling->isVisible())
        return;
    const auto row
        = std::ranges::find(m_newest->turns, base::TurnId(m_cancelled), &live::TurnRow::turn);
    const bool waits = row != m_newest->turns.end()
        && (row->phase == live::Phase::Queued || row->phase == live::Phase::Gate
            || row->phase == live::Phase::Backoff);
    if (waits)
        return;
    m_cancelling->close();
    m_status->showMessage(true, tr("The turn no longer waits; nothing was cancelled."));
}

} // namespace headway::ui
