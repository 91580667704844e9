// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/turnactions.h"

#include "ui/format/figures.h"

#include <QAction>
#include <QWidget>

#include <algorithm>

namespace headway::ui {

TurnActions::TurnActions(QWidget *table)
    : QObject(table)
    , m_front(add(table, QStringLiteral("action_turn_front"), tr("Move to the &front"),
                  QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Up)))
    , m_cancel(add(table, QStringLiteral("action_turn_cancel"), tr("&Cancel the waiting turn"),
                   QKeySequence(Qt::Key_Delete)))
    , m_hold(add(table, QStringLiteral("action_turn_hold"), tr("&Hold its session"),
                 QKeySequence(Qt::CTRL | Qt::Key_H)))
{
    m_hold->setCheckable(true);
    connect(m_front, &QAction::triggered, this, [this] {
        if (m_turn)
            Q_EMIT moveToFrontRequested(m_turn->turn.value());
    });
    connect(m_cancel, &QAction::triggered, this, [this] {
        if (m_turn)
            Q_EMIT cancelRequested(m_turn->turn.value());
    });
    connect(m_hold, &QAction::triggered, this, [this](bool isHeld) {
        if (m_turn)
            Q_EMIT holdRequested(text(m_turn->session), isHeld);
    });
    table->setContextMenuPolicy(Qt::ActionsContextMenu);
    follow({}, {});
}

QAction *TurnActions::add(QWidget *table, const QString &name, const QString &text,
                          const QKeySequence &keys)
{
    auto *action = new QAction(text, this);
    action->setObjectName(name);
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    table->addAction(action);
    return action;
}

void TurnActions::follow(const std::optional<live::TurnRow> &turn,
                         const std::vector<std::string> &heldSessions)
{
    m_turn = turn;
    m_heldSessions = heldSessions;
    show();
}

void TurnActions::setUnavailable(const QString &reason)
{
    m_unavailable = reason;
    show();
}

void TurnActions::show()
{
    const bool isHeld
        = m_turn && std::ranges::find(m_heldSessions, m_turn->session) != m_heldSessions.end();
    m_hold->setChecked(isHeld);
    if (!m_unavailable.isEmpty()) {
        for (QAction *action : actions()) {
            action->setEnabled(false);
            action->setToolTip(m_unavailable);
        }
        return;
    }
    const bool waits = m_turn
        && (m_turn->phase == live::Phase::Queued || m_turn->phase == live::Phase::Gate
            || m_turn->phase == live::Phase::Backoff);
    m_front->setEnabled(m_turn && m_turn->phase == live::Phase::Queued && m_turn->queuePlace > 1);
    m_cancel->setEnabled(waits);
    m_hold->setEnabled(m_turn && !m_turn->session.empty());
    m_front->setToolTip(m_front->isEnabled() ? tr("It gets the next opening")
                                             : tr("Only a turn that waits in the queue behind "
                                                  "others can be moved to the front"));
    m_cancel->setToolTip(m_cancel->isEnabled()
                             ? tr("Its client is told; nothing was sent to the provider")
                             : tr("Only a turn that still waits can be cancelled"));
    m_hold->setToolTip(m_hold->isEnabled()
                           ? tr("Its turns get no new connection until you let them go; deadlines "
                                "run on")
                           : tr("Select a turn of the session first"));
}

} // namespace headway::ui
