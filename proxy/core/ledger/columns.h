// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/record.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace headway::ledger {

// The one description of what a record holds (spec/ledger.md, "Records"). The database's tables,
// its inserts, CSV, JSONL and the table in the documentation are all derived from it.

enum class Type : std::uint8_t {
    Time, // RFC 3339 UTC with milliseconds; a text outside this program
    Turn, // "req_" + 16 hex digits; a text outside this program
    Text,
    Integer,
    Real,
    Flag, // 0 or 1; false or true in JSONL
};

// One cell. Nothing: does not apply. Texts point into the record or the row they were read from.
// Time and Turn columns may also be given as the texts they are stored as.
using Value = std::variant<std::monostate, base::WallTime, base::TurnId, std::string_view,
                           std::int64_t, double, bool>;

struct Column
{
    std::string_view name; // snake_case, unit last
    Type type;
    bool optional; // may hold nothing: NULL, an empty CSV cell, null in JSONL
    std::string_view meaning;
    // A counter beyond 2^63-1 gives 2^63-1. A real that is not finite gives nothing, and negative
    // zero gives zero: neither survives every format. An empty optional text gives nothing.
    Value (*get)(const Record &record);
    // A value of the wrong type, or nothing where the column is not optional, leaves the default:
    // a database can be changed by others.
    void (*set)(Record &record, const Value &value);
};

struct Kind
{
    std::string_view name;
    std::string_view meaning;
    std::span<const Column> columns; // the common four first: time, turn, session, agent
    Record (*blank)();
    std::string_view word; // the column that says in one word what happened
};

// All kinds, in the order of Body's alternatives.
[[nodiscard]] std::span<const Kind> kinds();
[[nodiscard]] const Kind &kindOf(const Record &record);
// The place in kinds(); nothing for a name that is no kind.
[[nodiscard]] std::optional<std::size_t> findKind(std::string_view name);

// A Markdown table of every kind's columns, for the documentation.
[[nodiscard]] std::string columnTables();

} // namespace headway::ledger
