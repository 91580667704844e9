// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/canonical.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace headway::heads {

namespace {

constexpr std::size_t keptBytes = std::size_t{1} << 20U;

void appendBits(std::string &out, std::uint64_t bits)
{
    const auto bytes = std::bit_cast<std::array<char, sizeof bits>>(bits);
    out.append(bytes.data(), bytes.size());
}

bool byKey(const CanonicalForm::Member &a, const CanonicalForm::Member &b)
{
    return a.key < b.key;
}

} // namespace

void CanonicalForm::release()
{
    if (m_bytes.capacity() > keptBytes)
        m_bytes = {};
}

void CanonicalForm::text(std::string_view text)
{
    m_bytes += 's';
    appendBits(m_bytes, text.size());
    m_bytes += text;
}

void CanonicalForm::number(double value)
{
    m_bytes += 'd';
    appendBits(m_bytes, std::bit_cast<std::uint64_t>(value == 0.0 ? 0.0 : value));
}

void CanonicalForm::value(simdjson::dom::element element)
{
    using Type = simdjson::dom::element_type;
    switch (element.type()) {
    case Type::OBJECT:
        object(element.get_object().value_unsafe());
        return;
    case Type::ARRAY:
        m_bytes += '[';
        for (const simdjson::dom::element entry : element.get_array().value_unsafe())
            value(entry);
        m_bytes += ']';
        return;
    case Type::STRING:
        text(element.get_string().value_unsafe());
        return;
    case Type::INT64:
        number(static_cast<double>(element.get_int64().value_unsafe()));
        return;
    case Type::UINT64:
        number(static_cast<double>(element.get_uint64().value_unsafe()));
        return;
    case Type::DOUBLE:
        number(element.get_double().value_unsafe());
        return;
    case Type::BOOL:
        m_bytes += element.get_bool().value_unsafe() ? 't' : 'f';
        return;
    case Type::NULL_VALUE:
        null();
        return;
    }
}

void CanonicalForm::object(simdjson::dom::object object, std::span<const std::string_view> dropped,
                           bool dropNulls)
{
    const std::size_t from = m_members.size();
    for (const auto [key, member] : object) {
        if (std::find(dropped.begin(), dropped.end(), key) == dropped.end())
            m_members.push_back({key, member});
    }
    sortMembers(from);
    m_bytes += '{';
    for (std::size_t i = from; i < m_members.size(); ++i) {
        const bool repeated = i + 1 < m_members.size() && m_members[i + 1].key == m_members[i].key;
        const Member member = m_members[i]; // a copy: value() may move the stack
        if (repeated || (dropNulls && member.value.is_null()))
            continue;
        text(member.key);
        value(member.value);
    }
    m_bytes += '}';
    m_members.resize(from);
}

void CanonicalForm::sortMembers(std::size_t from)
{
    const auto begin = m_members.begin() + static_cast<std::ptrdiff_t>(from);
    if (!std::is_sorted(begin, m_members.end(), byKey))
        std::stable_sort(begin, m_members.end(),
                         byKey); // stable: the last of a repeated key stays last
}

void CanonicalForm::textPart(std::string_view type, std::string_view partText)
{
    m_bytes += '{';
    text("text");
    text(partText);
    text("type");
    text(type);
    m_bytes += '}';
}

} // namespace headway::heads
