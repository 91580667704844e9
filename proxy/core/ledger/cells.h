// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/columns.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

// How a member of a record becomes a cell and back: one overload per member type. What is clamped
// or left out is said at Column.
namespace headway::ledger::access {

[[nodiscard]] Value cell(base::WallTime field);
[[nodiscard]] Value cell(base::TurnId field); // zero: nothing
[[nodiscard]] Value cell(const std::string &field);
[[nodiscard]] Value cell(std::uint32_t field);
[[nodiscard]] Value cell(std::uint64_t field);
[[nodiscard]] Value cell(double field);
[[nodiscard]] Value cell(bool field);

template <typename F>
Value cell(const std::optional<F> &field)
{
    return field ? cell(*field) : Value();
}

void put(base::WallTime &field, const Value &value);
void put(base::TurnId &field, const Value &value);
void put(std::string &field, const Value &value);
void put(std::uint32_t &field, const Value &value);
void put(std::uint64_t &field, const Value &value);
void put(double &field, const Value &value);
void put(bool &field, const Value &value);

template <typename F>
void put(std::optional<F> &field, const Value &value)
{
    field.reset();
    if (!std::holds_alternative<std::monostate>(value))
        put(field.emplace(), value);
}

} // namespace headway::ledger::access
