// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"

#include <QWidget>

#include <cstdint>
#include <optional>

class QLineEdit;

namespace headway::ui {

class ElidedLabel;
class EmptyState;
class HeadActions;
class HeadModel;
class RecordTable;
class TextFilter;

// Every pooled connection: what it holds, how old, how idle, what it saved.
class HeadsView final : public QWidget
{
    Q_OBJECT

public:
    explicit HeadsView(QWidget *parent = nullptr);

    void apply(const live::SnapshotPointer &snapshot);
    void focusFilter();

    [[nodiscard]] RecordTable *table() const { return m_table; }
    [[nodiscard]] HeadActions *actions() const { return m_actions; }

protected:
    void showEvent(QShowEvent *event) override;

private:
    QWidget *buildBar();
    void refresh();
    void showSums();
    void showHidden();
    void followSelected();

    HeadModel *m_model;
    TextFilter *m_proxy;
    RecordTable *m_table;
    HeadActions *m_actions;
    EmptyState *m_empty;
    QLineEdit *m_filter;
    ElidedLabel *m_count;
    live::SnapshotPointer m_snapshot;
    std::optional<std::uint64_t> m_selected; // key of the model
    bool m_isUpdating = false;
};

} // namespace headway::ui
