// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/ledger/cells.h"

#include <cassert>
#include <type_traits>

// A column of a member: its type and its functions follow from the member's own type. Used by the
// column table alone.
namespace headway::ledger::access {

template <typename Pointer>
struct MemberOf;
template <typename O, typename F>
struct MemberOf<F O::*>
{
    using Owner = O;
    using Field = F;
};

// The member itself: of the record, or of its body, which the kind's own table guarantees to be
// the alternative the member belongs to.
template <auto member>
auto &field(auto &record)
{
    using Owner = typename MemberOf<decltype(member)>::Owner;
    if constexpr (std::is_same_v<Owner, Record>) {
        return record.*member;
    } else {
        auto *body = std::get_if<Owner>(&record.body);
        assert(body != nullptr);
        return body->*member;
    }
}

template <typename F>
constexpr Type typeOf()
{
    if constexpr (std::is_same_v<F, base::WallTime>)
        return Type::Time;
    else if constexpr (std::is_same_v<F, base::TurnId>)
        return Type::Turn;
    else if constexpr (std::is_same_v<F, std::string>)
        return Type::Text;
    else if constexpr (std::is_same_v<F, bool>)
        return Type::Flag;
    else if constexpr (std::is_floating_point_v<F>)
        return Type::Real;
    else
        return Type::Integer;
}

template <typename F>
struct Plain
{
    using Field = F;
    static constexpr bool optional = std::is_same_v<F, base::TurnId>;
};
template <typename F>
struct Plain<std::optional<F>>
{
    using Field = F;
    static constexpr bool optional = true;
};

// A column whose emptiness is what its type says.
template <auto member>
constexpr Column column(std::string_view name, std::string_view meaning)
{
    using Of = Plain<typename MemberOf<decltype(member)>::Field>;
    return {name,
            typeOf<typename Of::Field>(),
            Of::optional,
            meaning,
            [](const Record &record) { return cell(field<member>(record)); },
            [](Record &record, const Value &value) { put(field<member>(record), value); }};
}

// A text that is only there when it applies: empty is nothing.
template <auto member>
constexpr Column textIfAny(std::string_view name, std::string_view meaning)
{
    return {name,
            Type::Text,
            true,
            meaning,
            [](const Record &record) {
                const std::string &text = field<member>(record);
                return text.empty() ? Value() : Value(std::string_view(text));
            },
            [](Record &record, const Value &value) { put(field<member>(record), value); }};
}

} // namespace headway::ledger::access
