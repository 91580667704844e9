// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/argumenthasher.h"

#include "proxy/core/heads/scalarspelling.h"

#include <algorithm>
#include <cmath>

namespace headway::heads {

namespace {

using simdjson::dom::element;
using Type = simdjson::dom::element_type;

constexpr std::size_t mostNodes = 256;

constexpr std::uint8_t bit(Scalar kind)
{
    return static_cast<std::uint8_t>(kind);
}

bool holdsObjects(simdjson::dom::array array)
{
    return std::any_of(array.begin(), array.end(), [](element entry) {
        return entry.type() == Type::OBJECT || entry.type() == Type::ARRAY;
    });
}

} // namespace

std::vector<ArgumentNode> ArgumentHasher::flatten(element value)
{
    std::vector<ArgumentNode> nodes;
    (void)append(value, {}, &nodes);
    nodes.shrink_to_fit();
    return nodes;
}

// `out` is nothing below a value that is not taken apart.
base::Fingerprint ArgumentHasher::append(element value, const base::Fingerprint &key,
                                         std::vector<ArgumentNode> *out)
{
    const std::size_t at = out != nullptr ? out->size() : 0;
    if (out != nullptr)
        out->emplace_back();
    ArgumentNode node;
    node.key = key;
    std::string_view text;
    simdjson::dom::object object;
    simdjson::dom::array array;
    if (value.get_object().get(object) == simdjson::SUCCESS) {
        node.object = out != nullptr && out->size() + object.size() <= mostNodes;
        node.value = appendObject(object, node.object ? out : nullptr);
    } else if (value.get_array().get(array) == simdjson::SUCCESS) {
        node.filler = array.size() == 0;
        node.array
            = out != nullptr && out->size() + array.size() <= mostNodes && holdsObjects(array);
        node.value = appendArray(array, node.array ? out : nullptr);
    } else {
        node.filler = value.is_null();
        node.value = scalarPrint(value);
        if (value.get_string().get(text) == simdjson::SUCCESS)
            spell(text, node);
    }
    if (out != nullptr) {
        node.next = static_cast<std::uint32_t>(out->size());
        (*out)[at] = node;
    }
    return node.value;
}

base::Fingerprint ArgumentHasher::appendObject(simdjson::dom::object object,
                                               std::vector<ArgumentNode> *out)
{
    std::vector<CanonicalForm::Member> members;
    members.reserve(object.size());
    for (const auto [key, member] : object)
        members.push_back({key, member});
    std::stable_sort(members.begin(), members.end(),
                     [](const auto &a, const auto &b) { return a.key < b.key; });
    std::vector<base::Fingerprint> prints;
    prints.reserve(2 * members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (i + 1 < members.size() && members[i + 1].key == members[i].key)
            continue; // the last of a repeated key counts
        const base::Fingerprint key = base::fingerprint(members[i].key, m_seed);
        prints.push_back(key);
        prints.push_back(append(members[i].value, key, out));
    }
    return combined('{', prints, m_seed);
}

base::Fingerprint ArgumentHasher::appendArray(simdjson::dom::array array,
                                              std::vector<ArgumentNode> *out)
{
    std::vector<base::Fingerprint> prints;
    prints.reserve(array.size());
    for (const element entry : array)
        prints.push_back(append(entry, {}, out));
    return combined('[', prints, m_seed);
}

void ArgumentHasher::spell(std::string_view text, ArgumentNode &node)
{
    m_form.clear();
    if (const auto number = spelledNumber(text)) {
        node.spells = bit(Scalar::Number);
        if (std::trunc(*number) == *number)
            node.spells |= bit(Scalar::Integer);
        m_form.number(*number);
    } else if (const auto boolean = spelledBoolean(text)) {
        node.spells = bit(Scalar::Boolean);
        m_form.mark(*boolean ? 't' : 'f');
    } else {
        return;
    }
    node.scalar = base::fingerprint(m_form.bytes(), m_seed);
}

base::Fingerprint ArgumentHasher::scalarPrint(element value)
{
    m_form.clear();
    m_form.value(value);
    const base::Fingerprint print = base::fingerprint(m_form.bytes(), m_seed);
    m_form.release();
    return print;
}

} // namespace headway::heads
