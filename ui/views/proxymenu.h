// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"

#include <QMenu>

class QMenuBar;

namespace headway::ui {

class HeadActions;
class TurnActions;

// What the user asks of the proxy besides settings. The two switches stand beside the menus too:
// one click each, in every place.
class ProxyMenu final : public QMenu
{
    Q_OBJECT

public:
    ProxyMenu(QMenuBar *bar, const TurnActions *turns, const HeadActions *heads);

    void apply(const live::Snapshot &snapshot);
    void setConnected(bool isConnected); // a switch arrives

Q_SIGNALS:
    void pauseRequested(bool isPaused);
    void passThroughRequested(bool isOn);

private:
    void addSwitches();
    void addCorner(QMenuBar *bar);

    QAction *m_pauseAll;
    QAction *m_passThrough;
};

} // namespace headway::ui
