// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/record.h"

#include <QString>
#include <QtGlobal>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace headway::ui {

// The numbers of the oldest and the newest record of a ledger; 0: there is none. They have gaps
// only where records were lost.
struct LedgerExtent
{
    qint64 first = 0;
    qint64 last = 0;

    [[nodiscard]] qint64 size() const { return last == 0 ? 0 : last - first + 1; }
    friend bool operator==(const LedgerExtent &, const LedgerExtent &) = default;
};

enum class LedgerOrder : std::uint8_t { Made, Kind, Turn, Who, What };

// Which records, and in which order.
struct LedgerQuestion
{
    std::optional<std::size_t> kind{}; // alternative of ledger::Body; nothing: all
    QString words{}; // that stand in it; empty: all
    LedgerOrder order = LedgerOrder::Made;
    bool isDescending = false;

    // Every record in the order they were made: needs no search.
    [[nodiscard]] bool isEverything() const
    {
        return !kind && words.isEmpty() && order == LedgerOrder::Made;
    }
    friend bool operator==(const LedgerQuestion &, const LedgerQuestion &) = default;
};

// Records of one kind that sort alike.
struct LedgerGroup
{
    std::size_t kind = 0;
    std::string key{};
    std::vector<qint64> numbers{}; // ascending
};

using NumberedRecord = std::pair<qint64, ledger::Record>;

// A ledger on disk, as the window reads it: on one thread of its own, in steps that take
// milliseconds. Errors are sentences.
class LedgerSource
{
public:
    LedgerSource() = default;
    LedgerSource(const LedgerSource &) = delete;
    LedgerSource &operator=(const LedgerSource &) = delete;
    virtual ~LedgerSource() = default;

    [[nodiscard]] virtual tl::expected<LedgerExtent, QString> extent() = 0;
    // Of the records from one number to another, both inclusive.
    [[nodiscard]] virtual tl::expected<std::vector<LedgerGroup>, QString>
    search(const LedgerQuestion &question, qint64 from, qint64 to) = 0;
    // Those of these numbers that are there, ascending.
    [[nodiscard]] virtual tl::expected<std::vector<NumberedRecord>, QString>
    read(const std::vector<qint64> &numbers) = 0;
};

} // namespace headway::ui
