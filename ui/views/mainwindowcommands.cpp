// SPDX-License-Identifier: GPL-3.0-or-later
// What the user asks of the proxy besides settings.
#include "ui/format/appearance.h"
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
#include <QToolButton>

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
    connect(turn, &TurnActions::cancelRequested, this, [this](quint64 id) {
        Q_EMIT cancelRequested(id);
        m_status->showMessage(true, tr("The waiting turn is cancelled; its client is told."));
    });
    const HeadActions *head = m_heads->actions();
    connect(head, &HeadActions::evictRequested, this, &MainWindow::evictRequested);
    connect(head, &HeadActions::pinRequested, this, &MainWindow::pinRequested);
}

} // namespace headway::ui
