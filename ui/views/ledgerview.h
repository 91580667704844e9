// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/snapshot.h"

#include <QTimer>
#include <QWidget>

#include <deque>
#include <memory>
#include <vector>

class QComboBox;
class QLineEdit;
class QPushButton;
class QTextBrowser;

namespace headway::ui {

class EmptyState;
class FigureLabel;
class LedgerModel;
class LedgerPages;
class LedgerSource;
class RecordTable;
class TextFilter;

// The whole ledger on disk as a table with details; without one (a proxy elsewhere, a file that
// cannot be read) the newest records, out of memory.
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
    // Once, before it is first shown.
    void setSource(std::unique_ptr<LedgerSource> source);

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
    void showPagesCount();
    void lookForMore();
    void usePages(bool isWanted);
    void filter();
    void followRows();
    [[nodiscard]] bool isAtItsEnd() const;
    [[nodiscard]] const ledger::Record *current() const;

    LedgerModel *m_model;
    LedgerPages *m_pages = nullptr; // of the file
    bool m_usesPages = false;
    bool m_follows = true; // the newest record, at the table's end
    QTimer m_more;
    TextFilter *m_proxy;
    RecordTable *m_table;
    EmptyState *m_empty;
    QComboBox *m_kind;
    QLineEdit *m_filter;
    QPushButton *m_evidence;
    QPushButton *m_export;
    QTextBrowser *m_details;
    FigureLabel *m_count;
    std::deque<ledger::Record> m_pending; // while hidden or paused; bounded
    std::uint64_t m_total = 0;
    bool m_paused = false;
};

} // namespace headway::ui
