// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/ledgersource.h"

#include <QMutex>
#include <QSemaphore>

#include <atomic>
#include <memory>

namespace headway::test {

// A ledger of any size that is nowhere: record n is computed when it is asked for. Every tenth is
// a warning "odd words N", every other one a turn of agent N % 3 that ended.
class MadeUpLedger final
{
public:
    // What the window holds of it; outlives the window.
    struct State
    {
        std::atomic<qint64> first = 1;
        std::atomic<qint64> last = 0;
        std::atomic<int> searches = 0; // steps
        std::atomic<int> reads = 0;
        std::atomic<bool> isBroken = false;
        // While it is set, every search waits for a permit.
        std::atomic<bool> isSlow = false;
        QSemaphore permits;
    };

    explicit MadeUpLedger(qint64 records);

    [[nodiscard]] State &state() const { return *m_state; }
    [[nodiscard]] std::unique_ptr<ui::LedgerSource> source() const;
    [[nodiscard]] static ledger::Record record(qint64 number);

private:
    std::shared_ptr<State> m_state;
};

} // namespace headway::test
