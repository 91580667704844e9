// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/json/document.h"
#include "proxy/core/ledger/columns.h"
#include "proxy/core/live/feed.h"
#include "proxy/core/live/feedrows.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace headway::live {

// The first thing found wrong in a message; what is read after it does not matter.
struct Complaint
{
    std::optional<std::size_t> offset; // in the message; nothing: all is well
    std::string what; // "is not a whole number"

    void make(json::Value value, std::string text);
};

// "turns[3].phase is not a word": the path of what the complaint is about.
[[nodiscard]] std::string textOf(const Complaint &complaint, json::Value root);

// What a member that is not there means.
enum class Missing : std::uint8_t { IsZero, IsWrong };

// The archive that reads one JSON object. Members that nobody asks for are ignored.
class FeedReader final
{
public:
    FeedReader(json::Value object, Complaint &complaint, Missing missing = Missing::IsZero);

    template <typename T>
    void operator()(std::string_view name, T &value)
    {
        if (m_complaint.offset)
            return;
        const json::Value found = member(name);
        if (found.exists())
            read(found, value);
        else if (m_missing == Missing::IsZero)
            value = T{};
        else
            m_complaint.make(m_object, "lacks \"" + std::string(name) + '"');
    }

private:
    void read(json::Value from, bool &value);
    void read(json::Value from, int &value);
    void read(json::Value from, std::int64_t &value); // a second of the years 1970 to 9999
    void read(json::Value from, std::uint32_t &value);
    void read(json::Value from, std::uint64_t &value);
    void read(json::Value from, double &value);
    void read(json::Value from, std::string &value);
    void read(json::Value from, base::WallTime &value);
    void read(json::Value from, base::Milliseconds &value); // less than a century either way
    void read(json::Value from, base::Nanoseconds &value);
    void read(json::Value from, base::Seconds &value)
    {
        std::int64_t seconds = 0;
        read(from, seconds);
        value = base::Seconds(seconds);
    }
    void read(json::Value from, base::TurnId &value);
    void read(json::Value from, base::ConnectionId &value);
    void read(json::Value from, std::vector<ledger::Record> &records); // feedrecords.cpp
    void read(json::Value from, std::map<std::string, SettingValue> &settings);

    // The words are those of name(): the first value without one ends them.
    template <typename E>
    requires std::is_enum_v<E>
    void read(json::Value from, E &value)
    {
        for (std::underlying_type_t<E> i = 0; !name(static_cast<E>(i)).empty(); ++i) {
            if (from.is(name(static_cast<E>(i)))) {
                value = static_cast<E>(i);
                return;
            }
        }
        m_complaint.make(from, "is no word that is known there");
    }
    template <typename T>
    void read(json::Value from, std::optional<T> &value)
    {
        value.reset();
        if (!from.isNull())
            read(from, value.emplace());
    }
    template <typename T, std::size_t n>
    void read(json::Value from, std::array<T, n> &values)
    {
        std::vector<T> list;
        read(from, list);
        if (list.size() == n)
            std::copy(list.begin(), list.end(), values.begin());
        else
            m_complaint.make(from, "is no list of " + std::to_string(n));
    }
    template <typename T>
    void read(json::Value from, std::vector<T> &values)
    {
        values.clear();
        for (const json::Value each : listed(from)) {
            if (m_complaint.offset)
                return;
            read(each, values.emplace_back());
        }
    }
    template <typename T>
    requires requires(FeedReader &archive, T &value) { describe(archive, value); }
    void read(json::Value from, T &value)
    {
        FeedReader object(from, m_complaint, m_missing);
        describe(object, value);
    }

    [[nodiscard]] json::Value member(std::string_view name);
    // The value if it is a list that is not too long, else a missing one and a complaint.
    [[nodiscard]] json::Value listed(json::Value from);
    [[nodiscard]] std::optional<std::int64_t> whole(json::Value from, std::int64_t least,
                                                    std::int64_t most);

    json::Value m_object;
    json::Value m_next; // members usually come in the order in which they are asked for
    Complaint &m_complaint;
    Missing m_missing;
};

} // namespace headway::live
