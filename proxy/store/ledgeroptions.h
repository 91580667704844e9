// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <chrono>
#include <cstddef>

namespace headway::store {

// Bounds of spec/ledger.md, "Store". Tests set shorter ones.
struct LedgerOptions
{
    QString path;
    std::chrono::milliseconds batchAge{250}; // a record waits no longer for its transaction
    std::size_t batchSize = 1'000;
    std::chrono::hours retentionAge{30 * 24};
    qint64 retentionBytes = qint64{512} << 20;
    // While the file cannot be written: how many records are kept, and the first and the longest
    // pause before trying again.
    std::size_t memoryRecords = 100'000;
    std::chrono::milliseconds firstRetry{1'000};
    std::chrono::milliseconds longestRetry{30'000};
};

} // namespace headway::store
