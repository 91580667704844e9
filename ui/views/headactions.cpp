// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/headactions.h"

#include <QAction>
#include <QWidget>

namespace headway::ui {

HeadActions::HeadActions(QWidget *table)
    : QObject(table)
    , m_evict(new QAction(tr("Evict"), this))
    , m_pin(new QAction(tr("Pin"), this))
{
    m_evict->setObjectName(QStringLiteral("action_head_evict"));
    m_evict->setShortcut(QKeySequence(Qt::Key_Delete));
    m_pin->setObjectName(QStringLiteral("action_head_pin"));
    m_pin->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_L));
    m_pin->setCheckable(true);
    for (QAction *action : {m_evict, m_pin}) {
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        table->addAction(action);
    }
    connect(m_evict, &QAction::triggered, this, [this] {
        if (m_head)
            Q_EMIT evictRequested(m_head->connection.value(), m_head->head);
    });
    connect(m_pin, &QAction::triggered, this, [this](bool isPinned) {
        if (m_head)
            Q_EMIT pinRequested(m_head->connection.value(), isPinned);
    });
    table->setContextMenuPolicy(Qt::ActionsContextMenu);
    follow({});
}

void HeadActions::follow(const std::optional<live::HeadRow> &head)
{
    m_head = head;
    show();
}

void HeadActions::setUnavailable(const QString &reason)
{
    m_unavailable = reason;
    show();
}

void HeadActions::show()
{
    const std::optional<live::HeadRow> &head = m_head;
    m_pin->setChecked(head && head->pinned);
    if (!m_unavailable.isEmpty()) {
        for (QAction *action : {m_evict, m_pin}) {
            action->setEnabled(false);
            action->setToolTip(m_unavailable);
        }
        return;
    }
    m_evict->setEnabled(head.has_value());
    m_pin->setEnabled(head && !head->spare);
    if (!head)
        m_evict->setToolTip(tr("Select a head first"));
    else if (head->inFlight)
        m_evict->setToolTip(tr("Its turn ends first, then the conversation is let go (Del)"));
    else
        m_evict->setToolTip(tr("Lets the conversation go; its next turn sends the whole prompt "
                               "again (Del)"));
    m_pin->setToolTip(head && head->spare
                          ? tr("A spare connection holds no conversation yet")
                          : tr("Spares all heads of the connection from caps and idle limits; a "
                               "connection is still replaced at its age (Ctrl+L)"));
}

} // namespace headway::ui
