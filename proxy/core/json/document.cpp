// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/json/document.h"

#include "proxy/core/json/literal.h"

#include <charconv>

namespace headway::json {

Kind Value::kind() const
{
    return exists() ? m_document->m_nodes[m_index].kind : Kind::Missing;
}

std::string_view Value::raw() const
{
    if (!exists())
        return {};
    const auto &node = m_document->m_nodes[m_index];
    return m_document->m_text.substr(node.begin, node.end - node.begin);
}

std::string_view Value::body() const
{
    if (!isString())
        return {};
    const std::string_view literal = raw();
    return literal.substr(1, literal.size() - 2);
}

std::string Value::text() const
{
    return unescaped(body());
}

bool Value::is(std::string_view text) const
{
    return isString() && bodyEquals(body(), text);
}

std::optional<bool> Value::boolean() const
{
    if (kind() != Kind::Boolean)
        return std::nullopt;
    return raw() == "true";
}

std::optional<std::int64_t> Value::integer() const
{
    if (kind() != Kind::Number)
        return std::nullopt;
    const std::string_view digits = raw();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size())
        return std::nullopt;
    return value;
}

std::optional<double> Value::number() const
{
    if (kind() != Kind::Number)
        return std::nullopt;
    const std::string_view digits = raw();
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size())
        return std::nullopt;
    return value;
}

std::string_view Value::keyBody() const
{
    if (!exists())
        return {};
    const auto &node = m_document->m_nodes[m_index];
    return m_document->m_text.substr(node.keyBegin, node.keyEnd - node.keyBegin);
}

std::string Value::key() const
{
    return unescaped(keyBody());
}

bool Value::keyIs(std::string_view name) const
{
    return exists() && bodyEquals(keyBody(), name);
}

std::size_t Value::offset() const
{
    return exists() ? m_document->m_nodes[m_index].begin : 0;
}

Value Value::operator[](std::string_view name) const
{
    if (!isObject())
        return {};
    Value found;
    for (const Value &member : *this) {
        if (member.keyIs(name))
            found = member;
    }
    return found;
}

Value Value::first() const
{
    if (!isArray() && !isObject())
        return {};
    const std::uint32_t end = m_document->m_nodes[m_index].next;
    return m_index + 1 < end ? Value(m_document, m_index + 1, end) : Value();
}

Value Value::next() const
{
    if (!exists())
        return {};
    const std::uint32_t sibling = m_document->m_nodes[m_index].next;
    return sibling < m_parentEnd ? Value(m_document, sibling, m_parentEnd) : Value();
}

Value::Iterator Value::begin() const
{
    return Iterator(first());
}

Value::Iterator Value::end() const
{
    return Iterator(Value());
}

Value Document::root() const
{
    // The root has no siblings: its parent ends where it ends itself.
    return m_nodes.empty() ? Value() : Value(this, 0, m_nodes.front().next);
}

} // namespace headway::json
