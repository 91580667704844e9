// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/proxymenu.h"

#include "ui/format/appearance.h"
#include "ui/views/headactions.h"
#include "ui/views/turnactions.h"

#include <QAction>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QToolButton>

namespace headway::ui {

ProxyMenu::ProxyMenu(QMenuBar *bar, const TurnActions *turns, const HeadActions *heads)
    : QMenu(tr("&Proxy"), bar)
    , m_pauseAll(addAction(tr("&Pause all")))
    , m_passThrough(addAction(tr("Pass &straight through")))
{
    addSwitches();
    addSeparator();
    addActions(turns->actions());
    addSeparator();
    addActions({heads->pin(), heads->evict()});
    bar->addMenu(this);
    addCorner(bar);
}

void ProxyMenu::addSwitches()
{
    m_pauseAll->setObjectName(QStringLiteral("action_pause_all"));
    m_pauseAll->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_P));
    m_pauseAll->setToolTip(tr("No turn gets a new connection until switched back; what runs goes "
                              "on and deadlines run on (Ctrl+P)"));
    m_passThrough->setObjectName(QStringLiteral("action_pass_through"));
    m_passThrough->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P));
    m_passThrough->setToolTip(tr("No pacing and no continuation until switched back, for when "
                                 "Headway itself is suspected (Ctrl+Shift+P)"));
    // The state in force is the proxy's; the click only asks for the other one.
    for (QAction *action : {m_pauseAll, m_passThrough})
        action->setCheckable(true);
    connect(m_pauseAll, &QAction::triggered, this, &ProxyMenu::pauseRequested);
    connect(m_passThrough, &QAction::triggered, this, &ProxyMenu::passThroughRequested);
}

void ProxyMenu::addCorner(QMenuBar *bar)
{
    auto *corner = new QWidget(bar);
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
    bar->setCornerWidget(corner);
}

void ProxyMenu::apply(const live::Snapshot &snapshot)
{
    m_pauseAll->setChecked(snapshot.overrides.pauseAll);
    m_passThrough->setChecked(snapshot.overrides.passThrough);
}

void ProxyMenu::setConnected(bool isConnected)
{
    m_pauseAll->setEnabled(isConnected);
    m_passThrough->setEnabled(isConnected);
}

} // namespace headway::ui
