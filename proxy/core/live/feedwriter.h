// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/live/feed.h"
#include "proxy/core/live/feedrows.h"

#include <array>
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace headway::live {

// Whether a member that is zero, false or empty is written too.
enum class Zeros : std::uint8_t { LeftOut, Written };

// The archive that writes one JSON object.
class FeedWriter final
{
public:
    explicit FeedWriter(std::string &out, Zeros zeros = Zeros::LeftOut)
        : m_out(out)
        , m_zeros(zeros)
    {
        m_out += '{';
    }

    template <typename T>
    void operator()(std::string_view name, const T &value)
    {
        if (m_zeros == Zeros::LeftOut && isZero(value))
            return;
        key(name);
        write(value);
    }

    void key(std::string_view name); // the value is to follow
    void end() { m_out += '}'; }

    void write(bool value);
    void write(int value);
    void write(std::int64_t value);
    void write(std::uint32_t value);
    void write(std::uint64_t value); // beyond 2^63-1: that
    void write(double value); // not finite: 0
    void write(std::string_view text); // what is no UTF-8 is mended
    void write(const std::string &text) { write(std::string_view(text)); }
    void write(base::WallTime time);
    void write(base::Milliseconds duration);
    void write(base::Nanoseconds duration);
    void write(base::Seconds duration) { write(std::int64_t{duration.count()}); }
    void write(base::TurnId turn);
    void write(base::ConnectionId connection);
    void write(const ledger::Record &record); // feedrecords.cpp
    void write(const std::map<std::string, SettingValue> &settings);

    template <typename E>
    requires std::is_enum_v<E>
    void write(E word) { write(name(word)); }
    template <typename T>
    void write(const std::optional<T> &value)
    {
        write(*value);
    }
    template <typename T, std::size_t n>
    void write(const std::array<T, n> &values)
    {
        writeList(values, n);
    }
    template <typename T>
    void write(const std::vector<T> &values)
    {
        writeList(values, mostFeedRows);
    }
    template <typename T>
    requires requires(FeedWriter &archive, const T &value) { describe(archive, value); }
    void write(const T &value)
    {
        FeedWriter object(m_out, m_zeros);
        describe(object, value);
        object.end();
    }

private:
    template <typename T>
    static bool isZero(const T &value)
    {
        if constexpr (requires(T & list) { list.clear(); })
            return value.empty();
        else
            return value == T{};
    }
    template <typename List>
    void writeList(const List &values, std::size_t most)
    {
        m_out += '[';
        std::size_t count = 0;
        for (const auto &value : values) {
            if (count++ == most)
                break;
            if (count > 1)
                m_out += ',';
            write(value);
        }
        m_out += ']';
    }

    std::string &m_out;
    Zeros m_zeros;
    bool m_isFirst = true;
};

} // namespace headway::live
