// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/record.h"
#include "proxy/store/storeerror.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace headway::store {

// How a ledger is looked at, page by page (spec/window.md, "Ledger"). Each call reads the file at
// one instant of its own and takes milliseconds, as long as the numbers asked about are few:
// whoever looks through millions does so in steps, and can stop between them.

// The numbers of the oldest and the newest record; 0: there is none.
struct LedgerExtent
{
    qint64 first = 0;
    qint64 last = 0;

    friend bool operator==(const LedgerExtent &, const LedgerExtent &) = default;
};
[[nodiscard]] tl::expected<LedgerExtent, StoreError> ledgerExtent(const QString &path);

// What records are gathered by, so that they can be sorted.
enum class LedgerKey : std::uint8_t {
    None, // all together
    Turn,
    Who, // agent, then session
    Word, // what happened (ledger::Kind::word)
};

struct LedgerSearch
{
    qint64 from = 0; // numbers, both inclusive
    qint64 to = 0;
    std::optional<std::size_t> kind{}; // place in ledger::kinds(); nothing: all
    // Stands in any text of the record but its time, in any case of ASCII letters; a space also
    // stands for an underscore. A whole number is also any integer of the record. Empty: all.
    QString words{};
    LedgerKey key = LedgerKey::None;
};

struct LedgerGroup
{
    std::size_t kind = 0; // place in ledger::kinds()
    std::string key{}; // UTF-8; empty where the record has none
    std::vector<qint64> seqs{}; // ascending
};
[[nodiscard]] tl::expected<std::vector<LedgerGroup>, StoreError>
searchLedger(const QString &path, const LedgerSearch &search);

// Those of these numbers that are there, ascending.
[[nodiscard]] tl::expected<std::vector<std::pair<qint64, ledger::Record>>, StoreError>
readRecords(const QString &path, std::span<const qint64> seqs);

} // namespace headway::store
