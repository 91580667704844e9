// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"

#include <QWidget>

#include <optional>

class QLineEdit;
class QSortFilterProxyModel;

namespace headway::ui {

class EmptyState;
class FigureLabel;
class RecordTable;
class TurnActions;
class TurnModel;

// The table of turns in flight with its filter.
class TurnsPanel final : public QWidget
{
    Q_OBJECT

public:
    explicit TurnsPanel(QWidget *parent = nullptr);

    void apply(const live::Snapshot &snapshot);
    void setSetupHint(const QString &text); // what the empty table says to do
    void focusFilter();

    [[nodiscard]] RecordTable *table() const { return m_table; }
    [[nodiscard]] TurnActions *actions() const { return m_actions; }

Q_SIGNALS:
    void selected(const std::optional<live::TurnRow> &turn);
    void copyRequested();

private:
    QWidget *buildBar();
    void tellSelection();
    void followSelected();
    void showCount();
    void showEmptiness(const live::Snapshot &snapshot);

    TurnModel *m_model;
    QSortFilterProxyModel *m_proxy;
    RecordTable *m_table;
    TurnActions *m_actions;
    EmptyState *m_empty;
    QLineEdit *m_filter;
    FigureLabel *m_count;
    QString m_hint;
    std::optional<base::TurnId> m_selected; // in flight, and chosen by hand
    std::vector<std::string> m_heldSessions;
    bool m_isUpdating = false;
    int m_emptiness = -1; // which message stands there
};

} // namespace headway::ui
