// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/lab/fields.h"

#include "proxy/core/lab/numbers.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headway::lab {

namespace {

// Ten years: far beyond any use, and no sum of such times overflows.
constexpr double longestSeconds = 315'360'000;

base::Nanoseconds inUnits(double value, base::Nanoseconds unit)
{
    return base::Nanoseconds(std::llround(value * static_cast<double>(unit.count())));
}

double most(base::Nanoseconds unit)
{
    return longestSeconds * 1e9 / static_cast<double>(unit.count());
}

} // namespace

void Problem::report(std::size_t offset, std::string key, std::string what)
{
    if (m_error)
        return;
    const std::string_view before = m_text.substr(0, std::min(offset, m_text.size()));
    const auto breaks = std::count(before.begin(), before.end(), '\n');
    m_error
        = LabError{m_firstLine + static_cast<std::size_t>(breaks), std::move(key), std::move(what)};
}

Fields::Fields(json::Value object, std::string path, Problem &problem)
    : m_object(object)
    , m_path(std::move(path))
    , m_problem(problem)
{
    if (!m_object.isObject())
        m_problem.report(m_object.exists() ? m_object.offset() : 0, m_path, "expected an object");
}

std::string Fields::pathOf(std::string_view key) const
{
    return m_path.empty() ? std::string(key) : m_path + '.' + std::string(key);
}

bool Fields::has(std::string_view key)
{
    return any(key).exists();
}

json::Value Fields::any(std::string_view key)
{
    m_known.push_back(key);
    return m_object.isObject() ? m_object[key] : json::Value{};
}

void Fields::refuse(std::string_view key, std::string what)
{
    const json::Value value = m_object.isObject() ? m_object[key] : json::Value{};
    const std::size_t offset = value.exists() ? value.offset()
        : m_object.exists()                   ? m_object.offset()
                                              : 0;
    m_problem.report(offset, pathOf(key), std::move(what));
}

void Fields::require(std::string_view key)
{
    if (m_object.isObject() && !m_object[key].exists())
        refuse(key, "is required");
}

json::Value Fields::array(std::string_view key)
{
    const json::Value value = any(key);
    if (!value.exists() || value.isArray())
        return value;
    refuse(key, "expected a list");
    return {};
}

std::string Fields::text(std::string_view key, std::string_view fallback)
{
    const json::Value value = any(key);
    if (value.isString())
        return value.text();
    if (value.exists())
        refuse(key, "expected a text");
    return std::string(fallback);
}

bool Fields::flag(std::string_view key, bool fallback)
{
    const json::Value value = any(key);
    if (const auto flag = value.boolean())
        return *flag;
    if (value.exists())
        refuse(key, "expected true or false");
    return fallback;
}

std::optional<double> Fields::numberOf(std::string_view key, json::Value value, double low,
                                       double high)
{
    if (!value.exists())
        return std::nullopt;
    const auto number = value.number();
    if (!number || !std::isfinite(*number)) {
        refuse(key, "expected a number");
        return std::nullopt;
    }
    if (*number >= low && *number <= high)
        return number;
    if (low == 0 && *number < 0)
        refuse(key, "must not be negative");
    else
        refuse(key, "must be between " + plainNumber(low) + " and " + plainNumber(high));
    return std::nullopt;
}

double Fields::number(std::string_view key, double fallback, double low, double high)
{
    return numberOf(key, any(key), low, high).value_or(fallback);
}

std::int64_t Fields::integer(std::string_view key, std::int64_t fallback, std::int64_t low,
                             std::int64_t high)
{
    const json::Value value = any(key);
    const auto number = numberOf(key, value, static_cast<double>(low), static_cast<double>(high));
    if (!number)
        return fallback;
    const auto whole = static_cast<std::int64_t>(*number);
    if (static_cast<double>(whole) == *number)
        return value.integer().value_or(whole);
    refuse(key, "expected a whole number");
    return fallback;
}

std::optional<base::Nanoseconds> Fields::optionalTime(std::string_view key, base::Nanoseconds unit)
{
    const json::Value value = any(key);
    if (value.isNull())
        return std::nullopt;
    const auto number = numberOf(key, value, 0, most(unit));
    return number ? std::optional(inUnits(*number, unit)) : std::nullopt;
}

base::Nanoseconds Fields::time(std::string_view key, base::Nanoseconds unit,
                               base::Nanoseconds fallback)
{
    const auto number = numberOf(key, any(key), 0, most(unit));
    return number ? inUnits(*number, unit) : fallback;
}

NumberRange Fields::range(std::string_view key, NumberRange fallback, double high)
{
    const json::Value value = any(key);
    if (!value.exists())
        return fallback;
    const json::Value first = value.isArray() ? value.first() : json::Value{};
    const json::Value second = first.exists() ? first.next() : json::Value{};
    if (!second.exists() || second.next().exists()) {
        refuse(key, "expected a list of two numbers");
        return fallback;
    }
    const auto from = numberOf(key, first, 0, high);
    const auto to = numberOf(key, second, 0, high);
    if (!from || !to)
        return fallback;
    if (*from > *to)
        refuse(key, "the first number must not be above the second");
    return {*from, std::max(*from, *to)};
}

DurationRange Fields::times(std::string_view key, base::Nanoseconds unit, DurationRange fallback)
{
    if (!has(key))
        return fallback;
    const NumberRange numbers = range(key, {}, most(unit));
    return {inUnits(numbers.low, unit), inUnits(numbers.high, unit)};
}

void Fields::finish()
{
    if (!m_object.isObject())
        return;
    for (const json::Value member : m_object) {
        const std::string key = member.key();
        if (std::find(m_known.begin(), m_known.end(), key) == m_known.end())
            m_problem.report(member.offset(), pathOf(member.keyBody()), "there is no such key");
    }
}

} // namespace headway::lab
