// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTextBrowser;

namespace headway::ui {

class EmptyState;
class LedgerModel;
class RecordTable;
class TextFilter;

// The newest records as a table with details; the whole ledger through Export.
class LedgerView final : public QWidget
{
    Q_OBJECT

public:
    explicit LedgerView(QWidget *parent = nullptr);

    void apply(const live::SnapshotPointer &snapshot);
    void setPaused(bool paused);
    // The ledger lies with a proxy at this address.
    void setElsewhere(const QString &address);
    void focusFilter();

Q_SIGNALS:
    void exportRequested();
    void evidenceRequested();

protected:
    void showEvent(QShowEvent *event) override;

private:
    QWidget *buildBar();
    void take();
    void showDetails();
    void showCount();

    LedgerModel *m_model;
    TextFilter *m_proxy;
    RecordTable *m_table;
    EmptyState *m_empty;
    QComboBox *m_kind;
    QLineEdit *m_filter;
    QPushButton *m_evidence;
    QPushButton *m_export;
    QTextBrowser *m_details;
    QLabel *m_count;
    std::vector<ledger::Record> m_pending; // while hidden or paused; bounded
    std::uint64_t m_total = 0;
    bool m_paused = false;
};

} // namespace headway::ui
