// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/record.h"
#include "proxy/store/ledgeroptions.h"

#include <QObject>
#include <QThread>

#include <vector>

namespace headway::store {

class LedgerWriter;

// The ledger on disk (spec/ledger.md, "Store"). All methods on the thread that made it; the work is
// done on a thread of its own and reaches it by queued call. Nothing here fails or throws: what is
// wrong with the file is said by stateChanged, and turns go on.
class LedgerStore final : public QObject
{
    Q_OBJECT

public:
    explicit LedgerStore(LedgerOptions options, QObject *parent = nullptr);
    ~LedgerStore() override; // stop()

    // Opens the file; turns and admissions that a dead process left open are closed as
    // process_died before the first appended record.
    void start();

    // Costs a move and a queued call. Records are written in the order of the calls, at most 250 ms
    // or 1 000 records behind. After stop() they are dropped.
    void append(std::vector<ledger::Record> records);

    // Acts at the next batch.
    void setRetention(std::chrono::hours age, qint64 bytes);

    // Writes what was appended, closes the file and ends the thread. Blocks for as long as that
    // takes, which a locked file bounds to a second.
    void stop();

Q_SIGNALS:
    // "ok", or what is wrong and what was done about it, in plain words.
    void stateChanged(const QString &state);
    // How many records of this run are in the file for good.
    void committed(quint64 records);

private:
    LedgerWriter *m_writer; // lives on m_thread
    QThread m_thread;
};

} // namespace headway::store
