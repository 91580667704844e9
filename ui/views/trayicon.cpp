// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/trayicon.h"

#include "ui/format/figures.h"

#include <QAction>
#include <QIcon>

namespace headway::ui {

bool TrayIcon::isPossible()
{
    return QSystemTrayIcon::isSystemTrayAvailable();
}

TrayIcon::TrayIcon(QObject *parent)
    : QObject(parent)
    , m_icon(QIcon(QStringLiteral(":/icons/headway.svg")))
{
    connect(m_menu.addAction(tr("Show the window")), &QAction::triggered, this,
            &TrayIcon::windowRequested);
    connect(m_menu.addAction(tr("Quit")), &QAction::triggered, this, &TrayIcon::quitRequested);
    connect(&m_icon, &QSystemTrayIcon::activated, this,
            [this](QSystemTrayIcon::ActivationReason reason) {
                if (reason != QSystemTrayIcon::Context)
                    Q_EMIT windowRequested();
            });
    m_icon.setContextMenu(&m_menu);
    m_icon.setToolTip(tr("Headway"));
    m_icon.show();
}

void TrayIcon::apply(const live::SnapshotPointer &snapshot)
{
    if (!snapshot)
        return;
    const QString state = tr("Headway: %1 in flight, %2 waiting")
                              .arg(count(snapshot->turns.size()), count(snapshot->waiting));
    if (state == m_state)
        return;
    m_state = state;
    m_icon.setToolTip(state);
}

} // namespace headway::ui
