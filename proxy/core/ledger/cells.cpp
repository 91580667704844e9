// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/ledger/cells.h"

#include "proxy/core/ledger/text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headway::ledger::access {

namespace {

// A negative number in an unsigned column was not written by us: the default stays.
template <typename Unsigned>
void putUnsigned(Unsigned &field, const Value &value)
{
    const auto *number = std::get_if<std::int64_t>(&value);
    if (number == nullptr || *number < 0)
        return;
    constexpr std::uint64_t most = std::numeric_limits<Unsigned>::max();
    field = static_cast<Unsigned>(std::min(static_cast<std::uint64_t>(*number), most));
}

} // namespace

Value cell(base::WallTime field)
{
    return field;
}

Value cell(base::TurnId field)
{
    return field == base::TurnId() ? Value() : Value(field);
}

Value cell(const std::string &field)
{
    return std::string_view(field);
}

Value cell(std::uint32_t field)
{
    return std::int64_t{field};
}

Value cell(std::uint64_t field)
{
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    return static_cast<std::int64_t>(std::min(field, most));
}

Value cell(double field)
{
    return std::isfinite(field) ? Value(field + 0.0) : Value(); // -0.0 + 0.0 is +0.0
}

Value cell(bool field)
{
    return field;
}

void put(base::WallTime &field, const Value &value)
{
    if (const auto *time = std::get_if<base::WallTime>(&value))
        field = *time;
    else if (const auto *text = std::get_if<std::string_view>(&value))
        field = parseTime(*text).value_or(field);
}

void put(base::TurnId &field, const Value &value)
{
    if (const auto *turn = std::get_if<base::TurnId>(&value))
        field = *turn;
    else if (const auto *text = std::get_if<std::string_view>(&value))
        field = parseTurn(*text).value_or(field);
}

void put(std::string &field, const Value &value)
{
    if (const auto *text = std::get_if<std::string_view>(&value))
        field = *text;
}

void put(std::uint32_t &field, const Value &value)
{
    putUnsigned(field, value);
}

void put(std::uint64_t &field, const Value &value)
{
    putUnsigned(field, value);
}

void put(double &field, const Value &value)
{
    if (const auto *number = std::get_if<double>(&value))
        field = *number;
    else if (const auto *whole = std::get_if<std::int64_t>(&value))
        field = static_cast<double>(*whole);
}

void put(bool &field, const Value &value)
{
    if (const auto *flag = std::get_if<bool>(&value))
        field = *flag;
    else if (const auto *number = std::get_if<std::int64_t>(&value))
        field = *number != 0;
}

} // namespace headway::ledger::access
