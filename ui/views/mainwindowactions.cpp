// SPDX-License-Identifier: GPL-3.0-or-later
// Menus and keys of the main window.
#include "ui/models/windowstate.h"
#include "ui/panels/controlpanel.h"
#include "ui/views/banners.h"
#include "ui/views/evidencedesk.h"
#include "ui/views/exportdesk.h"
#include "ui/views/headsview.h"
#include "ui/views/liveview.h"
#include "ui/views/mainwindow.h"
#include "ui/views/proxymenu.h"
#include "ui/views/setupdesk.h"
#include "ui/views/setupview.h"
#include "ui/views/shortcutsdialog.h"
#include "ui/views/turnspanel.h"
#include "ui/views/windowdocks.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>

namespace headway::ui {

namespace {

template <typename Context, typename Slot>
QAction *add(QMenu *menu, const QString &text, const QString &name, const QKeySequence &keys,
             Context *context, Slot slot)
{
    QAction *action = menu->addAction(text);
    action->setObjectName(name);
    action->setShortcut(keys);
    QObject::connect(action, &QAction::triggered, context, slot);
    return action;
}

} // namespace

void MainWindow::buildMenus()
{
    QMenu *file = menuBar()->addMenu(tr("&File"));
    add(file, tr("&Copy setup for Claude Code"), QStringLiteral("action_copy"),
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), m_setup, &SetupDesk::copyFirst);
    add(file, tr("&Export ledger…"), QStringLiteral("action_export"),
        QKeySequence(Qt::CTRL | Qt::Key_E), this,
        [this] { m_export->ask(m_banners->link().address()); });
    add(file, tr("E&vidence behind the rate…"), QStringLiteral("action_evidence"),
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E), this,
        [this] { m_evidence->open(m_banners->link().address()); });
    file->addSeparator();
    add(file, tr("&Quit"), QStringLiteral("action_quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), this,
        &MainWindow::quit);

    QMenu *edit = menuBar()->addMenu(tr("&Edit"));
    QAction *undo = add(edit, tr("&Undo the last change"), QStringLiteral("action_undo"),
                        QKeySequence(Qt::CTRL | Qt::Key_Z), m_control, &ControlPanel::undo);
    QAction *redo
        = add(edit, tr("&Redo the change"), QStringLiteral("action_redo"),
              QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), m_control, &ControlPanel::redo);
    undo->setEnabled(false);
    redo->setEnabled(false);
    connect(m_control, &ControlPanel::historyChanged, this, [this, undo, redo] {
        undo->setEnabled(m_control->history().canUndo());
        redo->setEnabled(m_control->history().canRedo());
    });
    edit->addSeparator();
    add(edit, tr("&Filter"), QStringLiteral("action_filter"), QKeySequence(Qt::CTRL | Qt::Key_F),
        m_places, &Places::focusFilter);
    m_proxyMenu = new ProxyMenu(menuBar(), m_places->live()->turns()->actions(),
                                m_places->heads()->actions());
    buildViewMenu();
}

void MainWindow::buildViewMenu()
{
    QMenu *menu = menuBar()->addMenu(tr("&View"));
    // The digit of a place never changes.
    const struct
    {
        QString title;
        View view;
        Qt::Key digit;
    } places[] = {{tr("&Live"), View::Live, Qt::Key_1},
                  {tr("&Heads"), View::Heads, Qt::Key_2},
                  {tr("L&edger"), View::Ledger, Qt::Key_3},
                  {tr("&What-if"), View::WhatIf, Qt::Key_4},
                  {tr("&Setup"), View::Setup, Qt::Key_5}};
    for (const auto &place : places)
        add(menu, place.title, QStringLiteral("action_view_%1").arg(place.digit - Qt::Key_0),
            QKeySequence(Qt::CTRL | place.digit), this,
            [this, view = place.view] { showView(view); });
    menu->addSeparator();
    QAction *pause = add(menu, tr("&Pause the picture"), QStringLiteral("action_pause"),
                         QKeySequence(Qt::Key_Space), m_places, &Places::togglePause);
    pause->setCheckable(true);
    connect(m_places->live(), &LiveView::pausedChanged, pause, &QAction::setChecked);
    menu->addSeparator();
    menu->addActions(m_docks->toggles());
    add(menu, tr("Restore the &first layout"), QStringLiteral("action_layout"),
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_0), this, &MainWindow::resetLayout);
    m_notify = add(menu, tr("Desktop &notifications"), QStringLiteral("action_notify"),
                   QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N), this, [this] {
                       m_state->setFlag(QStringLiteral("notify"), m_notify->isChecked());
                       Q_EMIT notificationsChanged(m_notify->isChecked());
                   });
    m_notify->setCheckable(true);
    connect(m_notify, &QAction::toggled, m_places->setup(), &SetupView::showNotifications);
    connect(m_places->setup(), &SetupView::notificationsChosen, m_notify, &QAction::trigger);
    m_notify->setChecked(true);
    QMenu *help = menuBar()->addMenu(tr("He&lp"));
    add(help, tr("&Keys"), QStringLiteral("action_keys"), QKeySequence(Qt::Key_F1), this,
        &MainWindow::showShortcuts);
}

bool MainWindow::wantsNotifications() const
{
    return m_notify->isChecked();
}

void MainWindow::showShortcuts()
{
    QList<QAction *> actions;
    for (const QAction *menu : menuBar()->actions())
        if (menu->menu() != nullptr)
            actions += menu->menu()->actions();
    auto *dialog = new ShortcutsDialog(actions, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

} // namespace headway::ui
