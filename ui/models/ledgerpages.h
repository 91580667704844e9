// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/ledgermodel.h"
#include "ui/models/ledgerworker.h"

#include <QAbstractTableModel>
#include <QCache>
#include <QThread>
#include <QTimer>

#include <atomic>
#include <memory>
#include <vector>

namespace headway::ui {

// The whole ledger on disk as a table of LedgerModel's columns. In memory are only the records that
// were looked at last and, where something is searched for or sorted by, the numbers of those that
// match. Nothing is read on this thread: a cell whose record is on its way is blank. The newest
// question wins; an overtaken one is dropped.
class LedgerPages final : public QAbstractTableModel
{
    Q_OBJECT

public:
    explicit LedgerPages(std::unique_ptr<LedgerSource> source, QObject *parent = nullptr);
    ~LedgerPages() override; // waits for the step at work

    // kind: alternative of ledger::Body; -1: all.
    void setFilter(int kind, const QString &words);
    void start(); // asks for the first time
    void lookForMore();

    [[nodiscard]] const ledger::Record *recordAt(int row) const; // null: not read yet
    [[nodiscard]] bool isCounting() const { return m_isCounting; }
    [[nodiscard]] qint64 lookedAt() const { return m_lookedAt; }
    [[nodiscard]] qint64 size() const { return m_extent.size(); } // of the ledger
    [[nodiscard]] qint64 notSorted() const { return m_notSorted; } // made since it was sorted
    [[nodiscard]] bool isNewestFirst() const;
    [[nodiscard]] bool isInTheirOrder() const { return m_question.order == LedgerOrder::Made; }
    [[nodiscard]] const QString &trouble() const { return m_trouble; } // empty: it can be read

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    void sort(int column, Qt::SortOrder order) override;

    static constexpr int recordsAPage = 128;
    static constexpr int recordsKept = 16'384;

Q_SIGNALS:
    void changed(); // how many there are, or how far the search is
    void pageArrived();
    void asked(quint64 number, const headway::ui::LedgerQuestion &question);
    void moreWanted();
    void pageWanted(const std::vector<qint64> &numbers);

private:
    void ask(const LedgerQuestion &question);
    void take(const LedgerFindingPointer &finding);
    void clear();
    void follow(const LedgerExtent &extent);
    void add(const std::vector<qint64> &numbers, bool isNewer);
    void takePage(const LedgerPagePointer &page);
    void wantPageOf(int row) const;
    void askForPage();
    [[nodiscard]] qint64 numberAt(int row) const;

    LedgerQuestion m_question;
    std::shared_ptr<std::atomic<quint64>> m_number; // of the newest question
    LedgerExtent m_extent;
    std::vector<qint64> m_found; // unless everything is shown
    int m_rows = 0;
    bool m_isCounting = false;
    qint64 m_lookedAt = 0;
    qint64 m_notSorted = 0;
    QString m_trouble;
    mutable QCache<qint64, ledger::Record> m_records; // by number
    mutable std::vector<int> m_wanted; // pages, the newest wish last
    bool m_isReading = false;
    mutable QTimer m_soon; // after all cells of a frame have said what they want
    QThread m_thread;
};

} // namespace headway::ui
