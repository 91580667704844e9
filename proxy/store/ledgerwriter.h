// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/conservation.h"
#include "proxy/core/ledger/record.h"
#include "proxy/store/filelock.h"
#include "proxy/store/ledgerdatabase.h"
#include "proxy/store/ledgeroptions.h"

#include <QObject>
#include <QTimer>

#include <deque>
#include <optional>
#include <vector>

namespace headway::store {

// The ledger's thread: collects records, writes them in batches, and copes with a file that cannot
// be written. Lives on the writer thread; LedgerStore is its face to the others.
class LedgerWriter final : public QObject
{
    Q_OBJECT

public:
    explicit LedgerWriter(LedgerOptions options, QObject *parent = nullptr);
    ~LedgerWriter() override;

    void start();
    void take(std::vector<ledger::Record> records);
    void setRetention(std::chrono::hours age, qint64 bytes);
    // Writes what is left, if that can be, and lets the file go. What could not be written is lost:
    // then how much, and why, in plain words; else empty.
    [[nodiscard]] QString finish();

Q_SIGNALS:
    void stateChanged(const QString &state);
    void committed(quint64 records); // since the start, in the file

private:
    void writePending();
    tl::expected<void, StoreError> openIfNeeded();
    tl::expected<void, StoreError> closeLastProcess(LedgerDatabase &database);
    tl::expected<void, StoreError> writeBatch();
    void retain();
    void pass(std::size_t count);
    void dropBeyondMemory();
    void cope(const StoreError &error);
    void beginNewFile();
    void noteNewFile();
    void setState(const QString &state);
    [[nodiscard]] QString fineState() const;

    LedgerOptions m_options;
    QTimer m_batchTimer; // runs while records wait for their batch
    QTimer m_retryTimer; // runs while the file is out of use
    QTimer m_retentionTimer;
    std::chrono::milliseconds m_retry;
    std::optional<FileLock> m_lock; // outlives the database
    std::optional<LedgerDatabase> m_database;
    bool m_lastProcessClosed = false;
    std::deque<ledger::Record> m_pending;
    ledger::Conservation m_passed{1}; // what is open after all that left m_pending
    std::optional<LedgerDatabase::Gap> m_gap; // to be noted before the next batch
    quint64 m_committed = 0;
    QString m_setAside; // the damaged file's new name, for the rest of the run
    QString m_state;
    QString m_trouble; // the latest
};

} // namespace headway::store
