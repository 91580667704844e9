// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/heads/argumenthasher.h"

#include <cstdint>
#include <map>
#include <optional>
#include <simdjson.h>
#include <span>
#include <string_view>
#include <vector>

namespace headway::heads {

// The parameter schemas of one `tools` array, as far as clients act on them when they take in a
// call: declared scalars, defaults, required properties. Immutable and shared by every turn and
// head that has the same tools.
class ToolSchemas final
{
public:
    // `id` is a hash of the text. What is no array of tools, or no schema, declares nothing.
    ToolSchemas(const base::Fingerprint &id, const std::optional<simdjson::dom::element> &tools,
                std::uint64_t seed);

    [[nodiscard]] const base::Fingerprint &id() const { return m_id; }

    // The hash of a call's arguments after the compare-only normalisation of spec/heads.md section
    // 3: scalars retyped, then properties equal to their default dropped, and null-valued or empty
    // ones that are not required. Of an undeclared tool nothing is required.
    [[nodiscard]] base::Fingerprint normalised(const base::Fingerprint &tool,
                                               std::span<const ArgumentNode> arguments,
                                               std::uint64_t seed) const;

    // What a tool is looked up by.
    [[nodiscard]] static base::Fingerprint toolKey(std::string_view nameSpace,
                                                   std::string_view name, std::uint64_t seed);

private:
    friend class SchemaReader;
    using Index = std::uint32_t;
    static constexpr Index none = 0; // declares nothing

    struct Property
    {
        base::Fingerprint key;
        Index schema = none;
        bool required = false;
    };
    struct Schema
    {
        std::uint8_t scalars = 0; // Scalar bits
        bool object = false; // declares properties: filler in it is dropped
        std::optional<base::Fingerprint> fallback; // its default, normalised
        std::vector<Property> properties; // by key
        Index items = none;
    };

    [[nodiscard]] const Property *find(const Schema &schema, const base::Fingerprint &key) const;
    [[nodiscard]] base::Fingerprint value(Index schema, std::span<const ArgumentNode> nodes,
                                          std::size_t at, std::uint64_t seed) const;
    [[nodiscard]] base::Fingerprint object(const Schema &schema,
                                           std::span<const ArgumentNode> nodes, std::size_t at,
                                           std::uint64_t seed) const;

    base::Fingerprint m_id;
    std::vector<Schema> m_schemas{std::vector<Schema>(1)};
    std::map<base::Fingerprint, Index> m_tools;
};

} // namespace headway::heads
