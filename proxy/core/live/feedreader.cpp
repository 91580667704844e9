// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/live/feedreader.h"

#include "proxy/core/ledger/text.h"

#include <cmath>
#include <limits>
#include <utility>

namespace headway::live {

namespace {

constexpr std::int64_t lastSecond = 253'402'300'799; // of the year 9999
// So that no sum of durations overflows, in whatever unit.
constexpr base::Milliseconds century{std::chrono::hours{24 * 365 * 100}};

bool holds(json::Value value, std::size_t offset)
{
    return value.offset() <= offset && offset < value.offset() + value.raw().size();
}

} // namespace

void Complaint::make(json::Value value, std::string text)
{
    if (offset)
        return;
    offset = value.exists() ? value.offset() : 0;
    what = std::move(text);
}

std::string textOf(const Complaint &complaint, json::Value root)
{
    std::string path;
    json::Value value = root;
    while (value.exists() && value.offset() != complaint.offset) {
        std::size_t index = 0;
        json::Value child = value.first();
        for (; child.exists() && !holds(child, complaint.offset.value_or(0)); ++index)
            child = child.next();
        if (value.isArray())
            path += '[' + std::to_string(index) + ']';
        else
            path += (path.empty() ? "" : ".") + child.key();
        value = child;
    }
    return (path.empty() ? "the message" : path) + ' ' + complaint.what;
}

FeedReader::FeedReader(json::Value object, Complaint &complaint, Missing missing)
    : m_object(object)
    , m_next(object.first())
    , m_complaint(complaint)
    , m_missing(missing)
{
    if (!object.isObject())
        complaint.make(object, "is not an object");
}

json::Value FeedReader::member(std::string_view name)
{
    if (m_next.exists() && m_next.keyIs(name))
        return std::exchange(m_next, m_next.next());
    const json::Value found = m_object[name];
    if (found.exists())
        m_next = found.next();
    return found;
}

json::Value FeedReader::listed(json::Value from)
{
    if (!from.isArray()) {
        m_complaint.make(from, "is not a list");
        return {};
    }
    std::size_t count = 0;
    for (json::Value each = from.first(); each.exists(); each = each.next())
        ++count;
    if (count <= mostFeedRows)
        return from;
    m_complaint.make(from, "is a list of more than " + std::to_string(mostFeedRows));
    return {};
}

std::optional<std::int64_t> FeedReader::whole(json::Value from, std::int64_t least,
                                              std::int64_t most)
{
    const auto number = from.integer();
    if (number && *number >= least && *number <= most)
        return number;
    m_complaint.make(from, "is not a whole number in its range");
    return std::nullopt;
}

void FeedReader::read(json::Value from, bool &value)
{
    if (const auto flag = from.boolean())
        value = *flag;
    else
        m_complaint.make(from, "is neither true nor false");
}

void FeedReader::read(json::Value from, int &value)
{
    value = static_cast<int>(
        whole(from, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()).value_or(0));
}

void FeedReader::read(json::Value from, std::int64_t &value)
{
    value = whole(from, 0, lastSecond).value_or(0);
}

void FeedReader::read(json::Value from, std::uint32_t &value)
{
    value = static_cast<std::uint32_t>(
        whole(from, 0, std::numeric_limits<std::uint32_t>::max()).value_or(0));
}

void FeedReader::read(json::Value from, std::uint64_t &value)
{
    value = static_cast<std::uint64_t>(
        whole(from, 0, std::numeric_limits<std::int64_t>::max()).value_or(0));
}

void FeedReader::read(json::Value from, double &value)
{
    if (const auto number = from.number(); number && std::isfinite(*number))
        value = *number;
    else
        m_complaint.make(from, "is not a number");
}

void FeedReader::read(json::Value from, std::string &value)
{
    if (from.isString())
        value = from.text();
    else
        m_complaint.make(from, "is not a text");
}

void FeedReader::read(json::Value from, base::WallTime &value)
{
    const auto time = from.isString() ? ledger::parseTime(from.text()) : std::nullopt;
    if (time)
        value = *time;
    else
        m_complaint.make(from, "is not a time of RFC 3339");
}

void FeedReader::read(json::Value from, base::Milliseconds &value)
{
    value = base::Milliseconds{whole(from, -century.count(), century.count()).value_or(0)};
}

void FeedReader::read(json::Value from, base::Nanoseconds &value)
{
    constexpr std::int64_t most = base::Nanoseconds(century).count();
    value = base::Nanoseconds{whole(from, -most, most).value_or(0)};
}

void FeedReader::read(json::Value from, base::TurnId &value)
{
    const auto turn = from.isString() ? ledger::parseTurn(from.text()) : std::nullopt;
    if (turn)
        value = *turn;
    else
        m_complaint.make(from, "is not the id of a turn");
}

void FeedReader::read(json::Value from, base::ConnectionId &value)
{
    std::uint64_t number = 0;
    read(from, number);
    value = base::ConnectionId{number};
}

void FeedReader::read(json::Value from, std::map<std::string, SettingValue> &settings)
{
    settings.clear();
    if (!from.isObject())
        m_complaint.make(from, "is not an object");
    for (json::Value each = from.first(); each.exists() && !m_complaint.offset; each = each.next())
    {
        if (settings.size() == mostFeedRows)
            m_complaint.make(from, "has more than " + std::to_string(mostFeedRows) + " members");
        else
            read(each, settings[each.key()]);
    }
}

} // namespace headway::live
