// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"
#include "ui/models/notifier.h"

#include <QMenu>
#include <QObject>
#include <QSystemTrayIcon>

namespace headway::ui {

// Headway in the notification area: what it does at present, the way back to the window, and the
// way out. Only where the desktop has such an area.
class TrayIcon final : public QObject
{
    Q_OBJECT

public:
    [[nodiscard]] static bool isPossible();

    explicit TrayIcon(QObject *parent = nullptr);

public Q_SLOTS:
    void apply(const headway::live::SnapshotPointer &snapshot);
    void setNotifies(bool areWanted); // at first it does

Q_SIGNALS:
    void windowRequested();
    void quitRequested();

private:
    QMenu m_menu;
    QSystemTrayIcon m_icon;
    void showState(const live::Snapshot &snapshot);
    void notify(const live::Snapshot &snapshot);

    Notifier m_notifier;
    QString m_state;
    bool m_notifies = true;
};

} // namespace headway::ui
