// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/heads/toolschemas.h"

#include <map>
#include <string>

namespace headway::heads {

// Reads JSON Schema as far as ToolSchemas needs it: `type`, `default`, `properties`, `required`,
// `items`, references inside the same schema, and choices. Any JSON is handled; recursive schemas
// end because each referenced place is read once per tool.
class SchemaReader final
{
public:
    SchemaReader(ToolSchemas &out, std::uint64_t seed)
        : m_out(out)
        , m_hasher(seed)
    {
    }

    // An array of tools; a tool of type "namespace" holds more of them.
    void readTools(simdjson::dom::element tools, std::string_view nameSpace);

private:
    using Index = ToolSchemas::Index;

    void readTool(simdjson::dom::object tool, std::string_view nameSpace);
    [[nodiscard]] Index readSchema(simdjson::dom::element schema);
    void readProperties(simdjson::dom::object schema, Index into);
    void readObject(simdjson::dom::object schema, Index into);
    [[nodiscard]] std::optional<simdjson::dom::element> resolve(simdjson::dom::element schema,
                                                                std::string &path) const;
    [[nodiscard]] std::uint8_t scalars(simdjson::dom::element schema, int &visits) const;
    [[nodiscard]] std::uint8_t scalarsOfChoice(simdjson::dom::array choice, int &visits) const;

    ToolSchemas &m_out;
    ArgumentHasher m_hasher;
    simdjson::dom::element m_root; // the tool's whole schema, what references start from
    std::map<std::string, Index> m_byReference;
    int m_depth = 0;
};

} // namespace headway::heads
