// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <utility>

namespace headway::base {

// A value that is only interchangeable with values carrying the same Tag.
template <typename Rep, typename Tag>
class StrongType
{
public:
    constexpr StrongType() = default;
    constexpr explicit StrongType(Rep value)
        : m_value(std::move(value))
    {
    }

    [[nodiscard]] constexpr const Rep &value() const noexcept { return m_value; }

    friend constexpr auto operator<=>(const StrongType &, const StrongType &) = default;

private:
    Rep m_value{};
};

} // namespace headway::base

template <typename Rep, typename Tag>
struct std::hash<headway::base::StrongType<Rep, Tag>>
{
    std::size_t operator()(const headway::base::StrongType<Rep, Tag> &value) const noexcept
    {
        return std::hash<Rep>{}(value.value());
    }
};
