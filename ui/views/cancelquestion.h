// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"

#include <QObject>
#include <QPointer>

class QMessageBox;
class QWidget;

namespace headway::ui {

// Asks before a waiting turn is cancelled, and no longer once it has gone on by itself; one
// question at a time.
class CancelQuestion final : public QObject
{
    Q_OBJECT

public:
    explicit CancelQuestion(QWidget *window);

    void ask(quint64 turn);
    void follow(const live::Snapshot &snapshot);

Q_SIGNALS:
    void confirmed(quint64 turn);
    void overtaken(); // the turn no longer waits

private:
    QWidget *m_window;
    QPointer<QMessageBox> m_box; // while it asks
    quint64 m_turn = 0; // that it asks about
};

} // namespace headway::ui
