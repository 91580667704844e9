// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"

#include <QObject>

#include <optional>
#include <string>
#include <vector>

class QAction;
class QWidget;

namespace headway::ui {

// What can be done to the selected turn: one set of actions for the table's keys and context menu
// and for the menu bar. What is not possible now is disabled and says why.
class TurnActions final : public QObject
{
    Q_OBJECT

public:
    // The keys work while `table` has the focus.
    explicit TurnActions(QWidget *table);

    // The turn as it is now; nothing: none is selected, or it is gone.
    void follow(const std::optional<live::TurnRow> &turn,
                const std::vector<std::string> &heldSessions);

    // Why nothing can be asked of the proxy now; empty: it can.
    void setUnavailable(const QString &reason);

    [[nodiscard]] QList<QAction *> actions() const { return {m_front, m_cancel, m_hold}; }

Q_SIGNALS:
    void moveToFrontRequested(quint64 turn);
    void cancelRequested(quint64 turn);
    void holdRequested(const QString &session, bool isHeld);

private:
    void show();
    QAction *add(QWidget *table, const QString &name, const QString &text,
                 const QKeySequence &keys);

    QAction *m_front;
    QAction *m_cancel;
    QAction *m_hold;
    std::optional<live::TurnRow> m_turn;
    std::vector<std::string> m_heldSessions;
    QString m_unavailable;
};

} // namespace headway::ui
