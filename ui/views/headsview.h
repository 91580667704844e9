// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"

#include <QWidget>

class QLabel;
class QLineEdit;

namespace headway::ui {

class EmptyState;
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

protected:
    void showEvent(QShowEvent *event) override;

private:
    void refresh();

    HeadModel *m_model;
    TextFilter *m_proxy;
    RecordTable *m_table;
    EmptyState *m_empty;
    QLineEdit *m_filter;
    QLabel *m_count;
    live::SnapshotPointer m_snapshot;
};

} // namespace headway::ui
