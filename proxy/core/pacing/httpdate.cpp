// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/pacing/httpdate.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>

namespace headway::pacing {

namespace {

using std::chrono::year_month_day;

constexpr std::array<std::string_view, 12> monthNames{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<std::string_view, 7> dayNames{"Monday", "Tuesday",  "Wednesday", "Thursday",
                                                   "Friday", "Saturday", "Sunday"};

// Consumes a text from the left; the first mismatch makes everything after it fail as well.
class Reader
{
public:
    explicit Reader(std::string_view text)
        : m_rest(text)
    {
    }

    void literal(std::string_view expected)
    {
        if (m_rest.starts_with(expected))
            m_rest.remove_prefix(expected.size());
        else
            m_ok = false;
    }

    int digits(std::size_t count)
    {
        int value = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (m_rest.empty() || m_rest.front() < '0' || m_rest.front() > '9') {
                m_ok = false;
                return 0;
            }
            value = value * 10 + (m_rest.front() - '0');
            m_rest.remove_prefix(1);
        }
        return value;
    }

    // Day of the month of an asctime date: two digits or a blank and one.
    int paddedDay()
    {
        if (!m_rest.starts_with(' '))
            return digits(2);
        m_rest.remove_prefix(1);
        return digits(1);
    }

    unsigned month()
    {
        const auto found = std::ranges::find(monthNames, m_rest.substr(0, 3));
        if (found == monthNames.end()) {
            m_ok = false;
            return 1;
        }
        m_rest.remove_prefix(3);
        return static_cast<unsigned>(found - monthNames.begin()) + 1;
    }

    void dayName(bool full)
    {
        for (const std::string_view day : dayNames) {
            const std::string_view form = full ? day : day.substr(0, 3);
            if (m_rest.starts_with(form)) {
                m_rest.remove_prefix(form.size());
                return;
            }
        }
        m_ok = false;
    }

    // hh:mm:ss; 60 is a leap second.
    base::Seconds timeOfDay()
    {
        const int hour = digits(2);
        literal(":");
        const int minute = digits(2);
        literal(":");
        const int second = digits(2);
        if (hour > 23 || minute > 59 || second > 60)
            m_ok = false;
        return std::chrono::hours(hour) + std::chrono::minutes(minute) + base::Seconds(second);
    }

    [[nodiscard]] bool finished() const { return m_ok && m_rest.empty(); }

private:
    std::string_view m_rest;
    bool m_ok = true;
};

std::optional<base::WallTime> assembled(const Reader &reader, int year, unsigned month, int day,
                                        base::Seconds timeOfDay)
{
    const year_month_day date{std::chrono::year(year), std::chrono::month(month),
                              std::chrono::day(static_cast<unsigned>(day))};
    if (!reader.finished() || !date.ok())
        return std::nullopt;
    return base::WallTime(std::chrono::sys_days(date) + timeOfDay);
}

std::optional<base::WallTime> imfFixdate(std::string_view text)
{
    Reader reader(text);
    reader.dayName(false);
    reader.literal(", ");
    const int day = reader.digits(2);
    reader.literal(" ");
    const unsigned month = reader.month();
    reader.literal(" ");
    const int year = reader.digits(4);
    reader.literal(" ");
    const base::Seconds time = reader.timeOfDay();
    reader.literal(" GMT");
    return assembled(reader, year, month, day, time);
}

// The latest year with these two digits that is at most 50 years ahead.
int fullYear(int twoDigits, base::WallTime now)
{
    const year_month_day today(std::chrono::floor<std::chrono::days>(now));
    const int thisYear = static_cast<int>(today.year());
    int year = thisYear - thisYear % 100 + twoDigits + 100;
    while (year > thisYear + 50)
        year -= 100;
    return year;
}

std::optional<base::WallTime> rfc850(std::string_view text, base::WallTime now)
{
    Reader reader(text);
    reader.dayName(true);
    reader.literal(", ");
    const int day = reader.digits(2);
    reader.literal("-");
    const unsigned month = reader.month();
    reader.literal("-");
    const int year = fullYear(reader.digits(2), now);
    reader.literal(" ");
    const base::Seconds time = reader.timeOfDay();
    reader.literal(" GMT");
    return assembled(reader, year, month, day, time);
}

std::optional<base::WallTime> asctime(std::string_view text)
{
    Reader reader(text);
    reader.dayName(false);
    reader.literal(" ");
    const unsigned month = reader.month();
    reader.literal(" ");
    const int day = reader.paddedDay();
    reader.literal(" ");
    const base::Seconds time = reader.timeOfDay();
    reader.literal(" ");
    const int year = reader.digits(4);
    return assembled(reader, year, month, day, time);
}

} // namespace

std::optional<base::WallTime> parseHttpDate(std::string_view text, base::WallTime now)
{
    if (const auto date = imfFixdate(text))
        return date;
    if (const auto date = rfc850(text, now))
        return date;
    return asctime(text);
}

} // namespace headway::pacing
