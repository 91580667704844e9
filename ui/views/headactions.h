// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"

#include <QObject>

#include <optional>

class QAction;
class QWidget;

namespace headway::ui {

// What can be done to the selected head: one set of actions for the table's keys and context menu
// and for the buttons above it.
class HeadActions final : public QObject
{
    Q_OBJECT

public:
    // The keys work while `table` has the focus.
    explicit HeadActions(QWidget *table);

    // Why nothing can be asked of the proxy now; empty: it can.
    void setUnavailable(const QString &reason);
    void follow(const std::optional<live::HeadRow> &head); // nothing: none is selected

    [[nodiscard]] QAction *evict() const { return m_evict; }
    [[nodiscard]] QAction *pin() const { return m_pin; }

Q_SIGNALS:
    // As engine::Engine takes them.
    void evictRequested(quint64 connection, quint64 head);
    void pinRequested(quint64 connection, bool isPinned);

private:
    void show();

    QAction *m_evict;
    QAction *m_pin;
    std::optional<live::HeadRow> m_head;
    QString m_unavailable;
};

} // namespace headway::ui
