// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/toolschemas.h"

#include "proxy/core/heads/schemareader.h"

#include <algorithm>
#include <array>

namespace headway::heads {

ToolSchemas::ToolSchemas(const base::Fingerprint &id,
                         const std::optional<simdjson::dom::element> &tools, std::uint64_t seed)
    : m_id(id)
{
    if (tools)
        SchemaReader(*this, seed).readTools(*tools, {});
}

base::Fingerprint ToolSchemas::toolKey(std::string_view nameSpace, std::string_view name,
                                       std::uint64_t seed)
{
    const std::array both{base::fingerprint(nameSpace, seed), base::fingerprint(name, seed)};
    return combined('T', both, seed);
}

base::Fingerprint ToolSchemas::normalised(const base::Fingerprint &tool,
                                          std::span<const ArgumentNode> arguments,
                                          std::uint64_t seed) const
{
    static const Schema undeclared = [] {
        Schema schema;
        schema.object = true;
        return schema;
    }();
    const auto declared = m_tools.find(tool);
    const Schema &schema = declared == m_tools.end() ? undeclared : m_schemas[declared->second];
    return object(schema, arguments, 0, seed);
}

const ToolSchemas::Property *ToolSchemas::find(const Schema &schema,
                                               const base::Fingerprint &key) const
{
    const auto at = std::lower_bound(
        schema.properties.begin(), schema.properties.end(), key,
        [](const Property &property, const auto &k) { return property.key < k; });
    return at != schema.properties.end() && at->key == key ? &*at : nullptr;
}

base::Fingerprint ToolSchemas::value(Index schema, std::span<const ArgumentNode> nodes,
                                     std::size_t at, std::uint64_t seed) const
{
    const ArgumentNode &node = nodes[at];
    const Schema &declared = m_schemas[schema];
    if (node.object && declared.object)
        return object(declared, nodes, at, seed);
    if (node.array && declared.items != none) {
        std::vector<base::Fingerprint> prints;
        for (std::size_t child = at + 1; child < node.next; child = nodes[child].next)
            prints.push_back(value(declared.items, nodes, child, seed));
        return combined('[', prints, seed);
    }
    return (node.spells & declared.scalars) != 0 ? node.scalar : node.value;
}

base::Fingerprint ToolSchemas::object(const Schema &schema, std::span<const ArgumentNode> nodes,
                                      std::size_t at, std::uint64_t seed) const
{
    if (!nodes[at].object)
        return nodes[at].value; // too large to be taken apart
    std::vector<base::Fingerprint> prints;
    for (std::size_t child = at + 1; child < nodes[at].next; child = nodes[child].next) {
        const Property *property = find(schema, nodes[child].key);
        if (nodes[child].filler && (property == nullptr || !property->required))
            continue;
        const Index declared = property != nullptr ? property->schema : none;
        const base::Fingerprint print = value(declared, nodes, child, seed);
        if (m_schemas[declared].fallback == print)
            continue;
        prints.push_back(nodes[child].key);
        prints.push_back(print);
    }
    return combined('{', prints, seed);
}

} // namespace headway::heads
