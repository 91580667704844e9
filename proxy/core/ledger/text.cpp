// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/ledger/text.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>

namespace headway::ledger {

namespace {

using std::chrono::days;
using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr base::WallTime earliest = sys_days(std::chrono::year(0) / 1 / 1);
constexpr base::WallTime latest
    = sys_days(std::chrono::year(10'000) / 1 / 1) - base::Milliseconds(1);
constexpr std::string_view turnPrefix = "req_";
constexpr std::size_t turnDigits = 16;

void putDigits(char *to, unsigned value, int count)
{
    for (int i = count - 1; i >= 0; --i) {
        to[i] = static_cast<char>('0' + value % 10);
        value /= 10;
    }
}

// Reads from the front of a text; every step says whether it found what it wanted.
class Scanner
{
public:
    explicit Scanner(std::string_view text)
        : m_rest(text)
    {
    }

    [[nodiscard]] bool atEnd() const { return m_rest.empty(); }
    [[nodiscard]] bool atDigit() const
    {
        return !m_rest.empty() && m_rest.front() >= '0' && m_rest.front() <= '9';
    }

    bool oneOf(std::string_view choices)
    {
        if (m_rest.empty() || choices.find(m_rest.front()) == std::string_view::npos)
            return false;
        m_last = m_rest.front();
        m_rest.remove_prefix(1);
        return true;
    }

    bool digits(int count, unsigned maximum, unsigned &value)
    {
        value = 0;
        for (int i = 0; i < count; ++i) {
            if (!atDigit())
                return false;
            value = value * 10 + static_cast<unsigned>(m_rest.front() - '0');
            m_rest.remove_prefix(1);
        }
        return value <= maximum;
    }

    [[nodiscard]] char last() const { return m_last; }

private:
    std::string_view m_rest;
    char m_last = 0;
};

std::optional<sys_days> readDate(Scanner &in)
{
    unsigned year = 0;
    unsigned month = 0;
    unsigned day = 0;
    if (!in.digits(4, 9999, year) || !in.oneOf("-") || !in.digits(2, 12, month) || !in.oneOf("-")
        || !in.digits(2, 31, day))
        return std::nullopt;
    const year_month_day date = std::chrono::year(static_cast<int>(year)) / static_cast<int>(month)
        / static_cast<int>(day);
    if (!date.ok())
        return std::nullopt;
    return sys_days(date);
}

std::optional<base::Milliseconds> readFraction(Scanner &in)
{
    if (!in.oneOf("."))
        return base::Milliseconds(0);
    if (!in.atDigit())
        return std::nullopt;
    std::int64_t milliseconds = 0;
    for (std::int64_t weight = 100; in.atDigit(); weight /= 10) {
        unsigned digit = 0;
        in.digits(1, 9, digit);
        milliseconds += weight * digit;
    }
    return base::Milliseconds(milliseconds);
}

std::optional<base::Milliseconds> readTimeOfDay(Scanner &in)
{
    unsigned hour = 0;
    unsigned minute = 0;
    unsigned second = 0;
    if (!in.digits(2, 23, hour) || !in.oneOf(":") || !in.digits(2, 59, minute) || !in.oneOf(":")
        || !in.digits(2, 60, second))
        return std::nullopt;
    const auto fraction = readFraction(in);
    if (!fraction)
        return std::nullopt;
    return std::chrono::hours(hour) + std::chrono::minutes(minute) + base::Seconds(second)
        + *fraction;
}

std::optional<base::Milliseconds> readOffset(Scanner &in)
{
    if (in.oneOf("Zz"))
        return base::Milliseconds(0);
    unsigned hours = 0;
    unsigned minutes = 0;
    if (!in.oneOf("+-"))
        return std::nullopt;
    const bool east = in.last() == '+';
    if (!in.digits(2, 23, hours) || !in.oneOf(":") || !in.digits(2, 59, minutes))
        return std::nullopt;
    const base::Milliseconds offset = std::chrono::hours(hours) + std::chrono::minutes(minutes);
    return east ? offset : -offset;
}

template <typename Number>
void appendChars(std::string &out, Number number)
{
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
    out.append(buffer.data(), end.ptr);
}

} // namespace

void appendTime(std::string &out, base::WallTime time)
{
    time = std::clamp(time, earliest, latest);
    const auto day = std::chrono::floor<days>(time);
    const year_month_day date(day);
    const auto inDay = static_cast<unsigned>((time - day).count());
    std::array<char, 24> text{'0', '0', '0', '0', '-', '0', '0', '-', '0', '0', 'T', '0',
                              '0', ':', '0', '0', ':', '0', '0', '.', '0', '0', '0', 'Z'};
    putDigits(text.data(), static_cast<unsigned>(static_cast<int>(date.year())), 4);
    putDigits(text.data() + 5, static_cast<unsigned>(date.month()), 2);
    putDigits(text.data() + 8, static_cast<unsigned>(date.day()), 2);
    putDigits(text.data() + 11, inDay / 3'600'000, 2);
    putDigits(text.data() + 14, inDay / 60'000 % 60, 2);
    putDigits(text.data() + 17, inDay / 1'000 % 60, 2);
    putDigits(text.data() + 20, inDay % 1'000, 3);
    out.append(text.data(), text.size());
}

std::string timeText(base::WallTime time)
{
    std::string out;
    appendTime(out, time);
    return out;
}

std::optional<base::WallTime> parseTime(std::string_view text)
{
    Scanner in(text);
    const auto date = readDate(in);
    if (!date || !in.oneOf("Tt "))
        return std::nullopt;
    const auto timeOfDay = readTimeOfDay(in);
    if (!timeOfDay)
        return std::nullopt;
    const auto offset = readOffset(in);
    if (!offset || !in.atEnd())
        return std::nullopt;
    return base::WallTime(*date) + *timeOfDay - *offset;
}

void appendTurn(std::string &out, base::TurnId turn)
{
    constexpr std::string_view hexDigits = "0123456789abcdef";
    out += turnPrefix;
    for (int shift = 60; shift >= 0; shift -= 4)
        out += hexDigits[(turn.value() >> static_cast<unsigned>(shift)) & 0xFU];
}

std::string turnText(base::TurnId turn)
{
    std::string out;
    appendTurn(out, turn);
    return out;
}

std::optional<base::TurnId> parseTurn(std::string_view text)
{
    if (text.size() != turnPrefix.size() + turnDigits || !text.starts_with(turnPrefix))
        return std::nullopt;
    std::uint64_t value = 0;
    for (const char c : text.substr(turnPrefix.size())) {
        const bool decimal = c >= '0' && c <= '9';
        if (!decimal && (c < 'a' || c > 'f'))
            return std::nullopt;
        value = value << 4U | static_cast<std::uint64_t>(decimal ? c - '0' : c - 'a' + 10);
    }
    return base::TurnId(value);
}

void appendNumber(std::string &out, std::int64_t number)
{
    appendChars(out, number);
}

void appendNumber(std::string &out, double number)
{
    assert(std::isfinite(number));
    appendChars(out, number);
}

} // namespace headway::ledger
